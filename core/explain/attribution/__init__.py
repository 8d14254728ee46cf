"""Explanations of a class, and whether they are true."""
