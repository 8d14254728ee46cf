"""What is changed, as it stands in links."""

from typing import Final

from app.ui.logit_lens import layer_number, state_of
from app.ui.params import Scope
from app.views.vision import masks
from app.views.vision.classes import ANSWER

NO_PATCH: Final = -1
LAST: Final = -1


HERE: Final = Scope("vision", "what-if")
HIDDEN = HERE.custom("hidden", masks.NOTHING, masks.read_painted, masks.written_painted)
HEADS = HERE.cells("heads")  # silenced: layer and head
POSITIONS = HERE.choice(
    "positions", {"kept": "as trained", "shuffled": "shuffled", "dropped": "dropped"}
)
SEED = HERE.whole("seed", 0, 99, 1)
EFFECTS = HERE.flag("effects")
RANDOM = HERE.flag("random")
CLASS = HERE.whole("class", ANSWER, 99_999, ANSWER)
LAYER = HERE.custom("layer", LAST, state_of, layer_number)  # a state, see app.ui.logit_lens
PATCH = HERE.whole("patch", NO_PATCH, 9_999, NO_PATCH)
NAMES = HERE.flag("names")
PARAMS: Final = (HIDDEN, HEADS, POSITIONS, SEED, EFFECTS, RANDOM, CLASS, LAYER, PATCH, NAMES)
