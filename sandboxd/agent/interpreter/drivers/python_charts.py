"""Chart data of matplotlib figures: what was drawn, as values, for clients that
draw it again themselves. Lines, points and bars are told; other charts are
shown as an image only."""


def figure_chart(figure):
    """Returns the chart of a figure as a JSON object, or None."""
    try:
        charts = [chart for chart in map(axes_chart, figure.axes) if chart]
    except Exception:  # values of a kind that has no place in JSON
        return None
    if len(charts) > 1:
        title = figure._suptitle.get_text() if figure._suptitle else None
        return {"type": "superchart", "title": title, "elements": charts}
    return charts[0] if charts else None


def axes_chart(axes):
    if axes.containers and axes.patches:
        return {"type": "bar", **describe_axes(axes), "elements": bar_elements(axes)}
    if axes.lines:
        return {"type": "line", **describe_points(axes), "elements": line_elements(axes)}
    points = [c for c in axes.collections if hasattr(c, "get_offsets") and len(c.get_offsets())]
    if points:
        return {"type": "scatter", **describe_points(axes), "elements": scatter_elements(points)}
    return None


def describe_axes(axes):
    x_label, y_label = axes.get_xlabel() or None, axes.get_ylabel() or None
    return {
        "title": axes.get_title() or None,
        "x_label": x_label,
        "y_label": y_label,
        "x_unit": unit_of(x_label),
        "y_unit": unit_of(y_label),
    }


def describe_points(axes):
    return {**describe_axes(axes), **describe_axis("x", axes.xaxis), **describe_axis("y", axes.yaxis)}


def describe_axis(name, axis):
    return {
        f"{name}_ticks": plain_values(axis.get_ticklocs()),
        f"{name}_tick_labels": [label.get_text() for label in axis.get_ticklabels()],
        f"{name}_scale": axis.get_scale(),
    }


def unit_of(label):
    """The unit in a label such as `Distance (km)`."""
    return label[label.rindex("(") + 1:-1] if label and label.endswith(")") and "(" in label else None


def line_elements(axes):
    return [
        {"label": element_label(line, f"Line {number}"), "points": pairs(line.get_xdata(), line.get_ydata())}
        for number, line in enumerate(axes.lines)
    ]


def scatter_elements(collections):
    return [
        {"label": element_label(points, f"Scatter {number}"), "points": plain_values(points.get_offsets())}
        for number, points in enumerate(collections)
    ]


def bar_elements(axes):
    names = [label.get_text() for label in axes.get_xticklabels()]
    elements = []
    for number, group in enumerate(axes.containers):
        for i, bar in enumerate(group.patches):
            elements.append({
                "label": names[i] if i < len(names) else str(i),
                "group": element_label(group, f"Group {number}"),
                "value": float(bar.get_height()),
            })
    return elements


def element_label(element, otherwise):
    label = str(element.get_label() or "")
    return otherwise if not label or label.startswith("_") else label


def pairs(xs, ys):
    return [[x, y] for x, y in zip(plain_values(xs), plain_values(ys))]


def plain_values(values):
    """Numbers as numbers, dates in ISO form; fails for anything else."""
    values = values.tolist() if hasattr(values, "tolist") else list(values)
    return [plain_value(value) for value in values]


def plain_value(value):
    if isinstance(value, list):
        return [plain_value(item) for item in value]
    return value.isoformat() if hasattr(value, "isoformat") else float(value)
