"""What files that are taken along say of themselves."""

import hashlib
import io
import json
import re
from pathlib import Path

import numpy as np

from app.services import models
from core.catalog.checkpoints import locate
from tests.pages.page import Page

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


def test_a_table_says_it_in_its_first_line():
    page = Page("bert", model="bert-mini", text=TEXT, masks="2")
    name = next(each for each in page.files if each.endswith(".csv"))
    first, _, rest = page.file(name).decode().partition("\n")
    assert f"bert-mini sha256:{sha256(locate('bert-mini')[1])}" in first
    assert "text=The+cat+sat" in first
    assert not rest.startswith("#")
