#!/usr/bin/env python3
"""Writes, from each area's table of the commands of the waist, the area's JSON Schema (areas/AREA.json), and from all of them
the commands as a user of PyTorch would write them (forms.txt), what random programs draw for them (draws.txt), and the functions by which a
subject in C++ answers them: core_to(Call&) for core.to (handlers.inc; weak_handlers.inc for a subject that does not answer all
commands), the table of all of them (table.inc), and for each area the definitions of these functions by the functions of a class:
AmpCommands::plan(call) for amp.plan (answers/amp.inc).
Usage: areas.py OUT_FOLDER AREA.json...

A table names its commands, their arguments (`with`) and results (`ok`): `"name": "type"`, or `"name?"` where it may be absent.
A type is one of values.json, a word in quotes ('sum'), several of these separated by |, or a list of one of them, [type]; what
cannot be said so stands as JSON Schema. After a result's type may follow how two replies are compared; see comparison_of.

`python` says how a script for PyTorch asks the same:

  = EXPRESSION          its value is the result
  ~ EXPRESSION          the same, and nobody can say what it will be
  ! STATEMENT
  : NAME=EXPRESSION ;; NAME=EXPRESSION     fields of the reply, each looked at
  -                     looks at what Python does not show: left out

There {x} is the argument x; {*x} the items of a list; {**x} a dict as keyword arguments; {x|word=text|…} text chosen by a word
(`*`: by any other; `groups`, `tuple`: written in that way). [ … ] is left out when an argument in it is absent; [[ and ]] are
brackets. `quietly` before the text: without autograd.

`draw` lets random programs use the command: its weight among those of its area, and how an argument is drawn where the type bool
or dtype, or a kind of the argument's name, does not say it:

  ARGUMENT=KIND         a kind of harness/program/moves
  ARGUMENT=A|B|C        one of these; a single word stands in quotes
  ARGUMENT=FIRST..LAST  a whole number
  ->KIND                it makes a thing of that kind, which later commands use
  cuda                  only where the contract has CUDA devices
  guard                 it makes a guard, and opens a scope

Arguments that may be absent are, unless they are named. `touches`, of a command or a whole table, says what a command reads or
changes besides the objects that it names: nothing (`objects`), the state of the calling `thread`, or what all threads of the `process`
share. `minds` says, in one or more words, what a command does not bear when its program is sent with changes (harness/perturb):

  device                two devices that change places: the number of a device is shown, or taken as another value
  thread                another thread: it counts what the thread did before
  failure               that it fails at first: an attempt does a part of the work, is the only one, or the command only looks at names
  attempts              failed attempts before it: they are counted in its reply, of which only what is in use is compared
  streams               streams that the driver makes for attempts: it shows the numbers of the driver's streams
  driver                that a driver call fails at first: it has done a part of the work before it launches something
  raising               that a callable raises at first: it has consumed something before it calls one
  calls                 another number of driver calls before it: it plans them, or takes the driver's numbers

`failure:FIELD` holds only where the command has that argument. `client` and the table's `objects` are read by clients.py."""

import json
import pathlib
import re
import sys

TOUCHES = ("objects", "thread", "process")
MINDS = ("device", "thread", "failure", "attempts", "streams", "calls", "driver", "raising")
COMPARISONS = ("exact", "nan_class", "tokens", "set", "shared", "opaque")
# Types that hold numbers: any NaN equals any other. Objects and devices are the subject's own, and everything else is exact.
NUMBERS = ("any", "any_tensor_result", "dict", "float", "grad_result", "list", "live_result", "plain_number", "reply_tensor",
           "scalar_result", "sparse", "tensor_result")
OWN = ("devices", "object")
KEYWORDS = ("delete", "double", "float", "new", "register")  # of C++, among the names of commands


class Wrong(Exception):
    """An error in a table, described in one line."""


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


def command_of(verb, said, types, touches="objects"):
    if unknown := set(said) - {"with", "ok", "python", "draw", "client", "touches", "minds"}:
        raise Wrong(f"{verb}: '{sorted(unknown)[0]}' is not \"with\", \"ok\", \"python\", \"draw\", \"client\", \"touches\" or \"minds\"")
    made = {"touches": said.get("touches", touches)}
    if made["touches"] not in TOUCHES:
        raise Wrong(f"{verb}, touches: '{made['touches']}' is none of {', '.join(TOUCHES)}")
    if "minds" in said:
        made["minds"] = said["minds"]
        for word in made["minds"].split():
            what, _, field = word.partition(":")
            if what not in MINDS:
                raise Wrong(f"{verb}, minds: '{what}' is none of {', '.join(MINDS)}")
            if field and not {field, f"{field}?"} & set(said.get("with", {})):
                raise Wrong(f"{verb}, minds: there is no argument '{field}'")
    for part in ("with", "ok"):
        try:
            made[part] = object_of(said.get(part, {}), types, part == "ok")
        except Wrong as wrong:
            raise Wrong(f"{verb}, {part}, {wrong}") from None
    return made


def form_of(verb, said):
    """A line of forms.txt, or nothing."""
    arguments = {name.removesuffix("?") for name in said.get("with", {})}
    for hole in re.findall(r"\{\*{0,2}(\w+)", said.get("python", "")):
        if hole not in arguments:
            raise Wrong(f"{verb}, python: there is no argument '{hole}'")
    return f"{verb} {said['python']}\n" if "python" in said else ""


def draw_of(verb, said):
    """A line of draws.txt, or nothing."""
    if "draw" not in said:
        return ""
    weight, *words = str(said["draw"]).split(" ")
    if not weight.isdigit():
        raise Wrong(f"{verb}, draw: '{weight}' is not a weight")
    named = dict(word.split("=", 1) for word in words if "=" in word)
    arguments = said.get("with", {})
    if unknown := set(named) - {name.removesuffix("?") for name in arguments}:
        raise Wrong(f"{verb}, draw: there is no argument '{sorted(unknown)[0]}'")
    drawn = []
    for name, said_type in arguments.items():
        bare = name.removesuffix("?")
        if name == bare or bare in named:
            drawn.append(f"{bare}={named.get(bare, said_type if said_type in ('bool', 'dtype') else bare)}")
    return " ".join([verb, weight, *(word for word in words if "=" not in word), *drawn]) + "\n"


def area_schema(table, name, types):
    return {"$schema": "http://json-schema.org/draft-07/schema#", "$id": f"https://assay.invalid/areas/{name}.json",
            "title": table["title"],
            "definitions": {verb: command_of(verb, said, types, table.get("touches", "objects")) for verb, said in table["commands"].items()}}


def answers_of(area, verbs):
    """A function named as a keyword ends in an underscore."""
    functions = ((verb.replace(".", "_"), verb.split(".", 1)[1]) for verb in verbs)
    owner = "".join(part.capitalize() for part in area.split("_"))
    return "".join(f"void {name}(Call& call) {{ {owner}Commands::{function}{'_' if function in KEYWORDS else ''}(call); }}\n"
                   for name, function in functions)


def write(path, text):
    """Leaves a file alone that has this text already, so that nothing is compiled again for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    out, paths = pathlib.Path(sys.argv[1]), [pathlib.Path(path) for path in sys.argv[2:]]
    values = next(path for path in paths if path.name == "values.json")
    types = json.loads(values.read_text(encoding="utf-8"))["definitions"]
    forms = draws = ""
    verbs = []
    for path in paths:
        try:
            schema = json.loads(path.read_text(encoding="utf-8"))
            if path != values:
                forms += "".join(form_of(verb, said) for verb, said in schema["commands"].items())
                draws += "".join(draw_of(verb, said) for verb, said in schema["commands"].items())
                own = [verb for verb in schema["commands"] if "." in verb]
                write(out / "answers" / f"{path.stem}.inc", answers_of(path.stem, own))
                verbs += own
                schema = area_schema(schema, path.stem, types)
        except (Wrong, json.JSONDecodeError, KeyError) as wrong:
            sys.exit(f"{path}: {wrong}")
        write(out / "areas" / path.name, json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
    write(out / "forms.txt", forms)
    write(out / "draws.txt", draws)
    write(out / "handlers.inc", "".join(f"void {verb.replace('.', '_')}(Call& call);\n" for verb in verbs))
    write(out / "weak_handlers.inc", "".join(f"[[gnu::weak]] void {verb.replace('.', '_')}(Call& call);\n" for verb in verbs))
    write(out / "table.inc", "".join(f'table.add("{verb}", {verb.replace(".", "_")});\n' for verb in verbs))


if __name__ == "__main__":
    main()
