"""What all recipes share: options, data, schedule, loop, checkpoints, cards."""
