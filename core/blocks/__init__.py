"""The small machines inside a Transformer, one file each; arrays in, arrays out.

No model is opened here: real vectors and matrices come in as arrays.
"""
