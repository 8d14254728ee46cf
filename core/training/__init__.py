"""The recipes that made the embedded models, one command each.

    python -m core.training.bert_mini --data DIR --minutes N --device auto
    python -m core.training.evaluate bert-mini --data DIR

A recipe is one module of this package with a folder beside it: `bert_mini.py` and `bert/`,
`gpt_mini.py` and `gpt/`, `transformer_en_de.py` and `translation/`. What all recipes share
lies here: `command` (its options), `datafiles` and `texts` (reading the data), `cache`
(computing once), `schedule` (time and learning rate), `optimisers`, `checkpoint` (whole or
not at all), `loop`, `heads`, `card`, `export`.
Nothing outside this package imports it: a trained model is an ordinary checkpoint.
"""
