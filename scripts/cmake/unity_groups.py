#!/usr/bin/env python3
"""Groups the sources that may be compiled as one: lines `SOURCE GROUP`, for scripts/cmake/unity.cmake.

The private names of a file (in its unnamed namespace, `static`, aliases and constants at namespace scope) must not occur in the
other files of its group, nor in headers that only those include. These headers must not declare, in another namespace, a name
that the file uses from its own. Then every name refers to the same function as if the file were compiled alone.
"""

import collections
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("harness", "reference", "suites", "cuda_impl")
LARGEST_GROUP = 20

NOT_CODE = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*(?:.|\n)*?\*/|__attribute__\(\(.*?\)\)')
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
WORD = re.compile(r"(?<![.>])(?<!std::)\b[A-Za-z_]\w*")  # no members, no names of the standard library
CALL = re.compile(WORD.pattern + r"(?=[(<])")
TYPE = re.compile(r"\b(?:struct|class|union|enum) (?:class )?(\w+)")
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  namespace$", re.MULTILINE | re.DOTALL)
# A declaration at namespace scope, up to the end of its name: in clang-format's layout only these begin in the first column.
DECLARATION = re.compile(r"^(?![#}\s]|namespace|template)([^;{=(]|operator\()+", re.MULTILINE)
PRIVATE_ANYWHERE = re.compile(r"^(static|const|constexpr|using|inline constexpr)\b")
# These change the lookup of names: only files with the same ones may be in a group.
LOOKUP = re.compile(r"^using (?:enum|namespace) [^;]+", re.MULTILINE)
# A file with one of these is compiled alone.
ALONE = re.compile(r"^#\s*(define|undef|pragma)\b|^template <>", re.MULTILINE)
# The names that these macros create contain the test's name, which is unique in the program.
MADE_BY_TEST = re.compile(r"[A-Z_]*TEST[A-Z_]*$")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{$", re.MULTILINE)


class Source:
    def __init__(self, path):
        raw = path.read_text(encoding="utf-8")
        text = code_of(raw)
        self.path = path.relative_to(ROOT).as_posix()
        self.words = words_in(text)
        self.headers = frozenset().union(*(with_its_headers(name) for name in INCLUDE.findall(raw)))
        self.all_words = self.words.union(*(words_of(header) for header in self.headers))
        self.private = private_names(text)
        self.places = collections.defaultdict(set)  # name -> namespaces
        for where, name in declarations_in(text).union(*(declared_by(header) for header in self.headers)):
            self.places[name].add(where)
        self.lookup = frozenset(LOOKUP.findall(text))
        self.alone = bool(ALONE.search(text)) or "operator" in self.private

    def disturbs(self, other):
        """Whether a private name of this file occurs in the other one."""
        theirs = other.headers - self.headers
        for name, how in self.private.items():
            if how.startswith("using ") and other.private.get(name) == how:
                continue
            word = "call " + name if how == "call " else name
            if name in other.private or word in other.words:
                return True
            if word in other.all_words and any(word in words_of(header) for header in theirs):
                return True
        return any(self.has_elsewhere(name, where) for header in theirs for where, name in declared_by(header))

    def has_elsewhere(self, name, where):
        return name in self.words and self.places.get(name, {where}) != {where}

    def cannot_join(self, other):
        return self.lookup != other.lookup or self.disturbs(other) or other.disturbs(self)


def replaced(text):
    if text == "// namespace":
        return "namespace"
    return "" if text.startswith(("/", "_")) else '""'


def code_of(text):
    """The code without literals and comments, except the comment at the end of an unnamed namespace."""
    return NOT_CODE.sub(lambda match: replaced(match[0]), text)


def private_names(text):
    """The private names: name -> "call " for a function, the declaration for an alias, otherwise empty."""
    names = {}
    unnamed = [match.span(1) for match in UNNAMED.finditer(text)]
    for match in DECLARATION.finditer(text):
        if MADE_BY_TEST.match(match[0]):
            continue
        inside = any(start <= match.start() < end for start, end in unnamed)
        if inside or PRIVATE_ANYWHERE.match(match[0]):
            how = "call " if text[match.end() : match.end() + 1] == "(" else ""
            whole = text[match.start() : text.find(";", match.end())]
            names[name_of(match[0])] = whole if match[0].startswith("using ") else how
    return names


def words_in(text):
    """Every word; words that are called also with the prefix "call "."""
    return frozenset(WORD.findall(text)) | frozenset("call " + word for word in CALL.findall(text))


def name_of(declaration):
    """The declared name: the last word that is not a template argument or an array size; all operators share one name."""
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
    """The header and the headers that it includes, directly or indirectly."""
    path = ROOT / name
    if not path.is_file():
        return frozenset()
    found = {name}
    for inner in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if inner not in found:
            found |= with_its_headers(inner)
    return frozenset(found)


def declarations_in(text):
    """The declarations at namespace scope: pairs of the namespace and the name."""
    spaces = [(match.start(), match[1]) for match in NAMESPACE.finditer(text)]
    found = [(match.start(), name_of(match[0])) for match in DECLARATION.finditer(text) if not MADE_BY_TEST.match(match[0])]
    return {(max((space for space in spaces if space[0] < start), default=(0, ""))[1], name) for start, name in found}


@functools.cache
def declared_by(header):
    return declarations_in(code_of((ROOT / header).read_text(encoding="utf-8")))


@functools.cache
def words_of(header):
    return words_in(code_of((ROOT / header).read_text(encoding="utf-8")))


def grouped(sources):
    """Few groups of sources; the sources with the fewest possible partners are placed first."""
    sources = [source for source in sources if not source.alone]
    apart = {source: [other for other in sources if other is not source and source.cannot_join(other)] for source in sources}
    groups = []
    for source in sorted(sources, key=lambda source: -len(apart[source])):
        for group in groups:
            if len(group) < LARGEST_GROUP and not any(other in group for other in apart[source]):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def target_folder(path):
    """The folder whose CMakeLists.txt defines the file's target."""
    return next(folder for folder in path.parents if (folder / "CMakeLists.txt").is_file())


def main():
    folders = collections.defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.cpp")):
            name = target_folder(path).relative_to(ROOT).as_posix().replace("/", "_")
            folders[name + ("_test" if path.name.endswith("_test.cpp") else "")].append(Source(path))
    for folder, sources in folders.items():
        for number, group in enumerate(grouped(sources)):
            if len(group) > 1:
                for source in group:
                    print(source.path, f"{folder}_{number}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
