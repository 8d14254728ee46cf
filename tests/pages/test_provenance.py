"""What files that are taken along say of themselves."""

import hashlib
import io
import json
import re
from pathlib import Path

import numpy as np
import yaml

from app.services import models
from core.catalog.checkpoints import locate
from tests.pages.page import Page

ROOT = Path(__file__).parents[2]
TEXT = "The cat sat on the mat."


def sha256(folder: Path) -> str:
    (weights,) = folder.glob("*.safetensors")
    return hashlib.sha256(weights.read_bytes()).hexdigest()


def test_arrays_say_which_model_on_what_text_and_where_to_see_them_again():
    page = Page("attention", text=TEXT)
    arrays = np.load(io.BytesIO(page.file("attention.npz")))
    said = json.loads(str(arrays["provenance"]))
    assert re.fullmatch(r"Glassformer \d+\.\d+\.\d+", said["made by"])
    assert said["settings"]["text"] == TEXT
    assert said["settings"]["model"] == models.DEFAULT
    assert "text=The+cat+sat+on+the+mat." in said["link"]
    _, folder = locate(models.DEFAULT)
    assert said["weights, SHA-256"] == {models.DEFAULT: sha256(folder)}
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    (author,) = cited["authors"]
    title = cited["title"].partition(": ")[2]
    for part in (author["name"], title, f"version {cited['version']}"):
        assert part in said["cite as"]


def test_arrays_of_a_mean_hold_every_heads_own_map():
    arrays = np.load(
        io.BytesIO(Page("attention", text=TEXT, heads="3.1,0.2", mean="1").file("attention.npz"))
    )
    own = [arrays["weights_layer3_head1"], arrays["weights_layer0_head2"]]
    np.testing.assert_allclose(np.mean(own, axis=0), arrays["maps"][0], atol=1e-6)


def test_arrays_of_a_rollout_hold_the_picture_and_every_heads_own_map():
    arrays = np.load(io.BytesIO(Page("vision", view="rollout").file("rollout.npz")))
    assert arrays["picture"].dtype == np.uint8
    assert arrays["picture"].ndim == 3
    first = arrays["heads_0"]
    np.testing.assert_allclose(first.mean(axis=0), arrays["map_0"], atol=1e-5)
    assert f"heads_{sum(name.startswith('map_') for name in arrays) - 1}" in arrays


def test_a_table_says_it_in_its_first_line():
    page = Page("bert", model="bert-mini", text=TEXT, masks="2")
    name = next(each for each in page.files if each.endswith(".csv"))
    first, _, rest = page.file(name).decode().partition("\n")
    assert f"bert-mini sha256:{sha256(locate('bert-mini')[1])}" in first
    assert "text=The+cat+sat" in first
    assert "cite: The Glassformer founders" in first
    assert not rest.startswith("#")
