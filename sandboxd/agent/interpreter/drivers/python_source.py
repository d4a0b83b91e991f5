"""The text of a cell: parsed, with the lines of notebooks that are no Python
made into calls, and split into statements and the last expression."""
import ast
import re
import sys


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
    import subprocess  # not paid for by kernels that never need it

    flush()
    done = subprocess.run(["/bin/bash", "-c", command], stdout=subprocess.PIPE if capture else None)
    sys.modules["__main__"].__dict__["_exit_code"] = done.returncode
    return done.stdout.decode("utf-8", "replace").splitlines() if capture else None


