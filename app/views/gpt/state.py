"""What the views of the GPT page share: the prompt, the model, how a token is chosen."""

from typing import Final

from app.services import decoder
from app.ui.head_names import Naming
from app.ui.params import Scope
from app.ui.silence import Silence
from app.views.gpt import tree
from core.explain.predictions.sampling import Sampling

HERE: Final = Scope("gpt")
PROMPT: Final = "Background music from a"
OTHER: Final = "Background noise from a"  # as many tokens

MODEL: Final = HERE.text("model", decoder.default_model())
TEXT: Final = HERE.text("text", PROMPT)
TEMPERATURE: Final = HERE.real("temperature", 0.0, 3.0, 1.0)
TOP_K: Final = HERE.whole("top_k", 0, 200, 0)
TOP_P: Final = HERE.real("top_p", 0.0, 1.0, 1.0)
SEED: Final = HERE.whole("seed", 0, 999_999, 0)
PLACE: Final = HERE.whole("token", -1, 511, -1)  # where the layers are read; -1: at the end
TREE: Final = HERE.custom("tree", tree.Tree(), tree.parse, tree.write)
LAYER: Final = HERE.whole("layer", -1, 200, -1)  # whose heads are shown; -1: the last

NAMES: Final = Naming.of(HERE, MODEL)
SILENCE: Final = Silence.of(Scope("gpt", "next"), NAMES, other=OTHER)
SAMPLING: Final = (TEMPERATURE, TOP_K, TOP_P, SEED)


def sampling() -> Sampling:
    """What the three sliders say."""
    return Sampling(TEMPERATURE.value, TOP_K.value, TOP_P.value)
