#!/usr/bin/env python3
"""Two witnesses: fails where reference/ and cuda_impl/ share a run of lines or a comment, since a mistake in it would be in both.

`witnesses.py [FOLDER]`: FOLDER is another checkout. Left out: subject/, which only carries messages; on_cpu/, which stands in for
CUDA's runtime; and lines that follow from PyTorch's own names, such as enumerators, fields, declarations and texts of errors."""

import pathlib
import re
import sys
from collections import defaultdict

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
ROOT = ROOT if len(sys.argv) > 1 else ROOT.parents[2]
SIDES = ("reference", "cuda_impl")
LEFT_OUT = ("subject", "on_cpu")
RUN = 5  # lines
SHORTEST_COMMENT = 40  # characters

NOT_LOGIC = re.compile(
    r"[\W\d]*"                                # punctuation
    r"|#.*|(.* )?namespace.*|using .*|template <.*|(public|private|default|case .*):"
    r"|(\} )?else( \{)?|break;|return;|return [\w:\". ]*;"
    r"|\w+( = [^(]*)?,?"                      # an enumerator
    r"|[\w:<>,*& ]+ \w+( = [^()]*|\{.*\})?;"  # a field
    r"|(?!return |throw )(explicit )?([\w:<>,*&~ \[\]]+ )?~?\w+\((\)|.*[\w>&*] \w+\)|.*&&?\))( const)?( noexcept)?( override)?( = \w+)?(;| \{)"  # a declaration
    r'|.*".*'                                 # a text
)


def sources(side):
    for path in sorted((ROOT / side).rglob("*")):
        parts = path.relative_to(ROOT).parts
        if path.suffix in (".cpp", ".hpp", ".cu", ".cuh") and not set(parts) & set(LEFT_OUT):
            yield str(path.relative_to(ROOT)), path.read_text().splitlines()


def logic(lines):
    """(number, text) of each line that contains logic."""
    for number, line in enumerate(lines, 1):
        code = " ".join(line.split("//")[0].split())
        if not NOT_LOGIC.fullmatch(code):
            yield number, code


def comments(lines):
    """(number, text) of each sentence that is too long to be equal by chance."""
    for number, line in enumerate(lines, 1):
        text = line.partition("//")[2].strip("/< ")
        if len(text) >= SHORTEST_COMMENT:
            yield number, text


def runs(lines, length):
    lines = list(lines)
    for start in range(len(lines) - length + 1):
        part = lines[start : start + length]
        yield part[0][0], tuple(text for _, text in part)


def shared(pick, length):
    """Each location of the second side with an equal one of the first; only the first of overlapping runs."""
    known = defaultdict(list)
    for file, lines in sources(SIDES[0]):
        for number, run in runs(pick(lines), length):
            known[run].append(f"{file}:{number}")
    for file, lines in sources(SIDES[1]):
        last = -length
        for at, (number, run) in enumerate(runs(pick(lines), length)):
            if run in known and at >= last + length:
                last = at
                yield f"{file}:{number}", known[run][0], run[0]


def main():
    found = []
    for what, pick, length in (("logic", logic, RUN), ("a comment", comments, 1)):
        for place, other, text in shared(pick, length):
            found.append(f"{place} shares {what} with {other}: {text}")
    print("\n".join(found) if found else "reference/ and cuda_impl/ share no logic and no comment")
    sys.exit(1 if found else 0)


main()
