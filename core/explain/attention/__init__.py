"""What attention heads do, from their maps."""
