"""What vectors hold: sums, norms, words in context, patch filters."""
