"""A click on a patch to the new map, as the vision page's own clock has it: the browser's.

Run by hand: `.venv/bin/python -m tests.benchmarks.vision_page` (vit-mini), or with a checkpoint
directory: `… vision_page --model DIR`. Without either, a random model of vit-mini's size.
Target: 150 ms from the click to the painted map, overview and sums included.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from core.catalog import card_of
from core.catalog.checkpoints import is_on_board
from tests.benchmarks import page as attention_page
from tests.browser import find

PICTURE = ".st-key-vision-attention-picture .gf"
CLICKS = 24
SIDE = 14  # patches a side of vit-mini's picture
# the component lives in a shadow root, which only its host leads to
CLOCK = """
() => {
  const hosts = document.querySelectorAll(".st-key-vision-attention-picture *");
  const roots = [...hosts].map((node) => node.shadowRoot?.querySelector("[data-patches]"));
  const root = roots.find(Boolean);
  window.clicked = 0;
  window.taken = [];
  root.addEventListener("click", () => { window.clicked = performance.now(); }, true);
  new MutationObserver(() => {
    if (window.clicked) window.taken.push(performance.now() - window.clicked);
    window.clicked = 0;
  }).observe(root, { attributes: true, attributeFilter: ["data-painted"] });
}
"""


def random_model(folder: Path) -> Path:
    """vit-mini's sizes, weights drawn."""
    import timm
    import torch
    from safetensors.torch import save_file

    torch.manual_seed(0)
    arguments = {"img_size": 112, "patch_size": 8, "embed_dim": 256, "depth": 8, "num_heads": 8}
    module = timm.create_model("vit_small_patch8_224", num_classes=27, **arguments)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim > 1:
                parameter.normal_(0, 0.1)
    save_file(module.state_dict(), folder / "model.safetensors")
    config = {
        "architecture": "vit_small_patch8_224",
        "num_classes": 27,
        "model_args": arguments,
        "pretrained_cfg": {"input_size": (3, 112, 112), "crop_pct": 1.0},
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def clicks(page: Page) -> list[float]:
    """Milliseconds from each click to its map."""
    root = page.locator(PICTURE).first
    page.evaluate(CLOCK)
    ((top, wide, high),) = json.loads(root.get_attribute("data-patches") or "null")
    for index in range(CLICKS):
        patch = (37 * index + 11) % SIDE**2
        row, column = divmod(patch, SIDE)
        root.locator(".sheet").click(
            position={"x": (column + 0.5) * wide, "y": top + (row + 0.5) * high}
        )
        page.wait_for_function(f"window.taken.length > {index}")
    return page.evaluate("window.taken")


def measure(browser: Browser, model: str) -> dict[str, object]:
    os.environ["GLASSFORMER_CHECKPOINTS"] = model if Path(model).is_dir() else ""
    with attention_page.running() as (address, process):
        attention_page.wait_until_healthy(address)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{address}/vision?view=attention&model={model}")
        page.wait_for_selector(PICTURE, timeout=180_000)
        page.wait_for_selector(f'{PICTURE}[data-painted^="{SIDE} x"]', timeout=60_000)
        attention_page.settle(page)
        before = attention_page.cpu_seconds(process)
        taken = clicks(page)
        cpu = attention_page.cpu_seconds(process) - before
        page.close()
    return {
        "model": model,
        "click to new map, median ms": round(statistics.median(taken), 1),
        "slowest ms": round(max(taken), 1),
        "server CPU a click, ms": round(1000 * cpu / CLICKS, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="")
    model = parser.parse_args().model
    card = card_of("vit-mini")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        if not model:
            on_board = card is not None and is_on_board(card)
            model = "vit-mini" if on_board else str(random_model(Path(folder)))
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        report = measure(browser, model)
        browser.close()
    sys.stdout.write(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
