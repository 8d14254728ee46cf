"""Any figure as one offline HTML file: the same view.js on embedded data.

The page asks for nothing: a content security policy forbids every request, fonts are
the reader's own, light or dark follows the system. Data travel as base64 and titles
are escaped, so no token can close a tag.
"""

from __future__ import annotations

import base64
import html
from functools import partial
from string import Template
from typing import Final

from app.components.mount import javascript, stylesheet
from app.style import theme

SIZE: Final = " · {:.0f} kB, works offline"
ENTRY: Final = "export default function (component) {"

PAGE: Final = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';
 script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>$title</title>
<style>
$variables
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 1280px;
  color: var(--st-text-color); background: var(--st-background-color);
  font-family: var(--st-font); }
h1 { font: 600 1.6rem/1.25 Georgia, serif; margin: 0 0 1rem; overflow-wrap: anywhere; }
footer { margin-top: 1.2rem; font-size: 0.875rem; opacity: 0.75; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>$title</h1>
<main id="figure"></main>
<footer>$caption</footer>
<noscript>This figure needs JavaScript; it needs no network.</noscript>
<script type="text/plain" id="frame">$frame</script>
<template id="style"><style>$style</style></template>
<script type="module">
$script
const parentElement = document.getElementById("figure").attachShadow({ mode: "open" });
parentElement.append(document.getElementById("style").content);
const bytes = atob(document.getElementById("frame").textContent);
const data = Uint8Array.from(bytes, (c) => c.charCodeAt(0));
figureOfThisPage({ data, parentElement, setStateValue() {}, setTriggerValue() {} });
</script>
</body>
</html>
""")


def standalone_page(title: str, component: str, frame: bytes, caption: str) -> str:
    """An HTML page that mounts `component` ("head_view") on `frame`.

    `frame` comes from the component's own `…_frame` function.
    """
    script = javascript(component)
    if script.count(ENTRY) != 1 or "</script" in script or "<!--" in script:
        raise ValueError(f"to embed {component}/view.js, it needs one {ENTRY!r} and no script tags")
    page = partial(
        PAGE.substitute,
        title=html.escape(title),
        variables=theme_variables(),
        style=stylesheet(component),
        script=script.replace(ENTRY, "function figureOfThisPage(component) {"),
        frame=base64.b64encode(frame).decode("ascii"),
    )
    size = len(page(caption=html.escape(caption)).encode()) + len(SIZE)
    return page(caption=html.escape(caption + SIZE.format(size / 1000)))


def theme_variables() -> str:
    """What Streamlit gives a component inside the app, from the same configuration."""
    light, dark = theme.page_colours(dark=False), theme.page_colours(dark=True)
    names = {
        "background-color": "backgroundColor",
        "secondary-background-color": "secondaryBackgroundColor",
        "text-color": "textColor",
        "primary-color": "primaryColor",
        "border-color": "borderColor",
    }
    colours = "".join(
        f" --st-{css}: light-dark({light[name]}, {dark[name]});" for css, name in names.items()
    )
    fonts = "--st-font: system-ui, sans-serif; --st-code-font: ui-monospace, monospace;"
    return f":root {{ color-scheme: light dark;{colours} {fonts} }}\n{theme.stylesheet()}"
