// A script of real use of the official SDK against a sandbox backend. It is
// run by "node --test" in a folder where one version of the packages is
// installed; the backend comes from the environment, as for any user.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandExitError, NotFoundError, Sandbox, TimeoutError } from 'e2b'
import { Sandbox as CodeSandbox } from '@e2b/code-interpreter'

// The gateway of FC wants the access token on every port, and the SDKs send it
// to envd and to /execute only.
const noToken = process.env.SANDBOXD_PROFILE === 'fc' && 'the profile fc wants a token that the SDK does not send here'

const MiB = 1024 * 1024
const run = Math.random().toString(36).slice(2)

// until polls what has no event to wait for.
async function until(what, holds, ms = 10_000) {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(20)) {
    if (await holds()) return
  }
  assert.fail(`waited ${ms} ms for ${what}`)
}

async function items(paginator) {
  const all = []
  while (paginator.hasNext) all.push(...(await paginator.nextItems()))
  return all
}

describe('commands', () => {
  let sbx
  before(async () => {
    sbx = await Sandbox.create('base', { timeoutMs: 120_000, envs: { GREETING: 'hello' } })
  })
  after(() => sbx?.kill())

  test('result of a command', async () => {
    const result = await sbx.commands.run('echo out; echo err >&2')
    assert.deepEqual([result.stdout, result.stderr, result.exitCode], ['out\n', 'err\n', 0])
  })

  test('environment of create and of the call', async () => {
    const result = await sbx.commands.run('echo $GREETING $NAME', { envs: { NAME: 'world' } })
    assert.equal(result.stdout, 'hello world\n')
  })

  test('streaming callbacks arrive while the command runs', async () => {
    const seen = []
    const started = Date.now()
    await sbx.commands.run('echo first; sleep 1; echo second >&2; sleep 1; echo third', {
      onStdout: (text) => seen.push([text, Date.now() - started]),
      onStderr: (text) => seen.push([text, Date.now() - started]),
    })
    assert.deepEqual(seen.map(([text]) => text), ['first\n', 'second\n', 'third\n'])
    assert.ok(seen[1][1] - seen[0][1] > 500 && seen[2][1] - seen[1][1] > 500, JSON.stringify(seen))
  })

  test('UTF-8 survives being cut', async () => {
    const result = await sbx.commands.run(`for i in $(seq 20000); do printf 'é漢😀'; done`)
    assert.equal(result.stdout, 'é漢😀'.repeat(20000))
  })

  test('exit codes', async () => {
    await assert.rejects(sbx.commands.run('echo partial; exit 3'), (err) => {
      assert.ok(err instanceof CommandExitError)
      assert.deepEqual([err.exitCode, err.stdout], [3, 'partial\n'])
      return true
    })
    await assert.rejects(sbx.commands.run('no-such-program'), (err) => err.exitCode === 127)
  })

  test('a timeout is a TimeoutError', async () => {
    await assert.rejects(sbx.commands.run('sleep 30', { timeoutMs: 1000 }), TimeoutError)
  })

  test('timeout 0 is none', async () => {
    const result = await sbx.commands.run('sleep 0.2; echo done', { timeoutMs: 0 })
    assert.equal(result.stdout, 'done\n')
  })

  test('cwd, and one that is missing', async () => {
    await sbx.files.makeDir('/tmp/where')
    const result = await sbx.commands.run('pwd', { cwd: '/tmp/where' })
    assert.equal(result.stdout, '/tmp/where\n')
    await assert.rejects(sbx.commands.run('pwd', { cwd: '/no/such' }), /does not exist/)
  })

  test('stdin', async () => {
    const command = await sbx.commands.run('cat', { background: true, stdin: true })
    await sbx.commands.sendStdin(command.pid, 'to the cat\n')
    await sbx.commands.closeStdin(command.pid)
    const result = await command.wait()
    assert.equal(result.stdout, 'to the cat\n')
  })

  test('background, list, connect and kill', async () => {
    const command = await sbx.commands.run('echo up; sleep 300', { background: true })
    const listed = await sbx.commands.list()
    assert.ok(listed.some((p) => p.pid === command.pid && p.args.join(' ').includes('sleep 300')))
    const again = await sbx.commands.connect(command.pid)
    assert.equal(again.pid, command.pid)
    assert.equal(await sbx.commands.kill(command.pid), true)
    await assert.rejects(command.wait())
    await assert.rejects(again.wait())
    assert.equal(await sbx.commands.kill(command.pid), false)
  })

  test('a terminal, its size and its input', async () => {
    let screen = ''
    const decoder = new TextDecoder()
    const pty = await sbx.pty.create({
      cols: 80, rows: 24, timeoutMs: 60_000,
      onData: (data) => { screen += decoder.decode(data, { stream: true }) },
    })
    const type = (text) => sbx.pty.sendInput(pty.pid, new TextEncoder().encode(text))
    await type('stty size\n')
    await until('24 80', () => screen.includes('24 80'))
    await sbx.pty.resize(pty.pid, { cols: 132, rows: 43 })
    await type('stty size\n')
    await until('43 132', () => screen.includes('43 132'))
    await type('exit 0\n')
    const result = await pty.wait()
    assert.equal(result.exitCode, 0)
  })

  test('10 MB of output', async () => {
    const result = await sbx.commands.run('yes 0123456789 | head -c 10000000')
    assert.equal(result.stdout.length, 10_000_000)
  })
})

describe('files', () => {
  let sbx
  before(async () => {
    sbx = await Sandbox.create('base', { timeoutMs: 120_000 })
  })
  after(() => sbx?.kill())

  test('text', async () => {
    const info = await sbx.files.write('notes/a note.txt', 'héllo 漢字\n')
    assert.equal(info.name, 'a note.txt')
    assert.equal(await sbx.files.read('notes/a note.txt'), 'héllo 漢字\n')
  })

  test('bytes', async () => {
    const data = Uint8Array.from({ length: 256 }, (_, i) => i)
    await sbx.files.write('bytes.bin', data.buffer)
    assert.deepEqual(new Uint8Array(await sbx.files.read('bytes.bin', { format: 'bytes' })), data)
  })

  test('20 MB', async () => {
    const data = new Uint8Array(20 * MiB)
    for (let i = 0; i < data.length; i++) data[i] = (i * 2654435761) >>> 24
    await sbx.files.write('large.bin', data.buffer)
    const back = new Uint8Array(await sbx.files.read('large.bin', { format: 'bytes' }))
    assert.equal(back.length, data.length)
    const hash = (bytes) => createHash('sha256').update(bytes).digest('hex')
    assert.equal(hash(back), hash(data))
    const sum = await sbx.commands.run('sha256sum < large.bin')
    assert.equal(sum.stdout.slice(0, 64), hash(data))
  })

  test('a stream', async () => {
    await sbx.files.write('streamed.txt', new Blob(['one ', 'two']).stream())
    let text = ''
    for await (const chunk of await sbx.files.read('streamed.txt', { format: 'stream' })) {
      text += new TextDecoder().decode(chunk)
    }
    assert.equal(text, 'one two')
  })

  test('several files at once', async () => {
    const written = await sbx.files.write([
      { path: 'many/1.txt', data: 'one' },
      { path: 'many/2.txt', data: 'two' },
    ])
    assert.deepEqual(written.map((f) => f.name), ['1.txt', '2.txt'])
    assert.equal(await sbx.files.read('many/2.txt'), 'two')
  })

  test('list, also deep', async () => {
    await sbx.files.write('tree/a/b/c.txt', 'x')
    const names = async (depth) => (await sbx.files.list('tree', { depth })).map((e) => `${e.type}:${e.name}`)
    assert.deepEqual(await names(1), ['dir:a'])
    assert.deepEqual(await names(3), ['dir:a', 'dir:b', 'file:c.txt'])
    await assert.rejects(sbx.files.list('nowhere'), NotFoundError)
  })

  test('directories, names, removal', async () => {
    assert.equal(await sbx.files.makeDir('made'), true)
    assert.equal(await sbx.files.makeDir('made'), false)
    await sbx.files.write('made/old', 'content')
    const moved = await sbx.files.rename('made/old', 'made/new')
    assert.equal(moved.name, 'new')
    assert.equal(await sbx.files.exists('made/old'), false)
    const info = await sbx.files.getInfo('made/new')
    assert.deepEqual([info.size, info.type, info.permissions], [7, 'file', '-rw-r--r--'])
    await sbx.files.remove('made')
    assert.equal(await sbx.files.exists('made/new'), false)
  })

  test('errors of reading', async () => {
    await assert.rejects(sbx.files.read('missing.txt'), NotFoundError)
    await sbx.files.makeDir('directory')
    await assert.rejects(sbx.files.read('directory'))
  })

  test('watch', async () => {
    await sbx.files.makeDir('watched')
    const events = []
    const handle = await sbx.files.watchDir('watched', (event) => events.push(event))
    await sbx.files.write('watched/fresh.txt', 'x')
    await until('a create event', () => events.some((e) => e.type === 'create' && e.name === 'fresh.txt'))
    await sbx.files.remove('watched/fresh.txt')
    await until('a remove event', () => events.some((e) => e.type === 'remove' && e.name === 'fresh.txt'))
    await handle.stop()
  })

  test('signed links', { skip: noToken }, async () => {
    await sbx.files.write('shared.txt', 'for all')
    // With E2B_SANDBOX_URL the SDKs leave the sandbox out of the link; the
    // host name says it as well as the headers would.
    const link = new URL(await sbx.downloadUrl('shared.txt', { useSignatureExpiration: 60_000 }))
    link.host = sbx.getHost(49983)
    const good = await fetch(link)
    assert.deepEqual([good.status, await good.text()], [200, 'for all'])
    link.searchParams.delete('signature')
    assert.equal((await fetch(link)).status, 401)
  })
})

describe('life', () => {
  test('metadata, listing and paging', async () => {
    const made = []
    for (const n of [1, 2, 3]) {
      made.push(await Sandbox.create('base', {
        timeoutMs: 60_000, metadata: { run, n: String(n), odd: 'a&b=c d/é+%' },
      }))
    }
    try {
      const mine = await items(Sandbox.list({ query: { metadata: { run, odd: 'a&b=c d/é+%' } }, limit: 1 }))
      assert.deepEqual(mine.map((s) => s.metadata.n), ['3', '2', '1'])
      assert.ok(mine.every((s) => s.state === 'running' && s.templateId === 'base'))
      const one = await items(Sandbox.list({ query: { metadata: { run, n: '2' }, state: ['running'] } }))
      assert.deepEqual(one.map((s) => s.sandboxId), [made[1].sandboxId])
      const none = await items(Sandbox.list({ query: { metadata: { run, n: '4' } } }))
      assert.deepEqual(none, [])
    } finally {
      await Promise.all(made.map((s) => s.kill()))
    }
  })

  test('setTimeout moves the end', async () => {
    const sbx = await Sandbox.create('base', { timeoutMs: 60_000 })
    try {
      const before = await sbx.getInfo()
      await sbx.setTimeout(600_000)
      const later = await sbx.getInfo()
      const moved = later.endAt - before.endAt
      assert.ok(moved > 500_000 && moved < 600_000, `moved by ${moved} ms`)
      await sbx.setTimeout(1_000)
      await until('the end of the sandbox', async () => !(await sbx.isRunning()))
    } finally {
      await sbx.kill()
    }
  })

  test('pause, resume and connect keep files and processes', async () => {
    const sbx = await Sandbox.create('base', { timeoutMs: 60_000 })
    try {
      await sbx.files.write('kept.txt', 'kept')
      const sleeper = await sbx.commands.run('sleep 1000', { background: true })
      assert.equal(await (sbx.pause ?? sbx.betaPause).call(sbx), true)
      assert.equal(await sbx.isRunning(), false)
      const paused = await items(Sandbox.list({ query: { state: ['paused'] } }))
      assert.ok(paused.some((s) => s.sandboxId === sbx.sandboxId))
      const again = await Sandbox.connect(sbx.sandboxId, { timeoutMs: 60_000 })
      assert.equal(await again.files.read('kept.txt'), 'kept')
      assert.ok((await again.commands.list()).some((p) => p.pid === sleeper.pid))
      assert.equal(await again.isRunning(), true)
    } finally {
      await sbx.kill()
    }
  })

  test('after kill nothing runs and nothing is found', async () => {
    const sbx = await Sandbox.create('base', { timeoutMs: 60_000 })
    assert.equal(await sbx.isRunning(), true)
    assert.equal(await sbx.kill(), true)
    assert.equal(await sbx.isRunning(), false)
    assert.equal(await sbx.kill(), false)
    await assert.rejects(Sandbox.connect(sbx.sandboxId), NotFoundError)
    await assert.rejects(sbx.commands.run('true'), /sandbox/i)
  })

  test('a sandbox of somebody else is not reachable without its token', { skip: noToken }, async () => {
    const sbx = await Sandbox.create('base', { timeoutMs: 60_000 })
    try {
      const res = await fetch(new URL('/files?path=/etc/passwd', process.env.E2B_SANDBOX_URL), {
        headers: { 'E2b-Sandbox-Id': sbx.sandboxId, 'E2b-Sandbox-Port': '49983' },
      })
      assert.equal(res.status, 401)
    } finally {
      await sbx.kill()
    }
  })

  test('metrics', async () => {
    const sbx = await Sandbox.create('base', { timeoutMs: 60_000 })
    try {
      const metrics = await sbx.getMetrics()
      assert.ok(metrics.every((m) => m.memUsed > 0 && m.memTotal > 0 && m.timestamp instanceof Date))
    } finally {
      await sbx.kill()
    }
  })

  test('what is not offered says so', async () => {
    const sbx = await Sandbox.create('base', { timeoutMs: 60_000 })
    try {
      await assert.rejects(sbx.createSnapshot(), /not offered by sandboxd/)
      await assert.rejects(Sandbox.create('no-such-template'), /template 'no-such-template' not found/)
    } finally {
      await sbx.kill()
    }
  })

  test('a server in the sandbox answers on its port', { skip: noToken }, async () => {
    const sbx = await Sandbox.create('base', { timeoutMs: 60_000 })
    // Without isolation all sandboxes share the ports of the machine.
    const port = String(20_000 + Math.floor(Math.random() * 10_000))
    try {
      await sbx.commands.run('mkdir -p site && echo hi > site/index.html')
      await sbx.commands.run(`cd site && python3 -m http.server ${port} --bind 127.0.0.1`, { background: true })
      const get = () => fetch(new URL('/index.html', process.env.E2B_SANDBOX_URL), {
        headers: { 'E2b-Sandbox-Id': sbx.sandboxId, 'E2b-Sandbox-Port': port },
      })
      await until('the server', async () => (await get()).status === 200)
      assert.equal(await (await get()).text(), 'hi\n')
      assert.match(sbx.getHost(8080), new RegExp(`^8080-${sbx.sandboxId}\\.localhost:`))
    } finally {
      await sbx.kill()
    }
  })
})

describe('code', () => {
  let sbx
  before(async () => {
    sbx = await CodeSandbox.create({ timeoutMs: 120_000 })
  })
  after(() => sbx?.kill())

  test('state is kept between calls', async () => {
    await sbx.runCode('x = 41')
    const execution = await sbx.runCode('x += 1; x')
    assert.equal(execution.text, '42')
  })

  test('output is streamed', async () => {
    const out = []
    const err = []
    const execution = await sbx.runCode('import sys\nprint("one")\nprint("two", file=sys.stderr)', {
      onStdout: (message) => out.push(message.line),
      onStderr: (message) => err.push(message.line),
    })
    assert.deepEqual([out.join(''), err.join('')], ['one\n', 'two\n'])
    assert.deepEqual([execution.logs.stdout.join(''), execution.error], ['one\n', undefined])
  })

  test('errors have name, value and traceback', async () => {
    const { error } = await sbx.runCode('1/0')
    assert.deepEqual([error.name, error.value], ['ZeroDivisionError', 'division by zero'])
    assert.match(error.traceback, /ZeroDivisionError/)
  })

  test('a timeout, and the restart that frees the context', { skip: noToken }, async () => {
    const context = await sbx.createCodeContext({ language: 'python' })
    await assert.rejects(sbx.runCode('while True: pass', { context, timeoutMs: 1500 }), TimeoutError)
    await sbx.restartCodeContext(context)
    const { text } = await sbx.runCode('6*7', { context })
    assert.equal(text, '42')
  })

  test('contexts', { skip: noToken }, async () => {
    const context = await sbx.createCodeContext({ cwd: '/tmp', language: 'python' })
    assert.equal((await sbx.runCode('import os; os.getcwd()', { context })).text, '/tmp')
    await sbx.runCode('y = 1', { context })
    assert.equal((await sbx.runCode('y')).error?.name, 'NameError')
    assert.ok((await sbx.listCodeContexts()).some((c) => c.id === context.id))
    await sbx.removeCodeContext(context)
    assert.ok(!(await sbx.listCodeContexts()).some((c) => c.id === context.id))
  })

  test('javascript and bash', async () => {
    const js = await sbx.runCode('const n = [1, 2, 3].reduce((a, b) => a + b); n', { language: 'js' })
    assert.equal(js.text, '6')
    const bash = await sbx.runCode('echo from $((20 + 1)) bash', { language: 'bash' })
    assert.equal(bash.logs.stdout.join(''), 'from 21 bash\n')
  })

  test('variables of the call', async () => {
    const { text } = await sbx.runCode('import os; os.environ["WHO"]', { envs: { WHO: 'me' } })
    assert.equal(text, 'me')
  })

  test('files are those of the commands', async () => {
    await sbx.files.write('/tmp/numbers.csv', 'a,b\n1,2\n3,4\n')
    const { text } = await sbx.runCode('import csv; sum(int(r["b"]) for r in csv.DictReader(open("/tmp/numbers.csv")))')
    assert.equal(text, '6')
  })
})

test('two sandboxes at once do not see each other', async () => {
  const [a, b] = await Promise.all([1, 2].map(() => CodeSandbox.create({ timeoutMs: 60_000 })))
  try {
    await Promise.all([a.runCode('v = "a"'), b.runCode('v = "b"')])
    const texts = await Promise.all([a.runCode('v'), b.runCode('v')])
    assert.deepEqual(texts.map((e) => e.text), ['a', 'b'])
    await a.files.write('only-a.txt', 'a')
    assert.equal(await b.files.exists('only-a.txt'), false)
  } finally {
    await Promise.all([a.kill(), b.kill()])
  }
})
