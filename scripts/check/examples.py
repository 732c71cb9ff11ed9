#!/usr/bin/env python3
"""Runs the commands that the READMEs show, as a reader would: every line of an `sh` block that calls build/bin/assay.

A line may end in `# exit N`; otherwise it must succeed. What a reader would have and this machine lacks (his own runtime,
PyTorch) is put in place, or the line is counted as left out and named.
"""

import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(?:sh|console)\n(.*?)^```", re.M | re.S)


def commands_of(text):
    for block in BLOCK.findall(text):
        for line in block.splitlines():
            line = line.removeprefix("$ ").strip()
            if line.startswith("build/bin/assay"):
                yield line


def wanted_status(line):
    found = re.search(r"#.*\bexit (\d+)", line)
    return int(found.group(1)) if found else 0


def has_torch():
    return subprocess.run(["python3", "-c", "import torch"], capture_output=True).returncode == 0


def prepare(folder, build):
    """A reader's place: the built program, the sources' adapters, and runtimes of his own."""
    (folder / "build").mkdir()
    (folder / "build" / "bin").symlink_to(build / "bin")
    for name in ("harness", "suites"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "harness/adapters/stranger/amp_subject.py", folder / "my_runtime.py")
    plugin = next(build.rglob("libassay_reference_plugin.so"), None)
    if plugin:
        (folder / "my_runtime.so").symlink_to(plugin)


def reason_to_leave_out(line, folder):
    if "--subject torch" in line and not has_torch():
        return "PyTorch is not installed"
    if "my_runtime.so" in line and not (folder / "my_runtime.so").exists():
        return "no plugin was built"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="the build folder")
    build = parser.parse_args().build.resolve()
    failures = ran = 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        prepare(folder, build)
        for readme in sorted(ROOT.rglob("README.md")):
            if any(part.startswith(("build", ".")) for part in readme.relative_to(ROOT).parts[:-1]):
                continue
            for line in commands_of(readme.read_text(encoding="utf-8")):
                reason = reason_to_leave_out(line, folder)
                if reason:
                    print(f"left out: {line} ({reason})")
                    continue
                words = shlex.split(line, comments=True)
                result = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600)
                ran += 1
                if result.returncode != wanted_status(line):
                    failures += 1
                    print(f"{readme.relative_to(ROOT)}: {line}\n  ended with {result.returncode}\n"
                          f"{result.stdout[-700:]}{result.stderr[-700:]}")
    print(f"{ran} examples ran, {failures} failed")
    return 1 if failures or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
