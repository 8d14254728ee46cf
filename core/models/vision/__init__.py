"""Models of pictures, on timm: classifiers, masked autoencoders, detectors."""
