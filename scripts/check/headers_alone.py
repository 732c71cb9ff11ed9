#!/usr/bin/env python3
"""Checks that every header compiles alone, in few compiler runs: `headers_alone.py BUILD [ccache] COMPILER FLAGS...`.

Several headers share a run if each one includes everything that it could use of the preceding ones: it mentions nothing else of
the project, and they include no other standard header. Runs that ccache knows are not repeated.
"""

import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/cmake"))
from unity_groups import declared_by, with_its_headers, words_of  # noqa: E402

EXAMPLE = "harness/subject/example"  # includes what is installed
HEADERS = ("harness/**/*.hpp", "harness/**/*.h", "reference/**/*.hpp", "suites/**/*.hpp")
SYSTEM_INCLUDE = re.compile(r"^#\s*include <([^>]+)>", re.MULTILINE)


@functools.cache
def system_headers_of(header):
    """The project's headers that the header includes, directly or indirectly."""
    texts = ((ROOT / name).read_text(encoding="utf-8") for name in with_its_headers(header))
    return frozenset().union(*(SYSTEM_INCLUDE.findall(text) for text in texts))


def is_alone_behind(header, before):
    """True if it cannot use anything of these headers except what it includes itself."""
    if any(not system_headers_of(other) <= system_headers_of(header) for other in before):
        return False
    strange = frozenset().union(*map(with_its_headers, before)) - with_its_headers(header)
    return not any(name in words_of(header) for other in strange for _, name in declared_by(other))


def groups_of(headers):
    """Few groups of headers, such that each header cannot use those before it."""
    groups = []
    for header in sorted(headers, key=lambda header: (len(system_headers_of(header)), len(with_its_headers(header)))):
        places = [group for group in groups if is_alone_behind(header, group)]
        if places:
            max(places, key=lambda group: len(system_headers_of(group[-1]))).append(header)
        else:
            groups.append([header])
    return groups


def compiled(group, folder, command):
    """The compiler's errors for the group, with each header included twice; empty if there are none."""
    source = folder / f"{group[-1].replace('/', '.')}.cpp"
    source.write_text("".join(f'#include "{header}"\n' * 2 for header in group), encoding="utf-8")
    # With this, ccache needs only the names of the included files, system headers among them, and runs no preprocessor.
    done = subprocess.run([*command, "-MD", "-c", source.name, "-o", f"{source.stem}.o"], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "CCACHE_DEPEND": "1"})
    return done.stderr if done.returncode else ""


def main():
    build, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    folder = build / "headers_alone"
    folder.mkdir(exist_ok=True)
    headers = sorted(path.relative_to(ROOT).as_posix() for pattern in HEADERS for path in ROOT.glob(pattern)
                     if not path.is_relative_to(ROOT / EXAMPLE))
    groups = groups_of(headers)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        said = list(workers.map(lambda group: compiled(group, folder, command), groups))
        # Two valid headers may be incompatible in one program.
        again = [[header] for group, text in zip(groups, said) if text for header in group]
        complaints = [text for text in workers.map(lambda group: compiled(group, folder, command), again) if text]
    print("\n".join(complaints), f"{len(headers)} headers in {len(groups)} groups, {len(complaints)} headers do not compile alone")
    return 1 if complaints or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
