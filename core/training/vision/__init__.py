"""The parts that mae-mini, vit-mini and swin-mini share; the three commands lie one folder up.

`classes`, `photos`, `prepare` and `pack` read the photographs; `augment` varies them;
`network` and `layer_decay` hold what is trained; `masked` and `classify` are the recipes' steps;
`moments`, `heads`, `measure`, `gallery`, `cards` and `export` say what came of it.
"""
