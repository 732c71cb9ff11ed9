#!/usr/bin/env python3
"""Runs the commands that the READMEs show, as a reader would: every line that calls build/bin/assay or ./scripts/run, and those that
call an installed `assay` and show what it prints.

In an `sh` block each line is a command; in a `console` block those are that begin with `$`, and what stands below one must be
what it prints. There `…` on a line of its own stands for any lines, and no digit of a time, of a line of a source or of what the
whole suites print is compared. A line may end in `# exit N`; otherwise it must succeed. A block of code that begins with a
comment `# NAME: …` is put into a file of that name before the commands below it; the first of a name, before all. What a reader would have and this machine lacks (his own runtime,
PyTorch) is put in place, or the line is counted as left out and named. `--fix` writes what is printed now into the READMEs: all
of it, or, where a block begins with `…`, as many lines from its end.
"""

import argparse
import itertools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```", re.M | re.S)
FILE = re.compile(r"(?:#|//) ([\w.]+): ")
ANY_LINES = "…"
# The options with which `scripts/run` neither installs nor builds anything.
WHOLE_RUN = "./scripts/run"


def examples_of(text):
    """What a README shows, in its order: the names and contents of files, and commands with the lines that they must print, if it
    shows them. Triples; the first is a name or None."""
    for block in BLOCK.finditer(text):
        kind, content = block["kind"], block["text"]
        file = FILE.match(content)
        if file and kind not in ("sh", "console"):
            yield file[1], content, []
        if kind not in ("sh", "console"):
            continue
        lines = content.splitlines()
        starts = [i for i, line in enumerate(lines) if kind == "sh" or line.startswith("$ ")]
        for start, end in itertools.zip_longest(starts, starts[1:]):
            command = lines[start].removeprefix("$ ").strip()
            printed = lines[start + 1:end] if kind == "console" else []
            if command.startswith(("build/bin/assay", WHOLE_RUN)) or (command.startswith("assay ") and printed):
                yield None, command, printed


def wanted_status(line):
    found = re.search(r"#.*\bexit (\d+)", line)
    return int(found.group(1)) if found else 0


def comparable(line, command):
    """The line without the parts that differ between runs."""
    line = re.sub(r"[\d.]+ s\b", "# s", line.rstrip())
    line = re.sub(r"([.]cpp):\d+", r"\1:#", line)
    line = re.sub(r"\d+ of unclaimed areas", "# of unclaimed areas", line)
    return re.sub(r"\d+", "#", re.sub(r" +", " ", line)) if command.startswith(WHOLE_RUN) else line


def first_difference(wanted, printed, command):
    """The first expected line that is missing at its position; None if there is none."""
    wanted, printed = ([comparable(line, command) for line in lines] for lines in (wanted, printed))
    at = 0
    gap = False
    for line in wanted:
        if line == ANY_LINES:
            gap = True
            continue
        found = at if not gap and at < len(printed) and printed[at] == line else None
        if gap:
            found = next((i for i in range(at, len(printed)) if printed[i] == line), None)
        if found is None:
            return line
        at, gap = found + 1, False
    return None if gap or at == len(printed) else "nothing more, but it prints: " + printed[at]


def holds_in_torch(condition="True"):
    return subprocess.run(["python3", "-c", f"import sys, torch; sys.exit(not ({condition}))"],
                          capture_output=True).returncode == 0


def prepare(folder, build):
    """The working folder of a reader: the built program, and the sources' adapters."""
    (folder / "build").mkdir()
    (folder / "build" / "bin").symlink_to(build / "bin")
    for name in ("harness", "suites"):
        (folder / name).symlink_to(ROOT / name)
    plugin = next(build.rglob("libassay_reference_plugin.so"), None)
    if plugin:
        (folder / "my_runtime.so").symlink_to(plugin)
    shutil.copy(ROOT / "harness/adapters/torch/tests/pretended_backend.py", folder / "torch_npu.py")


def write_files_of(text, folder):
    """The reader's own runtime: the code in the README, or a complete one. Of several files of a name, the first."""
    shutil.copy(ROOT / "harness/adapters/stranger/amp_subject.py", folder / "my_runtime.py")
    for name, content, _ in reversed(list(examples_of(text))):
        if name:
            (folder / name).write_text(content, encoding="utf-8")


def reason_to_leave_out(line, folder):
    if re.search(r'--subject "?torch\b', line) and not holds_in_torch():
        return "PyTorch is not installed"
    if "torch --device cuda" in line and not holds_in_torch("torch.cuda.is_available()"):
        return "PyTorch has no CUDA device"
    if "my_runtime.so" in line and not (folder / "my_runtime.so").exists():
        return "no plugin was built"
    return None


def ran_as_shown(command, folder):
    words = shlex.split(command, comments=True)
    if words[0] == WHOLE_RUN:
        words = ["build/bin/assay", "run", *words[1:]]
    if "torch_npu" in command and not holds_in_torch("hasattr(torch.utils, 'rename_privateuse1_backend')"):
        words = [word.replace("--device npu", "--device privateuseone") for word in words]  # which takes no name yet
    path = os.environ["PATH"]
    if words[0] == "assay":  # which then names itself so in what it prints
        path = f"{folder / 'build' / 'bin'}:{path}"
    reader = {**os.environ, "PYTHONPATH": str(folder), "PRETENDED_BACKEND": "npu", "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=1500, env=reader)


def complaint_about(command, wanted, result):
    if result.returncode != wanted_status(command):
        return f"ended with {result.returncode}\n{result.stdout[-700:]}{result.stderr[-700:]}"
    difference = first_difference(wanted, result.stdout.splitlines(), command) if wanted else None
    if difference is not None:
        return f"the README shows: {difference}\n  the program prints:\n{result.stdout[-3000:]}"
    return None


def fixed(text, command, wanted, result):
    printed = [line.rstrip() for line in result.stdout.splitlines()]
    if wanted[0] == ANY_LINES:
        printed = [ANY_LINES, *printed[len(printed) + 1 - len(wanted):]]
    return text.replace("\n".join(["$ " + command, *wanted]), "\n".join(["$ " + command, *printed]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="the build folder")
    parser.add_argument("readme", type=pathlib.Path, nargs="*", help="only these, not every README.md")
    parser.add_argument("--fix", action="store_true", help="write what is printed into the READMEs")
    options = parser.parse_args()
    failures = ran = 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        prepare(folder, options.build.resolve())
        for readme in [path.resolve() for path in options.readme] or sorted(ROOT.rglob("README.md")):
            if any(part.startswith(("build", ".")) for part in readme.relative_to(ROOT).parts[:-1]):
                continue
            text = readme.read_text(encoding="utf-8")
            write_files_of(text, folder)
            for name, command, wanted in examples_of(text):
                if name:
                    (folder / name).write_text(command, encoding="utf-8")
                    continue
                reason = reason_to_leave_out(command, folder)
                if reason:
                    print(f"left out: {command} ({reason})")
                    continue
                ran += 1
                result = ran_as_shown(command, folder)
                complaint = complaint_about(command, wanted, result)
                if complaint and options.fix and wanted and result.returncode == wanted_status(command):
                    text = fixed(text, command, wanted, result)
                    readme.write_text(text, encoding="utf-8")
                    print(f"{readme.relative_to(ROOT)}: fixed: {command}")
                elif complaint:
                    failures += 1
                    print(f"{readme.relative_to(ROOT)}: {command}\n  {complaint}")
    print(f"{ran} examples ran, {failures} failed")
    return 1 if failures or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
