"""transformer-en-de: the Transformer of the 2017 paper, from English to German."""
