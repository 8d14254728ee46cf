"""What the three vision recipes share: reading the photographs, augmentation, the training parts, packing."""
