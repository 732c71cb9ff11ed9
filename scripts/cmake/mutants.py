#!/usr/bin/env python3
"""Generates the sources of the mutants: copies of the sources that also contain the faults of suites/faults/*.toml.

    mutants.py check                    reports every change whose text does not occur exactly once
    mutants.py list                     lists the files that have changes
    mutants.py write FOLDER [FILE ...]  writes the changed copies of these files to FOLDER

A function with faults becomes a switch: one body for each fault, and the original body. So faults of one function do not
interfere. Outside of functions a change can only add whole declarations, which exist whichever fault is enabled."""

import collections
import difflib
import pathlib
import sys
import tomllib

import cpp_text

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE, ASKED = '#include "harness/cli/mutant/switch.hpp"\n', "::assay::mutant::fault()"


class Refused(Exception):
    pass


class Change:
    """One change of a fault: these tokens of this file are replaced by this text."""

    def __init__(self, fault, said):
        if missing := [key for key in ("file", "was", "becomes") if not isinstance(said.get(key), str)]:
            raise Refused(f"fault '{fault}': a change needs \"file\", \"was\" and \"becomes\"; \"{missing[0]}\" is missing")
        self.fault, self.file, self.was, self.becomes = fault, said["file"], said["was"], said["becomes"]


def changes_of(rows):
    """The changes of all faults: a row is one change, or has a list of changes."""
    found = []
    for row in rows:
        found += [Change(row["name"], change) for change in row.get("change", [row])]
    return found


def rows_in(folder):
    rows = []
    for path in sorted(folder.glob("*.toml")):
        try:
            rows += tomllib.loads(path.read_text(encoding="utf-8")).get("fault", [])
        except tomllib.TOMLDecodeError as error:
            raise Refused(f"{path.name}: {error}") from error
    return rows


class Source:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tokens = cpp_text.tokens_of(text)
        self.words = [token.text for token in self.tokens]
        self.functions, self.starts = cpp_text.declarations_of(text, self.tokens)

    def line_of(self, position):
        return self.text.count("\n", 0, position) + 1

    def places_of(self, was):
        words = [token.text for token in cpp_text.tokens_of(was)]
        return [at for at in range(len(self.words) - len(words) + 1) if self.words[at:at + len(words)] == words], len(words)

    def nearest(self, was):
        """The lines that are most similar to the text."""
        height = was.strip().count("\n") + 1
        lines = self.text.splitlines()
        wanted = was.split()
        def likeness(at):
            return difflib.SequenceMatcher(None, " ".join(lines[at:at + height]).split(), wanted).ratio()
        best = max(range(max(1, len(lines) - height + 1)), key=likeness)
        return f"{self.path}:{best + 1}:\n" + "\n".join(lines[best:best + height])

    def place(self, change):
        """The first and last token that the change replaces."""
        places, length = self.places_of(change.was)
        if not length:
            raise Refused(f"fault '{change.fault}': 'was' for {self.path} is empty")
        if not places:
            raise Refused(f"fault '{change.fault}': {self.path} does not contain\n{change.was.strip()}\nThe nearest is {self.nearest(change.was)}")
        if len(places) > 1:
            lines = ", ".join(str(self.line_of(self.tokens[at].start)) for at in places)
            raise Refused(f"fault '{change.fault}': {self.path} contains this {len(places)} times, in lines {lines}; add text to it:\n"
                          + change.was.strip())
        return places[0], places[0] + length - 1

    def function_around(self, first, last):
        return next((body for body in self.functions if body[0] < first and last < body[1]), None)


class Edit:
    """A located change. Its text has as many lines as the replaced text, so that later lines keep their numbers."""

    def __init__(self, source, change):
        self.fault = change.fault
        first, last = source.place(change)
        self.start, self.end = source.tokens[first].start, source.tokens[last].end
        self.function = source.function_around(first, last)
        if self.function is None:
            self.start, self.text = added(source, change, first, last)
            self.end = self.start
        else:
            self.text = cpp_text.on_one_line(change.becomes) + "\n" * source.text.count("\n", self.start, self.end)


def added(source, change, first, last):
    """The text that a change outside of functions adds, and its position."""
    was, becomes = source.words[first:last + 1], cpp_text.tokens_of(change.becomes)
    words = [token.text for token in becomes]
    if len(words) > len(was) and words[:len(was)] == was:
        text = change.becomes[becomes[len(was) - 1].end:]
        refuse_in_every_mutant(source, change, last + 1, text)
        return source.tokens[last].end, text
    if len(words) > len(was) and words[-len(was):] == was:
        text = change.becomes[:becomes[-len(was)].start]
        refuse_in_every_mutant(source, change, first, text)
        return source.tokens[first].start, text
    raise Refused(f"fault '{change.fault}': in {source.path}, outside of functions, text can only be added, before or after\n"
                  + change.was.strip())


def refuse_in_every_mutant(source, change, at, text):
    """Text that is added outside of functions is in all mutants: it must be whole declarations, between declarations."""
    if any(opening < at <= closing for opening, closing in source.functions):
        raise Refused(f"fault '{change.fault}': in {source.path}, 'was' begins inside a function and ends behind it, or the reverse, so "
                      f"that its text would be in every mutant; let it begin and end in the function\n{change.was.strip()}")
    whole = cpp_text.tokens_of(text)[-1].text in (";", "}") or text.strip().splitlines()[-1].startswith("#include")
    if at not in source.starts or not whole:
        raise Refused(f"fault '{change.fault}': in {source.path}, outside of functions, only whole declarations can be added, between "
                      f"two others, because they are in every mutant; this is none:\n{text.strip()}")


def line_directive(source, position):
    return f'#line {source.line_of(position)} "{ROOT / source.path}"\n'


def with_edits(source, start, end, edits):
    """The text from start to end, edited."""
    pieces = []
    for edit in sorted(edits, key=lambda edit: edit.start):
        if edit.start < start:
            raise Refused(f"fault '{edit.fault}': two of its changes in {source.path} overlap in line {source.line_of(edit.start)}")
        pieces += [source.text[start:edit.start], edit.text]
        start = edit.end
    return "".join(pieces) + source.text[start:end]


def number_of(fault):
    """The same hash as in harness/cli/mutant/switch.hpp."""
    number = 2166136261
    for byte in fault.encode():
        number = (number ^ byte) * 16777619 % 2**32
    return number


def rewritten_function(source, body, edits, words):
    opening, end = source.tokens[body[0]].end, source.tokens[body[1]].start
    here = line_directive(source, opening)
    by_fault = collections.defaultdict(list)
    for edit in edits:
        by_fault[edit.fault].append(edit)
    text = f"\nswitch ({words.asked(source, body)}) {{\n"
    for fault, own in by_fault.items():
        begins = words.line_directive(source, opening, fault)
        text += f"case {number_of(fault)}U: {{  // {fault}\n{begins}{with_edits(source, opening, end, own)}\n}} {words.after(source, body)}\n"
    return text + f"default: {{\n{here}{source.text[opening:end]}\n}}\n}}\n{line_directive(source, end)}"


class Words:
    """What a rewritten source says beside its code."""

    include = INCLUDE

    def asked(self, _source, _body):
        """The number of the fault that is switched on."""
        return ASKED

    def after(self, _source, _body):
        """What follows the code of a fault."""
        return "break;"

    def line_directive(self, source, position, _fault):
        return line_directive(source, position)


def rewritten(source, changes):
    return with_switches(source, [Edit(source, change) for change in changes])


def with_switches(source, edits, words=Words()):
    inside, outside = collections.defaultdict(list), collections.defaultdict(dict)
    for edit in edits:
        if edit.function is None:
            outside[edit.start][edit.text.strip()] = edit  # two faults may need the same declaration
        else:
            inside[edit.function].append(edit)
    parts = [(at, at, "\n" + "\n".join(texts) + "\n" + line_directive(source, at)) for at, texts in outside.items()]
    parts += [(source.tokens[body[0]].end, source.tokens[body[1]].start, rewritten_function(source, body, own, words))
              for body, own in inside.items()]
    pieces, last = [words.include, f'#line 1 "{ROOT / source.path}"\n'], 0
    for start, end, text in sorted(parts):
        pieces += [source.text[last:start], text]
        last = end
    return "".join(pieces) + source.text[last:]


def refuse_twins(faults):
    by_number = {}
    for fault in sorted(faults):
        if (twin := by_number.setdefault(number_of(fault), fault)) != fault:
            raise Refused(f"faults '{twin}' and '{fault}' have the same number; rename one")


def write_if_changed(path, text):
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def sources_of(root, changes):
    by_file = collections.defaultdict(list)
    for change in changes:
        by_file[change.file].append(change)
    for path, own in sorted(by_file.items()):
        if not (root / path).is_file():
            raise Refused(f"fault '{own[0].fault}': there is no file {path}")
        yield Source(path, (root / path).read_text(encoding="utf-8")), own


def made_from(root, changes):
    """All files with changes, rewritten. Reports all errors at once."""
    made, wrong = {}, []
    for source, own in sources_of(root, changes):
        try:
            made[source.path] = rewritten(source, own)
        except Refused as error:
            wrong.append(str(error))
    if wrong:
        raise Refused("\n\n".join(wrong))
    return made


def main(arguments):
    try:
        changes = changes_of(rows_in(ROOT / "suites/faults"))
        refuse_twins({change.fault for change in changes})
        if arguments == ["list"]:
            print("\n".join(sorted({change.file for change in changes})))
            return 0
        made = made_from(ROOT, changes)
    except Refused as error:
        print(error, file=sys.stderr)
        return 1
    if arguments == ["check"]:
        print(f"{len(changes)} changes of {len({change.fault for change in changes})} faults are in place in {len(made)} files")
        return 0 if changes else 1
    if len(arguments) == 2 and arguments[0] == "write":
        for path, text in made.items():
            write_if_changed(pathlib.Path(arguments[1]) / path, text)
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
