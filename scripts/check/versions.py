#!/usr/bin/env python3
"""Checks that CMakeLists.txt, the subjects, CHANGELOG.md and the example's workflow agree on the released and the next version."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUBJECTS = ("reference/subject/reference_subject.cpp", "cuda_impl/subject/subject.cpp")
SECTION = re.compile(r"^## (?:Unreleased|(\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d)\n(.*?)(?=^## |\Z)", re.M | re.S)


def found(path, pattern):
    """The text found in the file; None unless it occurs exactly once."""
    matches = re.findall(pattern, (ROOT / path).read_text(encoding="utf-8"))
    return matches[0] if len(matches) == 1 else ""


def number(version):
    return tuple(map(int, version.split(".")))


def complaints(version, subjects, sections, example):
    """`sections` are pairs of a version (empty if unreleased) and its text, newest first."""
    for path, theirs in subjects.items():
        if theirs != version:
            yield f"{path}: version '{theirs}', and CMakeLists.txt has {version}"
    released = [name for name, _ in sections if name]
    if not released or sorted(released, key=number, reverse=True) != released:
        yield "CHANGELOG.md: no released version, or not the newest first"
        return
    waiting = any("\n- " in text for name, text in sections if not name)
    if waiting and number(version) <= number(released[0]):
        yield f"CHANGELOG.md: there are changes since {released[0]}, so CMakeLists.txt must have the next version, and has {version}"
    if not waiting and version != released[0]:
        yield f"CHANGELOG.md: nothing has changed since {released[0]}, and CMakeLists.txt has {version}"
    if example not in [version, *released]:
        yield f"the example's workflow takes v{example}, which is neither this version nor a released one"


def main():
    version = found("CMakeLists.txt", r"project\(assay VERSION (\S+)")
    subjects = {path: found(path, r'kVersion = "([^"]*)"') for path in SUBJECTS}
    sections = SECTION.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    example = found("harness/subject/example/ci/conformance.yml", r"ASSAY: \S+/v[\d.]+/torch_assay-([\d.]+)-\S+\.whl")
    lines = list(complaints(version, subjects, sections, example))
    print("\n".join(lines) or f"{version} is this version or the next one")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
