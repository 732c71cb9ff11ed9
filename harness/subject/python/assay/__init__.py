"""What a runtime in Python needs to be tested by Assay: `assay.subject`."""
