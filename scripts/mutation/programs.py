"""Programs of mutants: their sources, what of them compiles, and their files."""

import json
import re

import cpp_text
import mutants
import mutations

# In compilers' messages, a mutant's code is in a file of its name.
OWN_FILE = "mutant/"
ERROR = re.compile(r": (?:fatal )?error: ")
OF_MUTANT = re.compile(OWN_FILE + r"(\S+?):\d+:\d+: ")
CONTEXT = re.compile(r":\d+:\d+:   (?:required|in '?constexpr|recursively)| In (?:instantiation|substitution|lambda|member|function)")


class Edit:
    """A mutation in the words of mutants.py."""

    def __init__(self, source, mutation):
        self.fault, self.start, self.end = mutation.name, mutation.start, mutation.end
        self.function = source.functions[mutation.function]
        lines = source.text.count("\n", self.start, self.end)
        self.text = (cpp_text.on_one_line(mutation.text) + (" " if self.start == self.end else "")) + "\n" * lines


class Words(mutants.Words):
    """Numbers the functions, and gives the code of each mutant a file of its own name."""

    include = '#include "harness/cli/mutant/reached.hpp"\n'

    def __init__(self, numbers):
        self.numbers = numbers

    def asked(self, source, body):
        return f"::assay::mutant::fault_in({self.numbers[source.path, source.functions.index(body)]})"

    def after(self, source, body):
        return "::assay::mutant::runs_off();" if mutations.must_not_end(source, body) else "break;"

    def line_directive(self, source, position, fault):
        return f'#line {source.line_of(position)} "{OWN_FILE}{fault}"\n'


def blamed(messages):
    """The names of the mutants whose code the compiler's errors are about."""
    found, around = set(), None
    for line in messages.splitlines():
        own = OF_MUTANT.search(line)
        if ERROR.search(line):
            if own or around:
                found.add(own[1] if own else around)
            around = None
        elif own and CONTEXT.search(line):
            around = own[1]
    return found


class Program:
    def __init__(self, root, folder, drawn):
        self.root, self.folder, self.mutants = root, folder, list(drawn)
        self.sources = folder / "generated/mutants"
        self.binary, self.rows = folder / "program", folder / "mutants.jsonl"
        self.reach, self.kills, self.dropped = folder / "reach.jsonl", folder / "kills.json", folder / "dropped.txt"
        self.twins = folder / "twins.txt"
        mutants.refuse_twins({each.name for each in drawn})
        if self.dropped.exists():
            self.without(set(self.dropped.read_text(encoding="utf-8").split()))

    def numbers(self):
        functions = sorted({(each.file, each.function) for each in self.mutants})
        return {function: number for number, function in enumerate(functions)}

    def headers(self):
        return sorted({each.file for each in self.mutants if each.file.endswith(".hpp")})

    def write(self):
        words = Words(self.numbers())
        for path in sorted({each.file for each in self.mutants}):
            source = mutations.source_of(self.root, path)
            edits = [Edit(source, each) for each in self.mutants if each.file == path]
            mutants.write_if_changed(self.sources / path, mutants.with_switches(source, edits, words))
        for path in self.sources.rglob("*.?pp"):  # of a file that has lost all its mutants
            if not any(each.file == path.relative_to(self.sources).as_posix() for each in self.mutants):
                path.unlink()

    def drop(self, messages):
        guilty = blamed(messages)
        dropped = [each.name for each in self.mutants if each.name in guilty]
        self.without(guilty)
        with self.dropped.open("a", encoding="utf-8") as file:
            file.writelines(name + "\n" for name in dropped)
        return dropped

    def without(self, names):
        self.mutants = [each for each in self.mutants if each.name not in names]

    def save(self):
        numbers = self.numbers()
        lines = [json.dumps({**each._asdict(), "function": numbers[each.file, each.function]}) for each in self.mutants]
        self.rows.write_text("".join(line + "\n" for line in lines), encoding="utf-8")

    def load(self):
        rows = [json.loads(line) for line in self.rows.read_text(encoding="utf-8").splitlines()]
        kept = {row["name"] for row in rows}
        self.mutants = [each for each in self.mutants if each.name in kept]
