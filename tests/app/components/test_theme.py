"""Colours that mean something must be readable, and stay apart for every eye."""

import itertools

import numpy as np
import pytest

from app.style import theme

# Machado, Oliveira & Fernandes 2009, severity 1, on linear RGB.
DEFICIENCIES = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_LMS = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_OKLAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]
APART = 0.04  # OKLab; about four just noticeable differences


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def oklab(rgb: np.ndarray) -> np.ndarray:
    return np.array(TO_OKLAB) @ np.cbrt(np.array(TO_LMS) @ np.clip(rgb, 0, 1))


def contrast(one: str, other: str) -> float:
    light, dark = sorted((linear(c) @ [0.2126, 0.7152, 0.0722] for c in (one, other)), reverse=True)
    return float((light + 0.05) / (dark + 0.05))


@pytest.mark.parametrize("dark", [False, True])
def test_every_meaning_the_text_and_the_accent_contrast_with_the_page(dark):
    page = theme.page_colours(dark=dark)
    paper = page["backgroundColor"]
    colours = {name: pair[dark] for name, pair in theme.MEANINGS.items()}
    colours |= {"text": page["textColor"], "accent": page["primaryColor"]}
    faint = {name: round(contrast(c, paper), 2) for name, c in colours.items()}
    assert all(value >= 4.5 for value in faint.values()), faint


@pytest.mark.parametrize("dark", [False, True])
def test_sixteen_heads_stay_apart_for_every_eye(dark):
    heads = [linear(pair[dark]) for pair in theme.HEADS]
    assert len(heads) >= 16
    for matrix in (np.eye(3), *map(np.array, DEFICIENCIES.values())):
        seen = [oklab(matrix @ head) for head in heads]
        closest = min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2))
        assert closest >= APART


def test_streamlit_s_named_colours_are_the_kinds():
    for dark in (False, True):
        page = theme.page_colours(dark=dark)
        named = {"encoder": "blueColor", "decoder": "greenColor", "cross": "violetColor"}
        for kind, name in named.items():
            assert page[name] == theme.colour(kind, dark=dark)
