"""Explanations of a class that run the model: gradients, occlusion, integrated gradients."""
