"""One file a family of models; `load` picks the file by the card's family."""
