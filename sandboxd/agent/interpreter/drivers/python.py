"""Kernel driver for Python.

Started by the server with four descriptors: 3 requests, 4 events,
5 acknowledgements, 6 this text. A request is a line `execute L1 L2 ...`,
followed by strings of those lengths in bytes: the code, then name and value of
each environment variable. Events are JSON lines. Descriptors 1 and 2 belong to
the code that runs.
"""
import __future__

import ast
import builtins
import fcntl
import json
import linecache
import os
import signal
import sys
import threading
import traceback
import types

DRIVER_FILE = "<driver>"
REQUESTS, EVENTS, ACKS = 3, 4, 5


class Channel:
    """The private line to the server."""

    def __init__(self):
        for descriptor in (REQUESTS, EVENTS, ACKS):
            os.set_inheritable(descriptor, False)
        self.requests = os.fdopen(REQUESTS, "rb")
        self.acks = os.fdopen(ACKS, "rb")
        self.lock = threading.RLock()

    def read_request(self):
        """Returns (code, {variable: value}), or None when the server is gone."""
        header = self.requests.readline()
        if not header:
            return None
        fields = [self.requests.read(int(n)).decode("utf-8", "surrogateescape") for n in header.split()[1:]]
        return fields[0], dict(zip(fields[1::2], fields[2::2]))

    def send(self, **event):
        line = json.dumps(event).encode("ascii") + b"\n"
        with self.lock:
            while line:
                line = line[os.write(EVENTS, line):]

    def send_and_wait(self, **event):
        """Waits until the server has read all that was printed before, so that
        nothing printed later can overtake the event."""
        with self.lock:
            self.send(**event)
            self.acks.readline()


class Ground:
    """What each cell finds, whatever an earlier one took away: the built-in
    names, which this program needs too, and open descriptors 1 and 2. What a
    cell put in their place stays."""

    def __init__(self):
        self.names = dict(vars(builtins))
        self.outputs = {fd: fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (1, 2)}

    def restore(self):
        present = vars(builtins)
        present.update({name: value for name, value in self.names.items() if name not in present})
        for fd, kept in self.outputs.items():
            try:
                os.fstat(fd)
            except OSError:
                os.dup2(kept, fd)


class Kernel:
    """Runs cells, one after the other, in the namespace of __main__."""

    def __init__(self, channel):
        self.channel = channel
        self.ground = Ground()
        self.pid = os.getpid()
        self.cells = 0
        self.future_features = 0
        self.loop = None
        self.interrupt_handler = signal.default_int_handler
        self.namespace = self.make_main()

    def make_main(self):
        main = types.ModuleType("__main__", None)
        main.__dict__.update(__builtins__=builtins, display=self.display, _exit_code=0)
        sys.modules["__main__"] = main
        return main.__dict__

    def serve(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.channel.send(type="ready")
        while True:
            request = self.channel.read_request()
            if request is None:
                break
            self.execute(*request)
            self.channel.send(type="done")
        flush()
        os._exit(0)

    def execute(self, code, variables):
        previous = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        failure = self.attempt(code)
        self.ground.restore()
        self.leave_if_forked(failure)
        set_environment(previous)
        flush()
        if failure is not None:
            self.channel.send(type="error", **self.describe(failure))

    def attempt(self, code):
        """Runs code; an interrupt can only strike here. Returns the exception."""
        try:
            try:
                signal.signal(signal.SIGINT, self.interrupt_handler)
                self.channel.send(type="started")
                self.run(code)
                show_figures(self.display)
            finally:
                self.interrupt_handler = signal.getsignal(signal.SIGINT)
                signal.signal(signal.SIGINT, signal.SIG_IGN)
        except BaseException as failure:
            return failure
        return None

    def run(self, code):
        if not code.strip():
            return
        self.cells += 1
        filename = f"<cell {self.cells}>"
        code, tree = parse(code, filename)
        linecache.cache[filename] = (len(code), None, code.splitlines(True), filename)
        last = take_last_expression(tree, code)
        self.evaluate(tree, filename, "exec")
        if last is not None:
            self.show_value(self.evaluate(last, filename, "eval"))

    def evaluate(self, tree, filename, mode):
        flags = self.future_features | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        compiled = compile(tree, filename, mode, flags, True)
        self.future_features |= compiled.co_flags & FUTURE_FEATURES
        value = eval(compiled, self.namespace)
        if compiled.co_flags & CO_COROUTINE:
            value = self.event_loop().run_until_complete(value)
        return value

    def event_loop(self):
        if self.loop is None or self.loop.is_closed():
            import asyncio

            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        return self.loop

    def show_value(self, value):
        if value is None:
            return
        self.namespace["_"] = value
        self.send_result(representations(value), True)

    def display(self, *objects, raw=False, **options):
        """Shows objects as results of the running cell, as IPython's display."""
        for obj in objects:
            self.send_result(obj if raw else representations(obj), False)

    def send_result(self, data, is_main):
        if data is None:
            return
        flush()
        if os.getpid() != self.pid:
            print(data.get("text/plain", ""))
            return
        self.channel.send_and_wait(type="result", main=is_main, data=data)

    def describe(self, failure):
        trace = failure.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == DRIVER_FILE:
            trace = trace.tb_next
        try:
            value = str(failure)
            lines = traceback.format_exception(type(failure), failure, trace)
        except Exception:  # the exception is broken itself
            value = object.__repr__(failure)
            lines = traceback.format_tb(trace) + [value + "\n"]
        return {"name": type(failure).__name__, "value": value, "traceback": "".join(lines)}

    def leave_if_forked(self, failure):
        """A child that the cell forked ends here: there is only one kernel."""
        if os.getpid() == self.pid:
            return
        status = 0
        if isinstance(failure, SystemExit):
            status = failure.code if isinstance(failure.code, int) else int(failure.code is not None)
        elif failure is not None:
            sys.stderr.write(self.describe(failure)["traceback"])
            status = 1
        flush()
        os._exit(status & 0xFF)


CO_COROUTINE = 0x80
FUTURE_FEATURES = 0
for _name in __future__.all_feature_names:
    FUTURE_FEATURES |= getattr(__future__, _name).compiler_flag


def set_environment(values):
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def main():
    kernel = Kernel(Channel())
    prepare_interpreter(kernel)
    kernel.serve()


main()
