#!/usr/bin/env python3
"""Checks that ccache knows a second build: `warm_build.py BUILD`.

Compiles twice, with a cache of its own, the smallest group of cases and the precompiled headers that it stands on, into a folder
that is new each time. The second time, at least 95 % must come from the cache. Exits with 77 if BUILD has no such group or no ccache.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LEAST_HITS = 0.95
HITS = ("direct_cache_hit", "preprocessed_cache_hit")


def commands_for(build):
    """The commands that compile the precompiled headers and the group; none if there are none."""
    done = subprocess.run(["ninja", "-C", build, "-t", "commands", "assay_suite_graph"], capture_output=True, text=True, check=True)
    wanted = re.compile(r" -o CMakeFiles/assay_headers_debuggable[.]dir/\S+[.]gch | -o suites/graph/\S+[.]o ")
    found = [line for line in done.stdout.splitlines() if wanted.search(line)]
    return found if len(found) > 1 and all("ccache " in line for line in found) else []


def compile_all(commands, build, folder, cache):
    """Runs the commands with other places for what they write, and returns the counters of the cache."""
    shutil.rmtree(folder, ignore_errors=True)
    environment = {**os.environ, "CCACHE_DIR": str(cache)}
    subprocess.run(["ccache", "--zero-stats"], env=environment, capture_output=True, check=True)
    for command in commands:
        output = pathlib.Path(re.search(r" -o (\S+)", command)[1])
        (folder / output).parent.mkdir(parents=True, exist_ok=True)
        if output.suffix == ".gch":
            for header in (build / output.parent).glob("cmake_pch.hxx*"):
                if not header.name.endswith((".gch", ".d")):
                    shutil.copy(header, folder / output.parent)
        subprocess.run(command.replace(f"{build}/CMakeFiles/", f"{folder}/CMakeFiles/"), shell=True, cwd=folder, env=environment, check=True)
    done = subprocess.run(["ccache", "--print-stats"], env=environment, capture_output=True, text=True, check=True)
    return {name: int(value) for name, value in (line.split("\t") for line in done.stdout.splitlines())}


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    commands = commands_for(build)
    if not commands:
        print(f"{build} has no precompiled headers, or its compiler no cache")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder, cache = pathlib.Path(scratch, "build"), pathlib.Path(scratch, "cache")
        compile_all(commands, build, folder, cache)
        seen = compile_all(commands, build, folder, cache)
    hits = sum(seen[name] for name in HITS)
    print(f"{hits} of {len(commands)} compilations came from the cache")
    if hits < LEAST_HITS * len(commands):
        print("\n".join(f"{name} {value}" for name, value in seen.items() if value))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
