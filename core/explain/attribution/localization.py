"""Does a map stand where the object is? Pointing, mass in a mask, share of the asked object.

Pointing game: Zhang et al. 2018, https://arxiv.org/abs/1608.00507. Where the object is and what
the model used are two questions: a model may well know a boat by the water.

Only positive evidence counts as mass. A map without any says nothing: it is scored as a uniform
one.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float

OBJECT = 0.5  # share of a patch that the object must cover for a hit


def pointing(
    evidence: Float[np.ndarray, "row column"], covered: Float[np.ndarray, "row column"]
) -> float:
    """1 if the strongest patch lies on the object, else 0; of tied ones, their share of hits.

    covered: the share of each patch that the object covers.
    """
    strongest = evidence == evidence.max()
    return float((covered[strongest] >= OBJECT).mean())


def mass_inside(
    evidence: Float[np.ndarray, "row column"],
    inside: Float[np.ndarray, "row column"],
    counted: Float[np.ndarray, "row column"] | None = None,
) -> float:
    """The share of positive evidence inside a mask, from 0 to 1.

    inside: the share of each patch that lies in it. counted: the share that counts at all,
    where a border belongs to neither side; by default all of every patch. Evidence is spread
    evenly over its patch, so a uniform map scores the mask's own share of the picture.
    """
    counted = np.ones_like(inside) if counted is None else counted
    positive = np.maximum(evidence, 0)
    if not (positive * counted).sum() > 0:
        positive = np.ones_like(positive)
    total = float((positive * counted).sum())
    if total == 0:
        raise ValueError("no part of the picture counts")
    return float((positive * inside).sum()) / total


def mask_iou(
    evidence: Float[np.ndarray, "row column"], inside: Float[np.ndarray, "row column"]
) -> float:
    """Area of the map's object and the mask together, over the area of either (IoU), 0 to 1.

    The map's object are the patches above its mean, the threshold of Chefer et al. 2021 (CVPR),
    section 4, https://arxiv.org/abs/2012.09838; of a map of one value, all of them. inside: as
    for `mass_inside`. Raises ValueError for an empty mask.
    """
    if not inside.sum() > 0:
        raise ValueError("the mask is empty")
    found = evidence > evidence.mean()
    if evidence.min() == evidence.max():
        found = np.ones_like(found)
    shared = float(inside[found].sum())
    return shared / (float(inside.sum()) + float(found.sum()) - shared)


def patch_cover(
    mask: Float[np.ndarray, "height width"], rows: int, columns: int
) -> Float[np.ndarray, "row column"]:
    """The share of each patch that a mask of pixels (0 to 1) covers."""
    high, wide = mask.shape[0] // rows, mask.shape[1] // columns
    return mask.reshape(rows, high, columns, wide).mean(axis=(1, 3))


def centres_inside(box: Sequence[float], rows: int, columns: int) -> Bool[np.ndarray, "row column"]:
    """The patches whose centre lies in a box: centre x, centre y, width and height, as shares."""
    x, y, width, height = box
    across = np.abs((np.arange(columns) + 0.5) / columns - x) <= width / 2
    down = np.abs((np.arange(rows) + 0.5) / rows - y) <= height / 2
    return down[:, None] & across[None]
