#!/usr/bin/env python3
"""Holds the excerpts in CONTRIBUTING.md to their files: a block that opens with ```LANGUAGE PATH must be found in PATH, word for
word; `…` on a line of its own stands for any lines.
Usage: excerpts.py [DOCUMENT]"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.M | re.S)


def complaints_of(document):
    text = document.read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    if not blocks:
        yield f"{document}: it has no excerpt"
    for path, excerpt in blocks:
        file = ROOT / path
        if not file.is_file():
            yield f"{document}: there is no file {path}"
            continue
        rest = file.read_text(encoding="utf-8")
        for part in excerpt.split("…\n"):
            before, found, rest = rest.partition(part)
            if not found:
                yield f"{document}: {path} does not contain these lines:\n{part}"
                break


def main():
    found = list(complaints_of(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "CONTRIBUTING.md"))
    print("\n".join(found) if found else "Every excerpt is in its file")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
