"""Boxes and arrows: where they stand, what is clicked, what a drawing says."""

from playwright.sync_api import expect

from app.components.diagram import diagram_frame
from app.components.selection import Seed
from tests.figures.conftest import Mount
from tests.figures.harness import Figure
from tests.figures.samples import DIAGRAM, SAMPLES


def test_boxes_are_clicked_walked_and_seeded(mount: Mount):
    figure = mount("diagram", SAMPLES["diagram"]())
    figure.click(*figure.data()["attention"])
    figure.chose("attention")
    figure.press("ArrowUp")
    figure.chose("embed")
    figure.press("Escape")
    figure.chose("")
    figure.show(diagram_frame(DIAGRAM, seed=Seed("in", 2), clickable=True))
    expect(figure.root).to_have_attribute("data-selected", "in")


def test_boxes_stand_where_the_grid_says(mount: Mount):
    centres = mount("diagram", SAMPLES["diagram"]()).data()
    unit = centres["in"][0] / 1.5
    for box in DIAGRAM.boxes:
        assert abs(centres[box.id][0] - (box.x + box.w / 2) * unit) < 0.01
        assert abs(centres[box.id][1] - (box.y + box.h / 2) * unit) < 0.01


def test_a_box_explains_itself_and_a_drawing_names_all(mount: Mount):
    figure = mount("diagram", SAMPLES["diagram"]())
    figure.hover(*figure.data()["embed"])
    expect(figure.tip).to_have_text("x √d")
    figure.hover(*_between_boxes(figure))  # an error there fails the test's page
    expect(figure.tip).to_be_hidden()
    drawing = figure.download("SVG").read_text("utf-8")
    assert all(box.text.split("<")[0] in drawing for box in DIAGRAM.boxes)
    assert figure.root.locator("li").count() >= len(DIAGRAM.boxes)


def _between_boxes(figure: Figure) -> tuple[float, float]:
    """A point of the drawing, in px, that lies in no box."""
    unit = figure.data()["in"][0] / 1.5
    steps = [n / 4 for n in range(1, 4 * int(DIAGRAM.width))]
    x, y = next(
        (x, y)
        for x in steps
        for y in (n / 4 for n in range(1, 4 * int(DIAGRAM.height)))
        if not any(b.x <= x <= b.x + b.w and b.y <= y <= b.y + b.h for b in DIAGRAM.boxes)
    )
    return x * unit, y * unit


def test_a_drawing_to_look_at_reports_nothing(mount: Mount):
    figure = mount("diagram", diagram_frame(DIAGRAM, clickable=False))
    figure.click(*figure.data()["attention"])
    figure.press("ArrowUp")
    assert figure.n_reports == 0
