#!/usr/bin/env python3
"""Checks that the system files that a build used belong to listed packages: `packages.py BUILD_FOLDER [scripts/packages.txt]`.

Files used by the target `verdict` (headers from ninja's log of dependencies, linked libraries, programs from CMake's cache) must
belong to packages of the first section or their dependencies; files used by other targets also to the tests' sections. CUDA's
toolkit is not a Debian package and is not checked.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("ASSAY_CCACHE", "CMAKE_CXX_COMPILER", "CMAKE_COMMAND", "CMAKE_MAKE_PROGRAM", "_Python3_EXECUTABLE")


def output_of(*command, check=True):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=check).stdout


def sections(listing):
    """The packages of the list, by section."""
    found = {"build": set()}
    section = "build"
    for line in listing.read_text(encoding="utf-8").splitlines():
        if line in ("cuda", "tests", "full"):
            section = line
            found[section] = set()
        elif line and not line.startswith("#"):
            found[section].add(line)
    return found


def installed():
    """The installed packages with their dependencies, including those of every Debian."""
    rows = output_of("dpkg-query", "-W", "-f=${Package}\t${Priority}\t${Provides}\t${Pre-Depends}, ${Depends}\n").splitlines()
    needs, providers, always = {}, {}, set()
    for row in rows:
        package, priority, provides, depends = row.split("\t")
        needs[package] = names_in(depends)
        for name in names_in(provides):
            providers.setdefault(name, set()).add(package)
        if priority == "required":
            always.add(package)
    return needs, providers, always


def names_in(relation):
    return {match for match in re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]+)", relation)}


def with_dependencies(packages, needs, providers):
    todo, found = list(packages), set()
    while todo:
        package = todo.pop()
        if package not in found:
            found.add(package)
            todo += needs.get(package, ())
            todo += providers.get(package, ())
    return found


def cached(build):
    """CMake's cache: name -> value."""
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Za-z_0-9]+):[A-Z]+=(.*)$", text, re.MULTILINE))


def used_headers(build, outputs):
    """From ninja's log for these outputs, or for all of them."""
    found, wanted = set(), True
    for line in output_of("ninja", "-C", build, "-t", "deps").splitlines():
        if line.startswith("    "):
            if wanted:
                found.add(line.strip())
        elif line:
            wanted = outputs is None or line.split(":")[0] in outputs
    return found


def as_packaged(program):
    """The path of the program in Debian, if it is also installed in a user's folder."""
    usual = pathlib.Path("/usr/bin") / pathlib.Path(program).name
    return usual.as_posix() if usual.exists() else program


def used_files(build, target):
    """Headers and libraries from outside the project, and the programs used to build it."""
    cache = cached(build)
    toolkit = pathlib.Path(cache.get("ASSAY_CUDA_INCLUDE") or "/nowhere/include").resolve().parent
    inputs = set(output_of("ninja", "-C", build, "-t", "inputs", target).splitlines())
    files = used_headers(build, None if target == "all" else inputs)
    files |= {name for name in inputs if re.search(r"[.](a|so)$", name)}
    files |= {as_packaged(cache[name]) for name in PROGRAMS if cache.get(name)}
    found = set()
    for name in files:
        path = pathlib.Path(name)
        if path.is_absolute():
            path = path.resolve()
            if not any(path.is_relative_to(folder) for folder in (ROOT, build, toolkit)):
                found.add(path.as_posix())
    return found


def owners(files):
    """The packages of each file; none for a file unknown to dpkg."""
    found = {file: set() for file in files}
    # If /lib is a link to /usr/lib, dpkg may list a file under the shorter path.
    names = {name: file for file in files for name in (file, file.removeprefix("/usr"))}
    for line in output_of("dpkg", "-S", *sorted(names), check=False).splitlines() if names else []:
        packages, _, name = line.partition(": ")
        if name in names:
            found[names[name]] |= {package.split(":")[0].strip() for package in packages.split(",")}
    return found


def complaints(build, listing):
    wanted = sections(listing)
    needs, providers, always = installed()
    for target, packages in (("verdict", wanted["build"]), ("all", wanted["build"] | wanted["tests"] | wanted["full"])):
        allowed = with_dependencies(packages | always, needs, providers)
        for file, packages_of_file in sorted(owners(used_files(build, target)).items()):
            if not packages_of_file & allowed:
                of = " or ".join(sorted(packages_of_file)) or "no package"
                yield f"the target {target} uses {file} of {of}, which {listing.name} does not list for it"


def main():
    if not shutil.which("dpkg-query"):
        print("there is no dpkg here")
        return 77
    listing = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "scripts/packages.txt"
    found = list(complaints(pathlib.Path(sys.argv[1]).resolve(), listing))
    print("\n".join(found) if found else f"{listing.name} lists all that the build uses")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
