"""What models hold and do about positions."""
