"""The parts of the bert-mini recipe; `core/training/bert_mini.py` puts them together."""
