"""Writes a wheel: a zip file of a package, with the metadata that pip wants and a hash of each file."""

import base64
import csv
import hashlib
import io
import pathlib
import zipfile

NAME, MODULE = "torch-assay", "torch_assay"
METADATA = """Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: Does a mixed-precision runtime behave as PyTorch's does, and what does each call cost?
License: Apache-2.0
License-File: LICENSE
Classifier: Operating System :: POSIX :: Linux
Classifier: Framework :: Pytest
Requires-Python: >=3.8
Provides-Extra: pytest
Requires-Dist: pytest>=6.2; extra == "pytest"
Description-Content-Type: text/markdown

{description}"""
ENTRY_POINTS = """[console_scripts]
assay = torch_assay.__main__:main

[pytest11]
assay = torch_assay.pytest_plugin
"""
# What the shells look for below the folder `share` of an environment or a system. pip puts it there.
COMPLETION = ("bash-completion", "fish", "zsh")
# A zip file begins its years in 1980, and a wheel of the same files should be the same file.
NO_DATE = (1980, 1, 1, 0, 0, 0)


def tag_of(glibc):
    return f"py3-none-manylinux_{glibc.replace('.', '_')}_x86_64"


def description_of(readme):
    """The part of the README that needs neither the checkout nor its pictures: what comes before its first example."""
    return readme.split("\n```")[0].strip() + "\n"


def files_of(version, tag, tree, package, sources):
    """What the wheel holds: pairs of a path in it and its bytes and mode. `tree` is what `cmake --install` has installed."""
    for path in sorted(package.rglob("*.py")):
        yield f"{MODULE}/{path.relative_to(package).as_posix()}", path.read_bytes(), 0o644
    for path in sorted(tree.rglob("*")):
        if path.is_file():
            mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            inside = path.relative_to(tree)
            is_shared = len(inside.parts) > 2 and inside.parts[0] == "share" and inside.parts[1] in COMPLETION
            place = f"{MODULE}-{version}.data/data" if is_shared else f"{MODULE}/installed"
            yield f"{place}/{inside.as_posix()}", path.read_bytes(), mode
    info = f"{MODULE}-{version}.dist-info"
    description = description_of((sources / "README.md").read_text(encoding="utf-8"))
    texts = {
        "LICENSE": (sources / "LICENSE").read_text(encoding="utf-8"),
        "METADATA": METADATA.format(name=NAME, version=version, description=description),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: assay scripts/wheel\nRoot-Is-Purelib: false\nTag: {tag}\n",
        "entry_points.txt": ENTRY_POINTS,
    }
    for name, text in texts.items():
        yield f"{info}/{name}", text.encode(), 0o644


def row_of(path, content):
    """The row of RECORD about a file."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
    return [path, f"sha256={digest}", len(content)]


def write_wheel(folder, version, glibc, tree, package, sources):
    """Writes the wheel into the folder, and returns its path."""
    tag = tag_of(glibc)
    wheel = pathlib.Path(folder) / f"{MODULE}-{version}-{tag}.whl"
    record = f"{MODULE}-{version}.dist-info/RECORD"
    rows = []
    half_made = wheel.with_suffix(".half")
    with zipfile.ZipFile(half_made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(path, content, mode):
            entry = zipfile.ZipInfo(path, NO_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content)

        for path, content, mode in files_of(version, tag, tree, package, sources):
            add(path, content, mode)
            rows.append(row_of(path, content))
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([*rows, [record, "", ""]])
        add(record, text.getvalue().encode(), 0o644)
    half_made.replace(wheel)
    return wheel
