#!/usr/bin/env python3
"""Every header compiles alone: `headers_alone.py BUILD [ccache] COMPILER FLAGS...`, in as few runs of the compiler as show it.

A header that comes behind nothing but headers that it includes itself is compiled as if it were alone; so one run does for
a chain of headers, each of which includes the one before. What ccache has seen pass is not compiled again.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/cmake"))
from unity_groups import with_its_headers  # noqa: E402

EXAMPLE = "harness/subject/example"  # includes what is installed
HEADERS = ("harness/**/*.hpp", "harness/**/*.h", "reference/**/*.hpp", "suites/**/*.hpp")


def chains_of(headers):
    """The fewest chains that hold all headers: a matching of each with one that includes it, by augmenting paths."""
    behind = {header: [other for other in headers if other != header and header in with_its_headers(other)] for header in headers}
    before = {}

    def finds_place(header, seen):
        for other in behind[header]:
            if other not in seen:
                seen.add(other)
                if other not in before or finds_place(before[other], seen):
                    before[other] = header
                    return True
        return False

    for header in headers:
        finds_place(header, set())
    for last in sorted(set(headers) - set(before.values())):
        chain = [last]
        while chain[0] in before:
            chain.insert(0, before[chain[0]])
        yield chain


def compiled(chain, folder, command):
    """What the compiler says of the chain, each header twice; nothing where it is content."""
    source = folder / f"{chain[-1].replace('/', '.')}.cpp"
    source.write_text("".join(f'#include "{header}"\n' * 2 for header in chain), encoding="utf-8")
    # The names of what was included are all that ccache then asks for, system headers among them; it runs no preprocessor.
    done = subprocess.run([*command, "-MD", "-c", source.name, "-o", f"{source.stem}.o"], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "CCACHE_DEPEND": "1"})
    return done.stderr if done.returncode else ""


def main():
    build, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    folder = build / "headers_alone"
    folder.mkdir(exist_ok=True)
    headers = sorted(path.relative_to(ROOT).as_posix() for pattern in HEADERS for path in ROOT.glob(pattern)
                     if not path.is_relative_to(ROOT / EXAMPLE))
    chains = list(chains_of(headers))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        complaints = [text for text in workers.map(lambda chain: compiled(chain, folder, command), chains) if text]
    print("\n".join(complaints), f"{len(headers)} headers, compiled in {len(chains)} chains, {len(complaints)} of which failed")
    return 1 if complaints or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
