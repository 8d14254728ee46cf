"""What a reader may ask and send: every number that is checked before work begins, in one place.

Each is refused in words where it is checked: what came, what is allowed, what to do. What a figure
can draw or a method can afford (`MOST_TOKENS` of a view) stands there.
"""

from typing import Final

MB: Final = 1_000_000  # bytes

# Texts
CHARACTERS: Final = 20_000  # of a text that a model reads
TOKENS: Final = 512  # of it; fewer where the model has fewer positions
LINK_CHARACTERS: Final = 2_000  # of a text that still enters a link
SENTENCES: Final = 500  # of a file of them
SENTENCE_CHARACTERS: Final = 1_000  # of one of them
CORPUS_CHARACTERS: Final = 20_000_000  # that words are counted in
TRAINED_CHARACTERS: Final = 5_000_000  # that tokenizers are trained on
MERGES_CHARACTERS: Final = 30_000_000
TOKENIZER_BYTES: Final = 40 * MB

# Lessons of a reader's own
LESSON_BYTES: Final = 6 * MB
LESSON_PICTURES: Final = 12
LESSON_PICTURE_PIXELS: Final = 4_000_000  # of each
ROOMS_LESSONS: Final = 64 * MB  # of such as are too long for links, in all rooms
LESSON_LINK: Final = 6_000  # characters of one in a link: proxies mostly take addresses of 8,192

# Pictures
PICTURE_BYTES: Final = 10 * MB
PIXELS: Final = 25_000_000
FILM_FRAMES: Final = 24
FILM_PIXELS: Final = 400_000_000  # decoded: a frame can't be read without those before it

# Uploads, in bytes: what Streamlit keeps of them until the page has read it
SESSION_UPLOADS: Final = 80 * MB
ALL_UPLOADS: Final = 256 * MB

# Questions to models
# Requests that wait, those for a model that is opened too: a class of 500 may ask for two each
QUEUE: Final = 1024
JOBS: Final = 512  # that wait in a lane: a class of 200 may ask for two each
# Long ones (core.outputs.families.LONG) of one reader: a view asks for up to 24 of a new text
LONG_AT_ONCE: Final = 240
LONG_PER_SECOND: Final = 2.0
