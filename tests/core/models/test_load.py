"""Opening models from several threads at once: each is whole."""

import threading

import core


def test_threads_may_load_at_once(tiny_checkpoint):
    folders = [tiny_checkpoint(family) for family in ("bert", "gpt2", "marian", "t5")]
    problems: list[Exception] = []

    def load(folder):
        try:
            core.load(folder)
        except core.InputError as error:  # tied weights reported missing
            problems.append(error)

    threads = [threading.Thread(target=load, args=(folder,)) for folder in folders * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
