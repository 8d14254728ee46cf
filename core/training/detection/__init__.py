"""The parts of detr-mini's recipe; the command lies one folder up.

`pool` draws the scenes; `loss` matches and scores; `network` holds what is trained; `recipe` makes
the steps; `measure`, `card` and `export` say what came of it.
"""
