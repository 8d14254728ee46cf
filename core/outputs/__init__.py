"""What models answer with: frozen values of arrays, without torch."""
