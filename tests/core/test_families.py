"""Every family implements its protocol: each question by its name, its parameters, its defaults."""
