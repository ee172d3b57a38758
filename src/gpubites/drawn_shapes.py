"""Whether the shapes of a simulator's picture lie in it: a bar that is longer than the picture tells a smaller number than it should."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, fromstring

Point = tuple[float, float]

NUMBER = r"-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?"
STEPS = re.compile(rf"([A-Za-z])|({NUMBER})")
TAKES = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "A": 7, "Q": 4, "S": 4, "C": 6, "Z": 0}
TOUCH = 1.0  # half a line's width


def clipped(svg: str) -> str:
    """What is wrong with the shape that goes farthest beyond the edge, of the picture; empty where all of them lie within."""
    root = fromstring(svg)
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].replace(",", " ").split())
    worst, name = TOUCH, ""
    for element, points in _shapes(root, 0, 0):
        for x, y in points:
            over = max(-x, x - width, -y, y - height)
            if over > worst:
                worst, name = over, element.tag.split("}")[1]
    return f"a <{name}> is cut off: it goes {worst:.0f} beyond the edge of {width:g} x {height:g}" if name else ""


def _shapes(element: Element, right: float, down: float) -> Iterator[tuple[Element, list[Point]]]:
    """Each shape with its corners, moved as its groups say. What is turned or scaled is left out."""
    if transform := element.get("transform"):
        moved = re.fullmatch(rf"translate\(({NUMBER})[ ,]+({NUMBER})\)", transform)
        if not moved:
            return
        right, down = right + float(moved[1]), down + float(moved[2])
    yield element, [(x + right, y + down) for x, y in _corners(element)]
    for child in element:
        yield from _shapes(child, right, down)


def _corners(element: Element) -> list[Point]:
    def of(*names: str) -> list[float]:
        return [float(element.get(name, 0)) for name in names]

    match element.tag.split("}")[1]:
        case "rect":
            x, y, width, height = of("x", "y", "width", "height")
            return [(x, y), (x + width, y + height)]
        case "circle":
            x, y, radius = of("cx", "cy", "r")
            return [(x - radius, y - radius), (x + radius, y + radius)]
        case "line":
            x1, y1, x2, y2 = of("x1", "y1", "x2", "y2")
            return [(x1, y1), (x2, y2)]
        case "polyline" | "polygon":
            numbers = [float(number) for number in re.findall(NUMBER, element.get("points", ""))]
            return list(zip(numbers[::2], numbers[1::2], strict=True))
        case "path":
            return list(_ends(element.get("d", "")))
    return []


def _ends(path: str) -> Iterator[Point]:
    """Where each stretch of a path ends."""
    x = y = 0.0
    start, step, numbers = (0.0, 0.0), "", list[float]()
    for letter, number in STEPS.findall(path):
        if letter:
            step = letter
        else:
            numbers.append(float(number))
        kind = step.upper()
        if kind == "Z":
            x, y = start
        if not kind or len(numbers) < max(1, TAKES[kind]):
            continue
        left, top = (x, y) if step.islower() else (0.0, 0.0)
        if kind == "H":
            x = left + numbers[0]
        elif kind == "V":
            y = top + numbers[0]
        else:
            x, y = left + numbers[-2], top + numbers[-1]
        if kind == "M":
            start, step = (x, y), "l" if step.islower() else "L"
        numbers = []
        yield x, y
