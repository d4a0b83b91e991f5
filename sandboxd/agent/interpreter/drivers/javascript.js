// Kernel driver for JavaScript.
//
// Started by the server with four descriptors: 3 requests, 4 events,
// 5 acknowledgements, 6 this text. A request is a line `execute L1 L2 ...`,
// followed by strings of those lengths in bytes: the code, then name and value
// of each environment variable. Events are JSON lines. Descriptors 1 and 2
// belong to the code that runs.
//
// Cells run through V8's inspector in its REPL mode, which is what makes
// top-level await work and let, const and class declarable again.

const fs = require('fs');
const inspector = require('inspector');
const net = require('net');
const { Console } = require('console');
const { Writable } = require('stream');

const REQUESTS = 3, EVENTS = 4, ACKS = 5;

// ---- the private line to the server

function writeAll(descriptor, bytes) {
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(descriptor, bytes));
    } catch (error) {
      // A child process may have made the pipe non-blocking for all its users.
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function send(event) {
  writeAll(EVENTS, Buffer.from(JSON.stringify(event) + '\n'));
}

// Waits until the server has read all that was printed before, so that nothing
// printed later can overtake the event.
function sendAndWait(event) {
  send(event);
  fs.readSync(ACKS, Buffer.alloc(1));
}

// Returns the first request in buffer and what follows it, if it is complete.
function cutRequest(buffer) {
  const lineEnd = buffer.indexOf('\n');
  if (lineEnd < 0) return null;
  let position = lineEnd + 1;
  const fields = [];
  for (const length of buffer.toString('latin1', 0, lineEnd).split(' ').slice(1).map(Number)) {
    fields.push(buffer.toString('utf8', position, position + length));
    position += length;
  }
  return position > buffer.length ? null : { fields, rest: buffer.subarray(position) };
}

// ---- running a cell

const session = new inspector.Session();
session.connect();

// What becomes of the cell that runs; called at most once for each.
let settle = null;
let exitCode; // of process.exit() in this cell

class ProcessExit extends Error {
  constructor(code) {
    super(`process.exit(${code})`);
    this.code = code;
  }
}

// The value of a remote object, handed over within the same heap.
function valueOf(remote) {
  if (remote.type === 'undefined') return undefined;
  if (remote.objectId === undefined) return remote.unserializableValue === undefined ? remote.value : eval(remote.unserializableValue);
  let value;
  hidden('__take__', (v) => { value = v; });
  session.post('Runtime.callFunctionOn', {
    functionDeclaration: 'function(v) { globalThis.__take__(v) }',
    objectId: remote.objectId,
    arguments: [{ objectId: remote.objectId }],
  });
  return value;
}

// An interrupt is heard as soon as the code awaits something or returns; one
// that never does either is ended by the server, with the process.
function evaluate(expression) {
  return new Promise((resolve) => {
    settle = resolve;
    send({ type: 'started' });
    session.post('Runtime.evaluate', {
      expression, replMode: true, awaitPromise: true, objectGroup: 'cell',
    }, (failure, reply) => (failure ? resolve({ error: new Error(failure.message) }) : settled(outcomeOf(reply), resolve)));
  });
}

function outcomeOf({ result, exceptionDetails }) {
  if (exceptionDetails === undefined) return { value: valueOf(result) };
  return { error: valueOf(exceptionDetails.exception), place: exceptionDetails };
}

// A promise as the last value stands for what it becomes: `main()` is waited for.
function settled(outcome, resolve) {
  if (!util.types.isPromise(outcome.value)) resolve(outcome);
  else outcome.value.then((value) => resolve({ value }), (error) => resolve({ error }));
}

function prepare(code, name) {
  code = rewriteImports(code);
  if (/^\s*\{/.test(code) && parses(`(${code}\n)`)) code = `(${code}\n)`;
  return `${code}\n//# sourceURL=${name}`;
}

let cells = 0;

async function execute(code, ...variables) {
  const previous = setVariables(variables);
  exitCode = undefined;
  if (code.trim() !== '') {
    const name = `cell-${++cells}.js`;
    requests.unref(); // a cell that waits for nothing at all must not wait for ever
    const outcome = await evaluate(prepare(code, name));
    requests.ref();
    settle = null;
    report(outcome, name);
  }
  session.post('Runtime.releaseObjectGroup', { objectGroup: 'cell' });
  restoreVariables(previous);
  send({ type: 'done' });
}

function report(outcome, name) {
  if (exitCode !== undefined) outcome = { error: new ProcessExit(exitCode) };
  if (outcome.interrupted) {
    send({ type: 'error', name: 'KeyboardInterrupt', value: '', traceback: 'KeyboardInterrupt' });
  } else if ('error' in outcome) {
    send({ type: 'error', ...describe(outcome.error, outcome.place, name) });
  } else if (outcome.value !== undefined) {
    show(outcome.value, true);
  }
}

function show(value, main) {
  try {
    sendAndWait({ type: 'result', main, data: representations(value) });
  } catch (error) {
    console.error(error);
  }
}

function describe(error, place, name) {
  if (error instanceof ProcessExit) {
    return { name: 'SystemExit', value: String(error.code), traceback: `SystemExit: ${error.code}` };
  }
  if (!util.types.isNativeError(error) && !(error instanceof Error)) {
    return { name: 'Error', value: util.inspect(error), traceback: `Uncaught ${util.inspect(error)}` };
  }
  let traceback = withoutDriver(util.inspect(error));
  if (error.name === 'SyntaxError' && place) {
    traceback = `${name}:${place.lineNumber + 1}:${place.columnNumber + 1}\n${traceback}`;
  }
  return { name: String(error.name), value: String(error.message), traceback };
}

// Removes the frames below the cell, which are the driver's.
function withoutDriver(trace) {
  return trace.replace(/\n\s+at [^\n]*node:inspector[^\n]*(\n\s+at [^\n]*)*/g, '');
}

function setVariables(pairs) {
  const previous = {};
  for (let i = 0; i < pairs.length; i += 2) {
    previous[pairs[i]] = process.env[pairs[i]];
    process.env[pairs[i]] = pairs[i + 1];
  }
  return previous;
}

function restoreVariables(previous) {
  for (const [name, value] of Object.entries(previous)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

// ---- the process as the code sees it

function hidden(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false });
}

// Node would make the pipes non-blocking, for child processes too.
class Output extends Writable {
  constructor(descriptor) {
    super({ decodeStrings: true });
    this.fd = descriptor;
  }

  _write(bytes, _encoding, done) {
    try {
      writeAll(this.fd, bytes);
      done();
    } catch (error) {
      done(error);
    }
  }
}

function prepareProcess() {
  for (const [name, descriptor] of [['stdout', 1], ['stderr', 2]]) {
    Object.defineProperty(process, name, { value: new Output(descriptor), configurable: true, enumerable: true });
  }
  globalThis.console = new Console(process.stdout, process.stderr);
  process.exit = (code = process.exitCode ?? 0) => {
    exitCode = code;
    throw new ProcessExit(code);
  };
  hidden('display', (value) => show(value, false));
  hidden('__import__', (specifier) => load(resolveSpecifier(String(specifier))));
}

// Relative modules are found from the working directory.
function resolveSpecifier(specifier) {
  if (!/^\.{0,2}\//.test(specifier)) return specifier;
  return require('url').pathToFileURL(require('path').resolve(specifier)).href;
}

process.on('SIGINT', () => settle?.({ interrupted: true }));
process.on('unhandledRejection', (error) => surprise(error));
process.on('uncaughtException', (error) => surprise(error));
process.on('beforeExit', () => settle?.({ error: new Error('the awaited promise can never settle: nothing is left to run') }));

// An error that no cell waits for is told, and the kernel lives on.
function surprise(error) {
  if (error instanceof ProcessExit) settle?.({ error });
  else process.stderr.write(`Uncaught ${withoutDriver(util.inspect(error))}\n`);
}

prepareProcess();

let received = Buffer.alloc(0);
const requests = new net.Socket({ fd: REQUESTS, readable: true, writable: false });
requests.on('data', (bytes) => {
  received = Buffer.concat([received, bytes]);
  for (let request = cutRequest(received); request; request = cutRequest(received)) {
    received = request.rest;
    // An interrupt that was meant for the last cell is heard before this one.
    setImmediate(execute, ...request.fields);
  }
});
requests.on('close', () => process.reallyExit(0));
send({ type: 'ready' });
