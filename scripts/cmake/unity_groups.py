#!/usr/bin/env python3
"""Says which sources may be compiled as one: lines `SOURCE GROUP`, for scripts/cmake/unity.cmake.

What a file keeps to itself (its unnamed namespace, `static`, aliases and constants at namespace scope) must mean nothing in
the other files of its group: none of them, and no header of theirs that the first lacks, mentions such a name. So no call
finds another function than it does where the file is compiled alone.
"""

import collections
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("harness", "reference", "suites", "cuda_impl")
LARGEST_GROUP = 20

NOT_CODE = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*(?:.|\n)*?\*/')
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
WORD = re.compile(r"(?<![.>])(?<!std::)\b[A-Za-z_]\w*")  # no member, and nothing of the standard library
CALL = re.compile(WORD.pattern + r"(?=[(<])")
TYPE = re.compile(r"\b(?:struct|class|union|enum) (?:class )?(\w+)")
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  namespace$", re.MULTILINE | re.DOTALL)
# One declaration at namespace scope, up to its name's end: clang-format begins them, and nothing else, in the first column.
DECLARATION = re.compile(r"^(?![#}\s]|namespace|template)([^;{=(]|operator\()+", re.MULTILINE)
PRIVATE_ANYWHERE = re.compile(r"^(static|const|constexpr|using|inline constexpr)\b")
# These say how names are looked up, or stand for others: such a file is compiled alone.
ALONE = re.compile(r"^using (enum|namespace)\b|^#\s*(define|undef|pragma)\b|^template <>", re.MULTILINE)
CASES = re.compile(r"^CASES\(")


class Source:
    def __init__(self, path):
        raw = path.read_text(encoding="utf-8")
        text = code_of(raw)
        self.path = path.relative_to(ROOT).as_posix()
        self.words = words_in(text)
        self.headers = frozenset().union(*(with_its_headers(name) for name in INCLUDE.findall(raw)))
        self.private = private_names(text)
        self.alone = bool(ALONE.search(text)) or "operator" in self.private

    def disturbs(self, other):
        """Whether a name that is this file's own means something to the other."""
        theirs = other.headers - self.headers
        for name, how in self.private.items():
            if how.startswith("using ") and other.private.get(name) == how:
                continue
            word = "call " + name if how == "call " else name
            if name in other.private or word in other.words or any(word in words_of(header) for header in theirs):
                return True
        return False


def replaced(text):
    if text == "// namespace":
        return "namespace"
    return "" if text.startswith("/") else '""'


def code_of(text):
    """Without comments, but where an unnamed namespace ends, and without what is in literals."""
    return NOT_CODE.sub(lambda match: replaced(match[0]), text)


def private_names(text):
    """What nobody outside the file can call: name -> "call " for a function, the declaration for an alias, else nothing."""
    names = {f"cases_{number}": "" for number, line in enumerate(text.split("\n"), 1) if CASES.match(line)}
    unnamed = [match.span(1) for match in UNNAMED.finditer(text)]
    for match in DECLARATION.finditer(text):
        inside = any(start <= match.start() < end for start, end in unnamed)
        if inside or PRIVATE_ANYWHERE.match(match[0]):
            how = "call " if text[match.end() : match.end() + 1] == "(" else ""
            whole = text[match.start() : text.find(";", match.end())]
            names[name_of(match[0])] = whole if match[0].startswith("using ") else how
    return names


def words_in(text):
    """Every word, and once more behind "call " where it is called."""
    return frozenset(WORD.findall(text)) | frozenset("call " + word for word in CALL.findall(text))


def name_of(declaration):
    """The last word, of those that are no argument of a template and no size of an array; all operators have one name."""
    if re.search(r"\boperator\b", declaration):
        return "operator"
    if made := TYPE.match(declaration):
        return made[1]
    shorter = re.sub(r"\[[^\]]*\]", " ", declaration)
    while (without := re.sub(r"<[^<>]*>", " ", shorter)) != shorter:
        shorter = without
    words = WORD.findall(shorter)
    return words[-1] if words else ""


@functools.cache
def with_its_headers(name):
    """The header and all that it includes."""
    path = ROOT / name
    if not path.is_file():
        return frozenset()
    found = {name}
    for inner in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if inner not in found:
            found |= with_its_headers(inner)
    return frozenset(found)


@functools.cache
def words_of(header):
    return words_in(code_of((ROOT / header).read_text(encoding="utf-8")))


def grouped(sources):
    """The sources in the fewest groups that are found by taking one after the other."""
    groups = []
    for source in sources:
        if source.alone:
            continue
        for group in groups:
            if len(group) < LARGEST_GROUP and not any(source.disturbs(other) or other.disturbs(source) for other in group):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def main():
    folders = collections.defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.cpp")):
            folders[path.parent.relative_to(ROOT).as_posix(), path.name.endswith("_test.cpp")].append(Source(path))
    for (folder, is_test), sources in folders.items():
        for number, group in enumerate(grouped(sources)):
            if len(group) > 1:
                for source in group:
                    print(source.path, re.sub(r"\W", "_", folder) + ("_test" if is_test else "") + f"_{number}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
