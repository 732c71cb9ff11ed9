"""Helpers for scripts that keep records of this machine."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]


def is_busy():
    """True if other processes use the cores needed for timing."""
    return os.getloadavg()[0] > 0.5 * os.cpu_count()


def subjects(programs, without=""):
    """All that can be timed here: the loops of a simulated device have no time, but its dispatcher has. libtorch stands first, so that
    the others are compared with it."""
    names = (["libtorch"] if (programs / "assay-libtorch.so").exists() else []) + ["pointer", "reference"]
    names += ["cuda_on_cpu"] if (programs / "assay-cuda-on-cpu").exists() else []
    return [word for name in names if name != without for word in ("--subject", name)]


def without_names(record, folder):
    """Makes paths of this checkout relative, and removes the host name."""
    if isinstance(record, dict):
        return {name: "" if name == "host" else without_names(value, folder) for name, value in record.items()}
    if isinstance(record, list):
        return [without_names(value, folder) for value in record]
    if isinstance(record, str):
        return record.replace(f"{folder}/", "").replace(f"{ROOT}/", "")
    return record
