"""Rich results: from a Python object to its representations by media type.

Follows the conventions of IPython (`_repr_html_` and its family,
`_repr_mimebundle_`, `_ipython_display_`), so that libraries written for
notebooks show here what they show there. Nothing of IPython is needed.
"""
import base64
import io
import json
import traceback

REPR_METHODS = (
    ("text/html", "_repr_html_"),
    ("text/markdown", "_repr_markdown_"),
    ("image/svg+xml", "_repr_svg_"),
    ("image/png", "_repr_png_"),
    ("image/jpeg", "_repr_jpeg_"),
    ("application/pdf", "_repr_pdf_"),
    ("text/latex", "_repr_latex_"),
    ("application/json", "_repr_json_"),
    ("application/javascript", "_repr_javascript_"),
)

# A container with more elements than this is shown in part, like in IPython;
# the text of a list of ten million numbers would not help anyone.
MAX_ELEMENTS = 1000


def representations(obj):
    """Returns {media type: value} of obj, or None if it displayed itself."""
    if isinstance(obj, type):
        return {"text/plain": plain_text(obj)}
    if attempt(obj, "_ipython_display_") is not None:
        return None
    data = {"text/plain": plain_text(obj)}
    for media_type, method in REPR_METHODS:
        value = without_metadata(attempt(obj, method))
        if value is not None:
            data[media_type] = value
    data.update(builtin_representations(obj))
    bundle = without_metadata(attempt(obj, "_repr_mimebundle_", include=None, exclude=None))
    if isinstance(bundle, dict):
        data.update(bundle)
    return {kind: transportable(value) for kind, value in data.items() if value is not None}


def attempt(obj, method, **arguments):
    """Calls obj.method(); a missing method is None, a failing one is told on stderr.

    The special return of `_ipython_display_` is True, for it has none of its own.
    """
    try:
        bound = getattr(obj, method, None)
    except Exception:
        return None
    # An object that answers to every name (a mock, a proxy) has no such method.
    if not callable(bound) or callable(getattr(obj, "_this_method_cannot_exist_", None)):
        return None
    try:
        value = bound(**arguments)
    except Exception:
        traceback.print_exc()
        return None
    return True if method == "_ipython_display_" else value


def without_metadata(value):
    """A representation may come as (data, metadata); the wire has no metadata."""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], dict):
        return value[0]
    return value


def builtin_representations(obj):
    """Types that cannot say themselves how they look on this wire."""
    if isinstance(obj, dict):
        return {"application/json": obj} if is_json(obj) else {}
    module = type(obj).__module__
    if module.startswith("pandas.") and type(obj).__name__ == "DataFrame":
        return {"e2b/data": frame_columns(obj)}
    if module.startswith("matplotlib.") and hasattr(obj, "savefig"):
        return figure_representations(obj)
    return {}


def is_json(value):
    try:
        json.dumps(value, allow_nan=False)
        return True
    except (TypeError, ValueError, RecursionError):
        return False


def frame_columns(frame):
    """Columns of a data frame as lists of JSON values."""
    try:
        return json.loads(frame.to_json(orient="split", date_format="iso"), object_hook=columns_of_split)
    except Exception:
        return None


def columns_of_split(split):
    if "columns" not in split:
        return split
    return {str(name): [row[i] for row in split["data"]] for i, name in enumerate(split["columns"])}


def plain_text(obj):
    try:
        return shortened(obj) or repr(obj)
    except Exception:
        return object.__repr__(obj) + "\n" + traceback.format_exc()


def shortened(obj):
    """The text of an over-long plain container, or None for anything else."""
    if type(obj) not in BRACKETS or len(obj) <= MAX_ELEMENTS:
        return None
    left, right = BRACKETS[type(obj)]
    items = []
    for item in obj:
        items.append(f"{item!r}: {obj[item]!r}" if type(obj) is dict else repr(item))
        if len(items) == MAX_ELEMENTS:
            break
    return left + ", ".join(items) + ", ..." + right


BRACKETS = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}"), frozenset: ("frozenset({", "})"), dict: ("{", "}")}


def transportable(value):
    """What JSON can carry: bytes become base64, strange objects their text."""
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode("ascii")
    return value if isinstance(value, str) or is_json(value) else str(value)


def figure_representations(figure):
    image = io.BytesIO()
    figure.savefig(image, format="png", bbox_inches="tight")
    return {"image/png": image.getvalue(), "e2b/chart": figure_chart(figure)}


# Libraries that must be told where they run are adjusted right after their
# import, once, whoever imports them.
class AfterImport:
    """A finder that lets the others find a module and runs an action after it."""

    def __init__(self, actions):
        self.actions = actions

    def find_spec(self, name, path=None, target=None):
        action = self.actions.pop(name, None)
        if action is None:
            return None
        import importlib.util

        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            action(module)

        spec.loader.exec_module = exec_module
        return spec


class StandIn:
    """The last finder: offers IPython.display where IPython is not installed."""

    def __init__(self, display):
        self.modules = {}
        self.display = display

    def find_spec(self, name, path=None, target=None):
        if name not in ("IPython", "IPython.display", "IPython.core", "IPython.core.display"):
            return None
        import importlib.machinery

        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.display = self.display
        if module.__name__ == "IPython":
            module.get_ipython = lambda: None
        else:
            module.clear_output = lambda wait=False: None
            module.__dict__.update(display_classes())


def display_classes():
    """HTML, Markdown and so on: an object around data of one media type."""
    return {name: display_class(name, media_type) for name, media_type in DISPLAY_CLASSES.items()}


DISPLAY_CLASSES = {
    "HTML": "text/html",
    "Markdown": "text/markdown",
    "Latex": "text/latex",
    "Math": "text/latex",
    "SVG": "image/svg+xml",
    "JSON": "application/json",
    "Javascript": "application/javascript",
    "Pretty": "text/plain",
    "Image": "image/png",
}


def display_class(name, media_type):
    def init(self, data=None, filename=None, **options):
        if filename is not None:
            with open(filename, "rb") as file:
                data = file.read()
        if isinstance(data, bytes) and not media_type.startswith("image/p"):
            data = data.decode("utf-8")
        self.data = data

    def bundle(self, include=None, exclude=None):
        kind = media_type
        if isinstance(self.data, bytes) and self.data[:2] == b"\xff\xd8":
            kind = "image/jpeg"
        data = "$\\displaystyle " + self.data.strip("$") + "$" if name == "Math" else self.data
        return {kind: data}

    def text(self):
        return f"<IPython.core.display.{name} object>"

    return type(name, (), {"__init__": init, "__repr__": text, "_repr_mimebundle_": bundle})
