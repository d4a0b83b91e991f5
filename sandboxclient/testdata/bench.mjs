// Times one piece of work with the official SDK and prints nanoseconds for one
// round of it: node bench.mjs command|file ROUNDS
import { Sandbox } from 'e2b'

const [work, rounds] = [process.argv[2], Math.max(20, Number(process.argv[3]))]
const sandbox = await Sandbox.create()
const content = new ArrayBuffer(10_000_000)

const once = {
  command: () => sandbox.commands.run('true'),
  file: async () => {
    await sandbox.files.write('/x', content)
    await sandbox.files.read('/x', { format: 'bytes' })
  },
}[work]

for (let i = 0; i < 10; i++) await once()
const start = process.hrtime.bigint()
for (let i = 0; i < rounds; i++) await once()
console.log(Number(process.hrtime.bigint() - start) / rounds)
process.exit(0)
