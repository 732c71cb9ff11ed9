"""Makes a place from which programs are built that run on older systems than this one: RHEL 8 and whatever has glibc 2.28 or newer.

The compiler is zig's clang, from PyPI: it has the headers and the symbols of each glibc, and links its C++ library statically. Of this
machine it must see nothing but the headers that are on its list: those of glibc are of another release. Google Benchmark, fmt, SQLite and
zlib are compiled from Debian's sources, since Debian's libraries are of its own glibc. The other packages are headers.
"""

import os
import pathlib
import re
import subprocess
import sys

GLIBC = "2.28"
# zig translates options: it makes -O2 of -O1 and a build with sanitizers of -Og, adds debug information, and precompiles a header only
# if it is told of which kind the file is, and not in the way in which CMake tells clang. Of -Og, which the cases have, clang makes
# -O1, and takes twice the time of -O0 for it.
WRAPPER = """#!/bin/bash
words=() level=0
while [ $# -gt 0 ]; do
  case "$1 ${{2-}}" in
    "-Xclang -emit-pch") shift 2; precompiles=yes; continue ;;
    -O*) level=${{1#-O}} ;;
    *) words+=("$1") ;;
  esac
  shift
done
[ "$level" != g ] || level=0
if [ -n "${{precompiles-}}" ]; then
  for i in "${{!words[@]}}"; do
    [ "${{words[i]}}" != -c ] || unset "words[i]"
  done
fi
exec "{zig}" {command} -target x86_64-linux-gnu.{glibc} -g0 -O2 -fno-sanitize=undefined "${{words[@]}}" -Xclang "-O$level"
"""
HEADERS = ("CLI", "boost", "nlohmann", "toml++", "valijson")
# CMake finds these instead of Debian's: the targets of each, and the library that they need. toml++ is used as headers alone.
PACKAGES = {
    "Boost": ("Boost::headers", ""),
    "CLI11": ("CLI11::CLI11", ""),
    "GTest": ("GTest::gtest_main GTest::gtest GTest::gmock GTest::gmock_main", ""),  # the unit tests are configured, and not built
    "SQLite3": ("SQLite::SQLite3", "sqlite3"),
    "ZLIB": ("ZLIB::ZLIB", "zlib"),
    "benchmark": ("benchmark::benchmark", "benchmark"),
    "fmt": ("fmt::fmt", "fmt"),
    "nlohmann_json": ("nlohmann_json::nlohmann_json", ""),
    "tomlplusplus": ("tomlplusplus::tomlplusplus", ""),
}
DEBIAN = re.compile(r"(?:^|[ /])debian(?:-security)?(?:[ /\n]|$)")  # as a file names Debian's mirrors, and no other's
SOURCES = ("benchmark", "fmtlib", "sqlite3", "zlib")  # as Debian calls its source packages
BENCHMARK_FLAGS = ("-std=c++17", "-DNDEBUG", "-DBENCHMARK_STATIC_DEFINE", "-DHAVE_STD_REGEX", "-DHAVE_STEADY_CLOCK")


def run(*words, **how):
    return subprocess.run([str(word) for word in words], check=True, **how)


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


class OldGlibc:
    """The place: `c++` and `cc` call the compiler; `prefix` is where CMake searches for packages."""

    def __init__(self, place, package):
        self.place, self.package = pathlib.Path(place).resolve(), package
        self.prefix, self.sources = self.place / "prefix", self.place / "sources"
        self.cxx, self.cc = self.place / "bin" / "clang++", self.place / "bin" / "clang"

    def make(self):
        self.install_compiler()
        self.unpack_sources()
        self.make_sqlite()
        self.link_headers()
        self.compile_zlib()
        self.compile_sqlite()
        self.compile_fmt()
        self.compile_benchmark()
        for name, (targets, library) in PACKAGES.items():
            write(self.prefix / "lib/cmake" / name / f"{name.lower()}-config.cmake", self.config_of(targets, library))

    def install_compiler(self):
        compiler = self.place / "compiler"
        if not (compiler / "ziglang" / "zig").exists():
            run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", compiler, self.package)
        for program, command in ((self.cxx, "c++"), (self.cc, "cc")):
            write(program, WRAPPER.format(zig=f"{compiler}/ziglang/zig", command=command, glibc=GLIBC), 0o755)

    def unpack_sources(self):
        """Debian's sources, by a configuration of apt of its own: this machine's, with sources instead of packages."""
        if all(list(self.sources.glob(f"{name}-*/")) for name in SOURCES):
            return
        apt = self.place / "apt"
        for folder in ("lists/partial", "cache/archives/partial", "lists.d"):
            (apt / folder).mkdir(parents=True, exist_ok=True)
        self.sources.mkdir(parents=True, exist_ok=True)
        for found in [*pathlib.Path("/etc/apt/sources.list.d").glob("*.sources"), *pathlib.Path("/etc/apt").glob("sources.list")]:
            text = found.read_text(encoding="utf-8")
            if not DEBIAN.search(text):
                continue
            lines = [line.replace("Types: deb", "Types: deb-src") if line == "Types: deb" else
                     line.replace("deb ", "deb-src ", 1) if line.startswith("deb ") else line for line in text.splitlines()]
            name = found.name if found.suffix == ".sources" else "main.list"
            write(apt / "lists.d" / name, "\n".join(lines) + "\n")
        options = [word for option in ("Dir::Etc::sourcelist=-", f"Dir::Etc::sourceparts={apt}/lists.d", f"Dir::State::lists={apt}/lists",
                                       f"Dir::Cache={apt}/cache", "APT::Sandbox::User=root") for word in ("-o", option)]
        run("apt-get", *options, "update", stdout=subprocess.DEVNULL)
        run("apt-get", *options, "source", "--only-source", *SOURCES, cwd=self.sources, stdout=subprocess.DEVNULL)

    def source(self, name):
        (folder,) = [path for path in self.sources.glob(f"{name}-*") if path.is_dir()]
        return folder

    def make_sqlite(self):
        """SQLite's sources are put together into one file, by programs in C and in Tcl. Tcl is unpacked, and not installed."""
        made = self.place / "sqlite3"
        if (made / "sqlite3.h").exists() and (made / "sqlite3.c").exists():
            return
        made.mkdir(parents=True, exist_ok=True)
        tcl = self.place / "tcl"
        tcl.mkdir(parents=True, exist_ok=True)
        run("apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", "tcl8.6", "libtcl8.6", cwd=tcl, stdout=subprocess.DEVNULL)
        for package in tcl.glob("*.deb"):
            run("dpkg", "-x", package, tcl)
        (program,) = tcl.glob("usr/bin/tclsh8.6")
        (library,) = tcl.glob("usr/lib/*/libtcl8.6.so")
        write(made / "tclsh", f"#!/bin/sh\nLD_LIBRARY_PATH='{library.parent}' TCL_LIBRARY='{tcl}/usr/share/tcltk/tcl8.6' exec '{program}' \"$@\"\n", 0o755)
        source = self.source("sqlite3")
        # In turn: its rules do not say of each file what it is made from.
        for name in ("sqlite3.h", "sqlite3.c"):
            run("make", "-f", source / "main.mk", f"TOP={source}", "BCC=cc -w", name, cwd=made, stdout=subprocess.DEVNULL,
                env={**os.environ, "PATH": f"{made}:{os.environ['PATH']}", "MAKEFLAGS": ""})

    def link_headers(self):
        include = self.prefix / "include"
        include.mkdir(parents=True, exist_ok=True)
        links = {name: pathlib.Path("/usr/include") / name for name in HEADERS}
        links["benchmark"] = self.source("benchmark") / "include" / "benchmark"
        links["fmt"] = self.source("fmtlib") / "include" / "fmt"
        links |= {name: self.source("zlib") / name for name in ("zlib.h", "zconf.h")}
        links["sqlite3.h"] = self.place / "sqlite3" / "sqlite3.h"
        for name, target in links.items():
            if not target.exists():
                sys.exit(f"no {target}: scripts/setup installs what the build needs")
            (include / name).unlink(missing_ok=True)
            (include / name).symlink_to(target)

    def compile_zlib(self):
        self.archive("zlib", sorted(self.source("zlib").glob("*.c")), self.cc, "-D_LARGEFILE64_SOURCE=1", "-DHAVE_HIDDEN", "-DHAVE_UNISTD_H")

    def compile_sqlite(self):
        self.archive("sqlite3", [self.place / "sqlite3" / "sqlite3.c"], self.cc, "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_DQS=0")

    def compile_fmt(self):
        folder = self.source("fmtlib")
        self.archive("fmt", [folder / "src" / name for name in ("format.cc", "os.cc")], self.cxx, "-std=c++20", "-I", folder / "include")

    def compile_benchmark(self):
        folder = self.source("benchmark")
        sources = [path for path in sorted((folder / "src").glob("*.cc")) if path.stem != "benchmark_main"]
        self.archive("benchmark", sources, self.cxx, *BENCHMARK_FLAGS, "-I", folder / "include")

    def archive(self, name, sources, compiler, *flags):
        library = self.prefix / "lib" / f"lib{name}.a"
        if library.exists():
            return
        objects = self.place / "objects" / name
        objects.mkdir(parents=True, exist_ok=True)
        library.parent.mkdir(parents=True, exist_ok=True)
        run(compiler, "-O2", "-w", "-fPIC", *flags, "-c", *sources, cwd=objects)
        half_made = library.with_suffix(".half")
        half_made.unlink(missing_ok=True)
        run("ar", "rcs", half_made, *sorted(objects.glob("*.o")))
        half_made.rename(library)

    def config_of(self, targets, library):
        lines = [f"if(TARGET {targets.split()[0]})", "  return()", "endif()"]
        for target in targets.split():
            lines.append(f"add_library({target} {'STATIC' if library else 'INTERFACE'} IMPORTED GLOBAL)")
            if library:
                lines.append(f'set_target_properties({target} PROPERTIES IMPORTED_LOCATION "{self.prefix}/lib/lib{library}.a")')
        return "# Generated by scripts/cmake/old_glibc.py.\n" + "\n".join(lines) + "\n"

    def options(self):
        """What CMake is told so that it finds this place, and nothing of the system."""
        flags = f"-w -isystem {self.prefix}/include -DTOML_HEADER_ONLY=1"
        return [f"-DCMAKE_CXX_COMPILER={self.cxx}", f"-DCMAKE_CXX_FLAGS={flags}",
                f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_FIND_PACKAGE_PREFER_CONFIG=ON", "-DASSAY_PRECOMPILED=ON",
                "-DCMAKE_EXE_LINKER_FLAGS="]

    def environment(self):
        """The compiler cache knows clang by its name, and takes the included files from the compiler, since zig preprocesses slowly; zig
        stores what it has built of its own libraries."""
        return {**os.environ, "CCACHE_COMPILERTYPE": "clang", "CCACHE_DEPEND": "1", "ZIG_GLOBAL_CACHE_DIR": str(self.place / "cache")}
