"""The small corpora of lectures and courses, and random ones."""

import random

LECTURE = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
COURSE = (
    "This is the Hugging Face Course.",
    "This chapter is about tokenization.",
    "This section shows several tokenizer algorithms.",
    "Hopefully, you will be able to understand how they are trained and generate tokens.",
)
LETTERS = "abcdefgéß東京😉к"


def random_words(seed: int) -> dict[str, int]:
    """Words over few letters, so that ties and runs such as aaa are common."""
    chance = random.Random(seed)
    letters = chance.sample(LETTERS, chance.randint(1, 6))
    words: dict[str, int] = {}
    for _ in range(chance.randint(1, 20)):
        word = "".join(chance.choices(letters, k=chance.randint(1, 10)))
        words[word] = chance.randint(1, 12)
    return words
