"""gpt-mini: GPT-2's layout, trained to predict the next token of Wikipedia and children's books."""
