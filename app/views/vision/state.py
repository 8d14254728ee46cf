"""What the views of this page share: the picture, and the model that looks at it."""

from typing import Final

from app.services.vision import SAMPLES
from app.ui.head_names import Naming
from app.ui.overlay import CONTRASTS, USUAL
from app.ui.params import Choice, Scope

PAGE: Final = "vision"
HERE: Final = Scope(PAGE)
MODEL = HERE.text("model", "vit-mini")
PICTURE: Final[Choice[str]] = HERE.choice("picture", SAMPLES)
WHOLE = HERE.flag("whole")  # nothing of the picture is cropped
OVERLAY = HERE.whole("overlay", 0, 100, USUAL)  # per cent: colours over the picture
CONTRAST: Final[Choice[str]] = HERE.choice("contrast", CONTRASTS)  # of the maps' colours
OVERLAYS: Final = (OVERLAY, CONTRAST)
NAMES: Final = Naming.of_pictures(HERE, MODEL)
SHARED: Final = (MODEL, PICTURE, WHOLE, *OVERLAYS)
