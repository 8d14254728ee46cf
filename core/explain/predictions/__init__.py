"""What a distribution over tokens says: lenses, sampling, surprisal."""
