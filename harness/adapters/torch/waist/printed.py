"""Warnings that PyTorch prints to standard error instead of raising in Python: in destructors, and in a few bindings."""

import contextlib
import os
import re
import tempfile
import warnings

WARNING = re.compile(r"^\[W\S* \S+ \S+\] Warning: (.*?)(?: \(function [^\n]*\))?$(?!\n  )", re.M | re.S)


class Printed:
    """Intercepts standard error, and forwards what it has read."""

    def __init__(self):
        self.file = tempfile.TemporaryFile()
        self.before = os.dup(2)
        os.dup2(self.file.fileno(), 2)
        self.read = 0

    def take(self):
        """The texts of the warnings since the last call."""
        text = os.pread(self.file.fileno(), 1 << 20, self.read)
        self.read += len(text)
        os.write(self.before, text)
        return WARNING.findall(text.decode(errors="replace"))

    def close(self):
        os.dup2(self.before, 2)
        os.close(self.before)
        self.file.close()


@contextlib.contextmanager
def as_warnings():
    """Converts warnings printed inside to Python warnings."""
    printed = Printed()
    try:
        yield
    finally:
        for text in printed.take():
            warnings.warn(text, UserWarning)
        printed.close()
