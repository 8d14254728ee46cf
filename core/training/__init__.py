"""The recipes that made the embedded models, one command each.

    python -m core.training.bert_mini --data DIR --minutes N --device auto
    python -m core.training.evaluate bert-mini --data DIR

A recipe is one module of this package with a folder of its own beside it
(`bert_mini.py`, `bert/`). What all recipes share lies here: `datafiles` (reading
the data), `cache` (computing once), `clock` and `schedule` (time and learning
rate), `checkpoint` (whole or not at all), `loop`, `snapshots`, `card`.
Nothing outside this package imports it: a trained model is an ordinary checkpoint.
"""
