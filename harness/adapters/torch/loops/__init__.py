"""The loops of `assay bench`: one context manager per loop, which provides the function to call."""
