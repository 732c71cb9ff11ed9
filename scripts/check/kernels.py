#!/usr/bin/env python3
"""Checks what nvcc and ptxas made of the kernels in assay-cuda, without a GPU: kernels.py CUOBJDUMP PROGRAM [TABLE] [--renew]

Its PTX must not flush subnormal numbers, approximate, add floating point numbers atomically, or leave the rounding of a product or
a sum open, which lets ptxas fuse the two. Multiply-adds that are rounded once, registers and stack must be within TABLE
(cuda_impl/on_gpu/kernels.txt). --renew writes the table anew and keeps its reasons. Exits with 1 if something is wrong, with 2 if
cuobjdump is missing or cannot read the program.
"""

import argparse
import collections
import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "cuda_impl/on_gpu/kernels.txt"
FORBIDDEN = {
    r"[\w.]*\.ftz\b[\w.]*": "flushes subnormal numbers",
    r"[\w.]*\.(approx|full)\b[\w.]*": "approximates",
    r"(add|sub|mul|mad)(\.sat)?\.(f16|f16x2|bf16|bf16x2|f32|f32x2|f64)\b": "leaves its rounding open, so that ptxas may fuse it",
    r"(atom|red)\.[\w.]*add\.[\w.]*(f16|bf16|f32|f64)[\w.]*": "adds in any order, and flushes subnormal numbers",
    r"(wmma|mma|wgmma|tcgen05)\.[\w.]*": "multiplies matrices with roundings that no clause has",
}
FUSED = re.compile(r"(fma|mad)\.r[nzmp]\.[\w.]*")
INSTRUCTION = re.compile(r"\s*(?:\{\s*)?(?:@!?%\w+\s+)?([a-z][\w.:]*)\s")
COLUMNS = ("kernel", "instances", "registers", "stack", "fused")
LEFT_OUT = re.compile(r"^void |\(anonymous namespace\)::|\b(assay|cuda|detail|radix_sort)::")


@dataclasses.dataclass
class Row:
    """All instances of a kernel together: their number, the most registers and bytes of stack of one, and all multiply-adds."""

    instances: int = 0
    registers: int = 0
    stack: int = 0
    fused: int = 0
    reason: str = ""

    def numbers(self):
        return [self.instances, self.registers, self.stack, self.fused]


@dataclasses.dataclass
class Code:
    """One kind of code in the program."""

    versions: set = dataclasses.field(default_factory=set)
    rows: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(Row))


def row_name(readable):
    """A kernel's name without parameters, and of its template arguments the first, if it is a class of ours."""
    kernel, _, rest = LEFT_OUT.sub("", readable).partition("(")[0].partition("<")
    first = re.match(r"([A-Z]\w*)", rest)
    return f"{kernel}<{first[1]}>" if first else kernel


def row_names(mangled):
    said = subprocess.run(["c++filt"], input="\n".join(mangled), capture_output=True, text=True, check=True).stdout
    return dict(zip(mangled, map(row_name, said.splitlines()), strict=True))


class Ptx:
    """Reads what `cuobjdump -ptx` prints."""

    def __init__(self):
        self.of = collections.defaultdict(Code)  # by architecture, with mangled names
        self.bad = collections.Counter()  # by architecture, kernel, module, place, instruction and what is wrong with it
        self.version = self.architecture = self.kernel = ""
        self.place = ("", "")
        self.modules = [{}]  # the names of each module's files, which follow its code

    def read(self, text):
        for line in text.splitlines():
            if line.startswith("."):
                self.read_directive(line)
            elif (found := INSTRUCTION.match(line)) and self.kernel:
                self.judge(found[1])
        return self

    def read_directive(self, line):
        if found := re.match(r"\.version (\S+)", line):
            self.version, self.kernel = found[1], ""
            self.modules.append({})
        elif found := re.match(r"\.target sm_(\d+)", line):
            self.architecture = found[1]
            self.of[found[1]].versions.add(self.version)
        elif found := re.match(r'\.file\s+(\d+) "([^"]*)"', line):
            self.modules[-1][found[1]] = re.sub(r".*/(cuda_impl/|include/)", r"\1", found[2])
        elif found := re.match(r"\.loc\s+(\d+) (\d+)", line):
            self.place = (found[1], found[2])
        elif found := re.match(r"(?:\.\w+ )*\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)", line):
            self.kernel = found[1]
            self.of[self.architecture].rows[self.kernel].instances += 1

    def judge(self, instruction):
        self.of[self.architecture].rows[self.kernel].fused += FUSED.fullmatch(instruction) is not None
        for pattern, wrong in FORBIDDEN.items():
            if re.fullmatch(pattern, instruction):
                self.bad[self.architecture, self.kernel, len(self.modules) - 1, self.place, instruction, wrong] += 1

    def place_in(self, module, place):
        return f"{self.modules[module].get(place[0], 'unknown file')}:{place[1]}"


def read_resources(text):
    """What `cuobjdump --dump-resource-usage` prints, by architecture and mangled name."""
    of, architecture, kernel = collections.defaultdict(Code), "", ""
    for line in text.splitlines():
        if found := re.match(r"arch = sm_(\d+)", line):
            architecture = found[1]
        elif found := re.match(r"\s*Function ([^:]+):", line):
            kernel = found[1]
        elif found := re.match(r"\s*REG:(\d+) STACK:(\d+) ", line):
            of[architecture].rows[kernel] = Row(1, int(found[1]), int(found[2]))
    return of


def together(rows, names):
    """The instances of each kernel as one row."""
    joined = collections.defaultdict(Row)
    for mangled, row in rows.items():
        to = joined[names[mangled]]
        to.instances += row.instances
        to.registers, to.stack, to.fused = max(to.registers, row.registers), max(to.stack, row.stack), to.fused + row.fused
    return joined


class Table:
    """The committed table: what it is of, and its rows by name."""

    def __init__(self, text):
        found = re.search(r"^# Of PTX (\S+) and code for (\d+)\.(\d)", text, re.MULTILINE)
        self.version, self.architecture = (found[1], found[2] + found[3]) if found else ("", "90")
        self.head = "".join(line + "\n" for line in text.splitlines() if line.startswith("#"))
        self.rows = {}
        for line in text.splitlines():
            if line and not line.startswith("#") and line.split()[0] != COLUMNS[0]:
                numbers, _, reason = line.partition("#")
                name, *rest = numbers.split()
                self.rows[name] = Row(*map(int, rest), reason.strip())

    def text(self):
        lines = [line_of(COLUMNS)]
        for name, row in sorted(self.rows.items()):
            lines.append(line_of([name, *row.numbers()]) + (f"  # {row.reason}" if row.reason else ""))
        return self.head + "\n".join(lines) + "\n"


def line_of(words):
    name, *numbers = map(str, words)
    return f"{name:<42}" + "".join(f"{number:>10}" for number in numbers)


def compare(name, row, limit):
    """What is wrong with a kernel whose code is of the table's kind."""
    if limit is None:
        yield f"{name}: it is not in the table"
        return
    for column, number, most in zip(COLUMNS[2:], row.numbers()[1:], limit.numbers()[1:], strict=True):
        if number > most:
            yield f"{name}: {column} {number}, and the table has {most}" + (
                ": registers are spilled, or a local array is new" if column == "stack" else "")
    if limit.fused and not limit.reason:
        yield f"{name}: the table has no reason for its fused multiply-adds"


class Check:
    def __init__(self, ptx, resources, table):
        self.ptx, self.resources, self.table = ptx, resources, table
        kinds = [*ptx.of.values(), *resources.values()]
        self.names = row_names(sorted({mangled for code in kinds for mangled in code.rows}))

    def rows_of_table(self):
        """The program's rows in the code that the table is of, and None if it has no such code."""
        ptx, code = self.ptx.of.get(self.table.architecture), self.resources.get(self.table.architecture)
        if ptx is None or code is None or (self.table.version and ptx.versions != {self.table.version}):
            return None
        rows, fused = together(code.rows, self.names), together(ptx.rows, self.names)
        for name in fused:
            rows[name].fused = fused[name].fused
        return rows

    def complaints(self):
        yield from self.forbidden()
        yield from self.fused_elsewhere()
        if not any(code.rows for code in self.ptx.of.values()):
            yield "the program has no PTX: it was built for devices alone (ASSAY_CUDA_ARCHITECTURES)"
        rows = self.rows_of_table()
        if rows is None:
            yield from self.spilled_elsewhere()
            return
        for name, row in sorted(rows.items()):
            yield from compare(name, row, self.table.rows.get(name))
        for name in sorted(self.table.rows.keys() - rows.keys()):
            yield f"{name}: the table has it, and the program does not"

    def forbidden(self):
        found = collections.Counter()
        for (architecture, kernel, module, place, instruction, wrong), times in self.ptx.bad.items():
            where = self.ptx.place_in(module, place)
            found[f"{self.names[kernel]}: {instruction} {wrong}: {where}, in PTX for {architecture}"] += times
        for complaint, times in sorted(found.items()):
            yield f"{complaint}, {times} times"

    def fused_elsewhere(self):
        """Other architectures' PTX may unroll otherwise, but a kernel with multiply-adds has them in each."""
        for architecture, code in sorted(self.ptx.of.items()):
            for name, row in sorted(together(code.rows, self.names).items()):
                limit = self.table.rows.get(name)
                if row.fused and limit is not None and not limit.fused:
                    yield f"{name}: {row.fused} fused multiply-adds in PTX for {architecture}, and the table has none"

    def spilled_elsewhere(self):
        for architecture, code in sorted(self.resources.items()):
            for name, row in sorted(together(code.rows, self.names).items()):
                limit = self.table.rows.get(name)
                if row.stack and limit is not None and not limit.stack:
                    yield f"{name}: a stack of {row.stack} bytes in code for {architecture}, and the table has none"


def said_by(cuobjdump, option, program):
    done = subprocess.run([cuobjdump, option, program], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{cuobjdump} {option} cannot read {program}: {done.stderr.strip()}")
        sys.exit(2)
    return done.stdout


def renewed(check):
    rows = check.rows_of_table()
    if rows is None:
        return None
    for name, row in rows.items():
        row.reason = check.table.rows.get(name, Row()).reason
    check.table.rows = rows
    return check.table.text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cuobjdump")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path, nargs="?", default=TABLE)
    parser.add_argument("--renew", action="store_true")
    options = parser.parse_args()
    if shutil.which(options.cuobjdump) is None:
        print(f"There is no cuobjdump ({options.cuobjdump}), so nobody looks into the kernels that nvcc made. scripts/test --full installs it")
        return 2
    ptx = Ptx().read(said_by(options.cuobjdump, "-ptx", options.program))
    resources = read_resources(said_by(options.cuobjdump, "--dump-resource-usage", options.program))
    check = Check(ptx, resources, Table(options.table.read_text(encoding="utf-8")))
    if options.renew:
        text = renewed(check)
        if text is None:
            print(f"the program has no code for {check.table.architecture}, or not of PTX {check.table.version}")
            return 1
        options.table.write_text(text, encoding="utf-8")
        return 0
    found = list(check.complaints())
    print("\n".join(found) or summary(check))
    return 1 if found else 0


def summary(check):
    kernels = sum(len(code.rows) for code in check.ptx.of.values())
    if check.rows_of_table() is None:
        return f"{kernels} kernels in PTX are as they should be; their registers are of another nvcc or GPU than the table's"
    return f"{kernels} kernels in PTX, their registers and stacks are as they should be"


if __name__ == "__main__":
    sys.exit(main())
