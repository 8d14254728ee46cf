"""The 27 classes of vit-mini and swin-mini, and the photographs that belong to each.

Categories of Caltech-101 (Li et al. 2022, https://doi.org/10.22002/D1.20086) and, for cats and
dogs, of Oxford-IIIT Pet (Parkhi et al. 2012, https://www.robots.ox.ac.uk/~vgg/data/pets/).
"""

from typing import Final

CATS, DOGS = "pets: cats", "pets: dogs"  # in the place of a category's name
CLASSES: Final = (  # (label, its categories)
    ("airplane", ("airplanes",)),
    ("motorbike", ("Motorbikes",)),
    ("car side", ("car_side",)),
    ("watch", ("watch",)),
    ("leopard", ("Leopards",)),
    ("bonsai", ("bonsai",)),
    ("sailboat", ("ketch", "schooner")),
    ("chandelier", ("chandelier",)),
    ("sea turtle", ("hawksbill",)),
    ("grand piano", ("grand_piano",)),
    ("butterfly", ("butterfly",)),
    ("helicopter", ("helicopter",)),
    ("starfish", ("starfish",)),
    ("kangaroo", ("kangaroo",)),
    ("sunflower", ("sunflower",)),
    ("llama", ("llama",)),
    ("laptop", ("laptop",)),
    ("umbrella", ("umbrella",)),
    ("electric guitar", ("electric_guitar",)),
    ("crab", ("crab",)),
    ("flamingo", ("flamingo",)),
    ("elephant", ("elephant",)),
    ("dolphin", ("dolphin",)),
    ("soccer ball", ("soccer_ball",)),
    ("lotus", ("lotus",)),
    ("cat", (CATS,)),
    ("dog", (DOGS, "dalmatian")),
)
LABELS: Final = tuple(label for label, _ in CLASSES)
BACKGROUND: Final = "BACKGROUND_Google"  # pictures of anything: for mae-mini alone
LEFT_OUT: Final = frozenset(("Faces", "Faces_easy", "garfield", "snoopy", "revolver"))
NO_CLASS = -1

_CLASS_OF: Final = {
    category: index for index, (_, categories) in enumerate(CLASSES) for category in categories
}


def category_of(name: str) -> str:
    """The category of a photograph, from its name in the archive.

    Example: "caltech101/crab/image_0001.jpg" -> "crab"; "pets600/images/Abyssinian_1.jpg" -> cats,
    since Oxford's names of cat breeds begin with a capital and those of dogs do not.
    """
    *_, folder, file = name.split("/")
    if folder != "images":
        return folder
    return CATS if file[0].isupper() else DOGS


def class_of(name: str) -> int:
    """The index of a photograph's class in LABELS; NO_CLASS if it has none of the 27."""
    return _CLASS_OF.get(category_of(name), NO_CLASS)
