"""Finds mutants whose object code is that of the original: nothing can notice these, so they are not counted."""

import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

import mutations

FLAGS = ["-std=c++20", "-O2", "-fPIC", "-w", "-ffp-contract=off", "-fno-math-errno", "-c", "-x", "c++", "-"]


def object_of(root, build, text, path):
    """The object code of a source with this text; None if it does not compile."""
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "a.o"
        words = ["c++", f"-I{root}", f"-I{build}/generated", *FLAGS, "-o", made]
        done = subprocess.run(words, input=f'#line 1 "{path}"\n{text}', capture_output=True, text=True, check=False)
        return made.read_bytes() if done.returncode == 0 else None


def changed(source, mutation):
    lines = source.text.count("\n", mutation.start, mutation.end) - mutation.text.count("\n")
    return source.text[:mutation.start] + mutation.text + "\n" * max(0, lines) + source.text[mutation.end:]


def twins_of(root, build, survivors, jobs):
    """The names of the survivors that compile to the same code. Headers are not compared: they are in many objects."""
    by_file = {}
    for each in survivors:
        if each.file.endswith(".cpp"):
            by_file.setdefault(each.file, []).append(each)

    def of_file(path):
        source = mutations.source_of(root, path)
        original = object_of(root, build, source.text, path)
        if original is None:
            sys.exit(f"scripts/power: {path} does not compile alone, so that its mutants cannot be compared with it")
        return [each.name for each in by_file[path] if object_of(root, build, changed(source, each), path) == original]

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return sorted(name for names in pool.map(of_file, sorted(by_file)) for name in names)
