import pytest

from app.views.vision.attention.words import reading
from core.explain.attention.patch_attention import PatchReading


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (PatchReading(0.043, 7, 196, 8.428), "0.0430 · rank 7 of 196 · 8.43 × uniform"),
        (PatchReading(0.0, 50, 49, 0.0), "0: outside what this layer can see"),
    ],
)
def test_a_weight_in_words(read, expected):
    assert reading(read) == expected
