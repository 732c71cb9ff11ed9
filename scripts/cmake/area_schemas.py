#!/usr/bin/env python3
"""Writes the JSON Schema of each area of the waist from the area's table of commands.
Usage: area_schemas.py OUT_FOLDER AREA.json...

A table names its commands, their arguments (`with`) and results (`ok`): `"name": "type"`, or `"name?"` where it may be absent.
A type is one of values.json, a word in quotes ('sum'), several of these separated by |, or a list of one of them, [type]; what
cannot be said so stands as JSON Schema. After a result's type may follow how two replies are compared; see comparison_of."""

import json
import pathlib
import sys

COMPARISONS = ("exact", "nan_class", "tokens", "set", "shared", "opaque")
# Types that hold numbers: any NaN equals any other. Objects and devices are the subject's own, and everything else is exact.
NUMBERS = ("any", "any_tensor_result", "dict", "float", "grad_result", "list", "live_result", "plain_number", "reply_tensor",
           "scalar_result", "sparse", "tensor_result")
OWN = ("devices", "object")


class Wrong(Exception):
    """What is wrong with a table, in a line."""


def parts_of(text):
    return [part for part in text.removeprefix("[").removesuffix("]").split("|") if part != "none"]


def comparison_of(text):
    if any(part in NUMBERS for part in parts_of(text)):
        return "nan_class"
    return "opaque" if parts_of(text) == ["object"] or text in OWN else "exact"


def schema_of(text, types):
    if text.startswith("[") and text.endswith("]"):
        return {"type": "array", "items": schema_of(text[1:-1], types)}
    parts = text.split("|")
    if all(len(part) > 1 and part[0] == part[-1] == "'" for part in parts):
        return {"enum": [part[1:-1] for part in parts]}
    for part in parts:
        if part not in types:
            raise Wrong(f"there is no type '{part}' in values.json")
    references = [{"$ref": f"values.json#/definitions/{part}"} for part in parts]
    return references[0] if len(references) == 1 else {"anyOf": references}


def field_of(said, types, is_result):
    if not isinstance(said, str):
        if is_result and said.get("compare") not in COMPARISONS:
            raise Wrong(f"\"compare\" is not one of {', '.join(COMPARISONS)}")
        return said
    text, _, comparison = said.partition(" ")
    if comparison and (not is_result or comparison not in COMPARISONS):
        raise Wrong(f"'{comparison}' is not a comparison of results ({', '.join(COMPARISONS)})")
    return schema_of(text, types) | ({"compare": comparison or comparison_of(text)} if is_result else {})


def object_of(fields, types, is_result):
    made = {"type": "object", "properties": {}}
    required, more = [], {}
    for name, said in fields.items():
        if name == "$more":
            more = said
            continue
        try:
            made["properties"][name.removesuffix("?")] = field_of(said, types, is_result)
        except Wrong as wrong:
            raise Wrong(f"{name}: {wrong}") from None
        if not name.endswith("?"):
            required.append(name)
    return made | ({"required": required} if required else {}) | more | {"additionalProperties": False}


def command_of(verb, said, types):
    if unknown := set(said) - {"with", "ok"}:
        raise Wrong(f"{verb}: '{sorted(unknown)[0]}' is neither \"with\" nor \"ok\"")
    made = {}
    for part in ("with", "ok"):
        try:
            made[part] = object_of(said.get(part, {}), types, part == "ok")
        except Wrong as wrong:
            raise Wrong(f"{verb}, {part}, {wrong}") from None
    return made


def area_schema(table, name, types):
    return {"$schema": "http://json-schema.org/draft-07/schema#", "$id": f"https://assay.invalid/areas/{name}.json",
            "title": table["title"],
            "definitions": {verb: command_of(verb, said, types) for verb, said in table["commands"].items()}}


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    paths = [pathlib.Path(path) for path in sys.argv[2:]]
    values = next(path for path in paths if path.name == "values.json")
    types = json.loads(values.read_text(encoding="utf-8"))["definitions"]
    for path in paths:
        try:
            table = json.loads(path.read_text(encoding="utf-8"))
            schema = table if path == values else area_schema(table, path.stem, types)
        except (Wrong, json.JSONDecodeError, KeyError) as wrong:
            sys.exit(f"{path}: {wrong}")
        (out / path.name).write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
