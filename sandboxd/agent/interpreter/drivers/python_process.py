"""The process as the code sees it: its streams and builtins, the order of what is
printed by whom, and libraries that want to know where they run."""
import builtins
import os
import sys


class StdinNotImplementedError(NotImplementedError):
    """input() was called, and nobody is there to answer."""


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
    if C_LIBRARY and C_LIBRARY[0] is not None:
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


