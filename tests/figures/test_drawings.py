"""A saved drawing, for a paper: words are text, fonts travel with it, cells are vectors."""

import base64
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import streamlit
from playwright.sync_api import expect

from app.components.frame import pack
from app.components.heat_map import HeatMap, heat_map_frame
from app.style.number_format import three
from tests.figures import samples
from tests.figures.conftest import Mount
from tests.figures.harness import Figure

SVG = "{http://www.w3.org/2000/svg}"
FONTS = Path(streamlit.__file__).parent / "static" / "static" / "media"
ADD_FONT = """([name, data]) => {
    const style = document.head.appendChild(document.createElement("style"));
    const face = (more, source) =>
        `@font-face { font-family: "${name}"; ${more}; src: url(${source}) format("woff2"); }`;
    style.textContent = `${face("font-style: italic", "data:font/woff2;base64,AAAA")}
        ${face("font-weight: 200 900", data)}
        :root { --st-font: "${name}", sans-serif !important; }`;
}"""
FACE = re.compile(r'@font-face\{font-family:"([^"]+)";[^}]*url\((.{40})')
# Plotly's own way of saving: a link that is clicked and revoked at once.
PLOT = """(drawing) => {
    document.body.dataset.testid = "stVerticalBlock";
    const plot = document.body.appendChild(document.createElement("div"));
    plot.className = "js-plotly-plot";
    plot._context = {};
    plot._fullData = [{ name: "loss", x: [1, 2], y: [0.5, 0.25] }];
    plot._fullLayout = { xaxis: { title: { text: "step" } }, yaxis: { title: { text: "nats" } } };
    const camera = plot.appendChild(document.createElement("a"));
    camera.className = "modebar-btn";
    camera.dataset.title = "Download plot as a png";
    camera.addEventListener("click", () => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
        link.download = plot._context.toImageButtonOptions.filename + ".svg";
        document.body.append(link);
        link.click();
        link.remove();
        URL.revokeObjectURL(link.href);
    });
}"""


def source_sans() -> str:
    (file,) = FONTS.glob("SourceSansVF-Upright*.woff2")
    return f"data:font/woff2;base64,{base64.b64encode(file.read_bytes()).decode('ascii')}"


def saved(figure: Figure) -> ET.Element:
    return ET.parse(figure.download("SVG")).getroot()


def words(drawing: ET.Element, tag: str) -> str:
    return " ".join("".join(node.itertext()) for node in drawing.iter(f"{SVG}{tag}"))


def grid(side: int) -> HeatMap:
    values = np.linspace(0, 1, side * side, dtype=np.float32).reshape(side, side)
    names = tuple(map(str, range(side)))
    return HeatMap(values, names, names, label="Similarity", caption=f"{side} positions")


def test_the_pages_font_is_embedded_once_and_only_if_it_is_used(mount: Mount):
    figure = mount("heat_map")
    figure.page.evaluate(ADD_FONT, ["Source Sans", source_sans()])
    figure.page.evaluate("document.fonts.load('13px \"Source Sans\"')")
    figure.show(heat_map_frame(grid(4)))
    drawing = saved(figure)
    assert FACE.findall(words(drawing, "style")) == [("Source Sans", source_sans()[:40])]
    families = {node.get("font-family") for node in drawing.iter(f"{SVG}text")}
    assert '"Source Sans", sans-serif' in families


def test_a_page_without_fonts_of_its_own_saves_text_all_the_same(mount: Mount):
    drawing = saved(mount("heat_map", heat_map_frame(grid(4))))
    assert not list(drawing.iter(f"{SVG}style"))
    assert "4 positions" in words(drawing, "text")


def test_title_and_description_hold_the_caption_and_the_numbers(mount: Mount):
    drawing = saved(mount("head_view", samples.view()))
    assert words(drawing, "title")
    described = words(drawing, "desc")
    weight = samples.weights()[1][0].max()
    assert three(float(weight)) in described


@pytest.mark.parametrize("side", [16, 64])
def test_cells_are_vectors(mount: Mount, side: int):
    drawing = saved(mount("heat_map", heat_map_frame(grid(side))))
    assert not list(drawing.iter(f"{SVG}image"))
    cells = [group for group in drawing.iter(f"{SVG}g") if group.get("shape-rendering")]
    assert max(len(group) for group in cells) >= 0.98 * side * side  # zero is the paper


def test_a_chart_is_saved_with_its_words(mount: Mount):
    figure = mount("chart_files", pack({"name": "curve", "caption": "run 1 of 2"}, {}))
    figure.page.evaluate(ADD_FONT, ["Source Sans", source_sans()])
    plotlys = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
        "<text style=\"font-family: 'Source Sans', sans-serif; fill: black;\">step</text></svg>"
    )
    figure.page.evaluate(PLOT, plotlys)
    drawing = saved(figure)
    assert words(drawing, "title") == "run 1 of 2"
    assert "loss,2,0.25" in words(drawing, "desc")
    assert '@font-face{font-family:"Source Sans"' in words(drawing, "style")
    assert words(drawing, "text") == "step"
    expect(figure.root.get_by_role("button", name="SVG")).to_be_hidden()
