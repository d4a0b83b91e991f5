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
import linecache
import os
import re
import signal
import threading

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


class StdinNotImplementedError(NotImplementedError):
    """input() was called, and nobody is there to answer."""


class Kernel:
    """Runs cells, one after the other, in the namespace of __main__."""

    def __init__(self, channel):
        self.channel = channel
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


def take_last_expression(tree, code):
    """Removes the last statement of tree if its value is to be shown."""
    if not tree.body or not isinstance(tree.body[-1], ast.Expr) or code.rstrip().endswith(";"):
        return None
    return ast.Expression(tree.body.pop().value)


def parse(code, filename):
    """Parses code. A line that is no Python but a shell escape or a magic of
    notebooks is rewritten; only lines at which the parser stops are looked at."""
    while True:
        try:
            return code, ast.parse(code, filename)
        except SyntaxError as error:
            rewritten = rewrite_line(code, error.lineno)
            if rewritten is None:
                raise
            code = rewritten


ESCAPE = re.compile(r"^(\s*)(?:(\w+)\s*=\s*)?([!%])\s*(.*?)\s*$", re.S)


def rewrite_line(code, number):
    lines = code.splitlines()
    match = ESCAPE.match(lines[number - 1]) if number and number <= len(lines) else None
    if match is None:
        return None
    indent, target, kind, text = match.groups()
    if kind == "%":
        text = magic_command(text)
    if text is None:
        return None
    call = f"__shell__({text!r}, {bool(target)})"
    lines[number - 1] = indent + (f"{target} = {call}" if target else call + ";")
    return "\n".join(lines)


def magic_command(text):
    """The shell command of the few magics that have one; None for others."""
    name, _, rest = text.partition(" ")
    if name in ("pip", "pip3"):
        return f"{sys.executable} -m pip {rest}"
    return "true" if name in ("matplotlib", "load_ext", "autoreload") else None


def run_shell(command, capture):
    """`!command`: its lines as a list when captured, else its output as output."""
    import subprocess

    flush()
    done = subprocess.run(["/bin/bash", "-c", command], stdout=subprocess.PIPE if capture else None)
    sys.modules["__main__"].__dict__["_exit_code"] = done.returncode
    return done.stdout.decode("utf-8", "replace").splitlines() if capture else None


def set_environment(values):
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def refuse_input(prompt="", *_):
    raise StdinNotImplementedError("raw_input was called, but this frontend does not support input requests.")


def leave(code=None):
    """exit() and quit(); those of the site module would close stdin too."""
    raise SystemExit(code)


def flush():
    """Empties the buffers of Python and, where foreign code may print, of C."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except Exception:
            pass
    if C_LIBRARY:
        C_LIBRARY[0].fflush(None)


# The C library, once something was loaded that may print through it.
C_LIBRARY = []


def on_audit(event, arguments):
    """Empties the buffers before another program prints, and sets C's buffer to
    lines once foreign code is loaded, so that the order of output is kept."""
    if event in ("os.system", "subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "time.sleep", "os.exec"):
        flush()
    elif event == "ctypes.dlopen" and not C_LIBRARY:
        use_c_library()
    elif event == "import" and arguments[1] and "/lib-dynload/" not in arguments[1] and not C_LIBRARY:
        use_c_library()


def use_c_library():
    C_LIBRARY.append(None)  # loading it is audited too
    try:
        import ctypes

        library = ctypes.CDLL(None)
        library.setvbuf(ctypes.c_void_p.in_dll(library, "stdout"), None, 1, 0)
        C_LIBRARY[0] = library
    except Exception:
        pass
    if C_LIBRARY[0] is None:
        C_LIBRARY.clear()


def show_figures(display):
    """Shows and closes the figures that matplotlib holds open."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or not hasattr(pyplot, "get_fignums"):
        return
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        if figure.axes or figure.lines or figure.images:
            display(figure)
    pyplot.close("all")


def prepare_matplotlib(display):
    def prepare(pyplot):
        pyplot.show = lambda *_, **__: show_figures(display)

    return prepare


def prepare_ipython(display):
    def prepare(module):
        module.display = display

    return prepare


def prepare_interpreter(kernel):
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    builtins.input = refuse_input
    builtins.exit = builtins.quit = leave
    builtins.__shell__ = run_shell
    os.environ.setdefault("MPLBACKEND", "agg")
    display = kernel.display
    sys.meta_path.insert(0, AfterImport({
        "matplotlib.pyplot": prepare_matplotlib(display),
        "IPython.display": prepare_ipython(display),
        "IPython.core.display_functions": prepare_ipython(display),
    }))
    sys.meta_path.append(StandIn(display))
    sys.addaudithook(on_audit)


def main():
    kernel = Kernel(Channel())
    prepare_interpreter(kernel)
    kernel.serve()


main()
