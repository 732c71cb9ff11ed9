"""Assay from Python: `run` and `bench` call the program `assay` and return its record, as plain Python objects.

    import torch_assay

    record = torch_assay.run("torch --device cpu", filter="scaler/*")
    for case in torch_assay.cases(record):
        print(case["id"], case["outcome"])

A record is the dict that `assay run --json` and `assay bench -o` write; their schemas are `results/schema/run-1.json` and
`bench-1.json` of Assay's sources. `record["verdict"]` is CONFORMS, INCOMPLETE, FAILS or NOTHING RAN, `record["exit"]` the exit
status; a subject that fails is a result, and no exception. `AssayError` says that there is no record to trust: the program is missing,
was called in a wrong way, could not start the subject, or ended before its record was written.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

__all__ = ["AssayError", "bench", "cases", "installed", "program", "run"]

# Wrong usage, and a subject that cannot be started.
_USAGE = 2


class AssayError(Exception):
    """`assay` could not do what it was asked. `exit` is its exit status, or None if it never ran; `record` what it has recorded, or
    None. The text has what it wrote to standard error."""

    def __init__(self, text, exit=None, record=None):
        super().__init__(text)
        self.exit, self.record = exit, record


def installed():
    """The folder of this package that is an installed Assay, for CMake (CMAKE_PREFIX_PATH). Only the wheel has it."""
    return str(pathlib.Path(__file__).resolve().parent / "installed")


def program():
    """The path of the program `assay`: what ASSAY_PROGRAM names, else that of this package, else the one on PATH."""
    named = os.environ.get("ASSAY_PROGRAM")
    if named:
        if not os.access(named, os.X_OK):
            raise AssayError(f"ASSAY_PROGRAM is {named}, which is no program")
        return named
    own = os.path.join(installed(), "bin", "assay")
    found = own if os.path.exists(own) else shutil.which("assay")
    if not found:
        raise AssayError("there is no program `assay`: neither in this package nor on PATH, and ASSAY_PROGRAM is not set")
    return found


def environment():
    """The environment of the program: `--subject torch` asks the PyTorch of this Python, unless ASSAY_PYTHON or --python names
    another."""
    return {"ASSAY_PYTHON": sys.executable, **os.environ}


def run(subject="reference", filter=(), *, waivers=(), options=(), timeout=None):
    """Runs the cases on a subject, and returns the record of `assay run`.

    `subject` is what `--subject` takes: "torch --device cpu", "./my_runtime.so", "python3 my_runtime.py". `filter` and `waivers` are a
    string or several: globs on names of cases and ids of clauses, and files. `options` are further options of `assay run`, such as
    ["--release", "2.4"]. After `timeout` seconds the run is ended, with an AssayError.
    """
    words = [word for glob in _several(filter) for word in ("--filter", glob)]
    words += [word for file in _several(waivers) for word in ("--waivers", os.fspath(file))]
    return recorded(["run", "--subject", subject, "-q", *words, *options], "--json", timeout)[0]


def bench(subject=(), filter=(), *, options=(), timeout=None):
    """Times loops on one or several subjects, and returns the record of `assay bench`. Without a subject, on those of this machine.

    `filter` is a string or several, as `assay bench dispatch/typed` takes them; `options` are further options, such as ["--quick"].
    """
    words = [word for name in _several(subject) for word in ("--subject", name)]
    return recorded(["bench", *_several(filter), *words, *options], "-o", timeout)[0]


def cases(record):
    """The cases of a record of `run`, of all its subjects, in their order."""
    return [case for subject in record["subjects"] for case in subject["cases"]]


def recorded(words, option, timeout=None):
    """Calls the program with an option that names the file of its record: the record, and what was printed."""
    with tempfile.TemporaryDirectory(prefix="torch_assay_") as folder:
        path = pathlib.Path(folder) / "record.json"
        done = called([*words, option, str(path)], timeout)
        record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    if record is None or done.returncode == _USAGE:
        raise AssayError(_why(done), done.returncode, record)
    return record, done.stdout


def called(words, timeout=None):
    """Calls the program: its exit status and output, as of subprocess.run."""
    try:
        return subprocess.run([program(), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              env=environment(), timeout=timeout)
    except subprocess.TimeoutExpired as late:
        raise AssayError(f"assay {words[0]} did not end in {timeout} s") from late
    except OSError as error:
        raise AssayError(f"cannot call {program()}: {error.strerror}") from error


def _several(words):
    return [words] if isinstance(words, (str, os.PathLike)) else list(words)


def _why(done):
    said = (done.stderr.strip() or done.stdout.strip() or "it said nothing")
    how = f"died of signal {-done.returncode}" if done.returncode < 0 else f"ended with status {done.returncode}"
    return f"assay {how}: {said}"
