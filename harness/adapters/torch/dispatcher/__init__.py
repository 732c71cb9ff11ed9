"""PyTorch's dispatcher: keys, kernels, registrations, calls, and autocast's state, which is one of its keys."""
