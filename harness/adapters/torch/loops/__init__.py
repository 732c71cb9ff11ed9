"""What `assay bench` times: one context manager a loop, which lends what is called."""
