"""The three errors that may reach a reader; everything else is a bug.

Their messages say what came, what is allowed, and what to do. A `ValueError`
anywhere in the project means that the calling code is wrong.
"""


class InputError(Exception):
    """What a reader gave can't be used, and the reader can mend it."""


class ModelUnavailableError(Exception):
    """A hub model can't be had now: no network, no space, or not what was pinned."""


class BusyError(Exception):
    """The queue is full: the reader waits a moment and asks again."""
