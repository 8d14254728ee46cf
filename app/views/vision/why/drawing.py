"""The maps on the page, each as soon as it is there; what nobody looks for any more is given up."""

from collections.abc import Callable, Mapping
from typing import Final

from app.components.picture_map import PictureMap
from app.style.markdown_escape import plain
from app.ui.place import Place
from app.views.vision.inputs import Chosen
from app.views.vision.why import asking, maps, params
from app.views.vision.why.asking import Answers, Asked
from core.explain.attribution.registry import EvidenceMethod

INSTEAD: Final = ("gradcam", "integrated-gradients", "uniform")  # of a method that can't be used
Large = tuple[EvidenceMethod, PictureMap | None]


def as_they_come(
    chosen: Chosen,
    asked: Asked,
    place: Place | None,
    rows: Mapping[str, Place],
    *,
    say: Callable[[str], object],
) -> tuple[EvidenceMethod, PictureMap | None, Answers] | None:
    """Draw until all is there: the chosen method in `place`, all of them in their `rows`.

    place: None where something else stands there: a film of the chosen method.

    `say` is told what the chosen method found. None where something never came, after saying so.
    """
    large: Large | None = None if place else (params.METHODS[params.wanted()], None)
    missing: dict[str, object] = {}  # what each place waited for when it was drawn last
    with asking.asked_of_all(chosen, asked) as futures:
        for answers in asking.arriving(futures):
            if large is None and place is not None:
                large = _large(chosen, asked, answers, place, missing)
                if large is not None:
                    say(maps.strongest(large[0], answers.found[large[0].id]))
            for row, names in asking.rows().items():
                awaited = sum(name in answers.awaited for name in names)
                if missing.get(row) == awaited:
                    continue
                missing[row] = awaited
                with rows[row].meanwhile() if awaited else rows[row].figure():
                    maps.small_maps(chosen, asked, answers, row)
            if large is not None and not answers.awaited:
                method, figure = large
                return method, figure, answers
    return None


def _large(
    chosen: Chosen, asked: Asked, answers: Answers, place: Place, missing: dict[str, object]
) -> Large | None:
    """The chosen method's map and its sums; where it can't be, the reason and one that can.

    None while it is to come: the picture stands there meanwhile.
    """
    wanted = params.wanted()
    known = (*answers.found, *answers.awaited)
    name = next(name for name in (wanted, *INSTEAD) if name in known)
    method = params.METHODS[name]
    if name in answers.awaited:
        if missing.get("large") != name:
            missing["large"] = name
            with place.meanwhile():
                maps.awaited_map(chosen, asked, method)
        return None
    if wanted in answers.refused:
        place.below().warning(plain(answers.refused[wanted]), icon=":material/info:")
    with place.figure():
        figure = maps.large_map(chosen, asked, method, answers.found[name])
    with place.below():
        maps.sums(method, answers.found[name])
    return method, figure
