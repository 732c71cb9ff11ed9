#!/usr/bin/env python3
"""Writes the typed calls by which cases send the commands of the waist, from the areas' tables: OUT_FOLDER/AREA.hpp, calls.cpp.
Usage: clients.py OUT_FOLDER AREA.json...

A table that has `objects` gets typed calls: `objects` names the C++ class of each kind of object that its commands make. Each
command becomes a function of the class AREAClientCalls, which AREAClient inherits from: arguments in the order of the table,
those that may be absent as std::optional, three or more of these as one struct. It returns the field `result`. What `client` may
say of a command, in any order:

  -              it has no function, or one that is written by hand
  NAME           the function's name, where it is not the verb
  KIND.NAME      a function of the class of KIND, which is sent as the argument KIND, or as the first
  ->KIND         it returns a new object, whose name begins with KIND
  >FIELD         it returns another field of the reply
  :TYPE          the C++ type of what it returns, where it is not that of the field
  =STRUCT        it returns all fields, as a struct of that name
  ~STRUCT        the same for a struct that is written by hand and has a function from(const Reply&)
  {STRUCT}       arguments that may be absent are a struct of that name; {} derives the name from the function's
  {*STRUCT}      all arguments are a struct of that name"""

import json
import pathlib
import re
import sys

# How C++ holds what the types of values.json describe; everything else is a Value.
HELD = {"int": "std::int64_t", "count": "std::int64_t", "real": "double", "float": "double", "bool": "bool", "string": "std::string", "device": "Device",
        "dtype": "Dtype", "dict": "Dict", "callable": "Callable", "seq": "std::vector<Value>", "list": "std::vector<Value>",
        "strings": "std::vector<std::string>", "ints": "std::vector<std::int64_t>", "ints_seq": "std::vector<std::int64_t>", "layout": "std::string", "[dict]": "std::vector<Dict>", "[bool]": "std::vector<bool>", "[float]": "std::vector<double>",
        "tensor_result": "TensorValue", "any_tensor_result": "TensorValue", "reply_tensor": "TensorValue", "key_set": "KeySet"}
SMALL = ("std::int64_t", "double", "bool", "Dtype")
KEYWORDS = {"namespace": "ns", "virtual": "is_virtual", "mutable": "is_mutable", "signed": "is_signed", "default": "otherwise"}


class Wrong(Exception):
    """An error in a table, described in one line."""


def held(said):
    """The C++ type of a field."""
    if not isinstance(said, str):
        return "Value"
    text = said.split(" ")[0]
    parts = text.split("|")
    if all(part[0] == "'" for part in parts):
        return "std::string"
    if len(parts) == 2 and "none" in parts:
        other = held(next(part for part in parts if part != "none"))
        return other if other == "Value" else f"std::optional<{other}>"
    return HELD.get(text, "Value")


def passed(kind):
    """The type of a parameter."""
    return kind if kind in SMALL or kind == f"std::optional<{kind[14:-1]}>" and kind[14:-1] in SMALL else f"const {kind}&"


def spelled(name):
    return KEYWORDS.get(name, name)


def camel(name):
    return "".join(part.capitalize() for part in name.strip("_").split("_"))


class Function:
    def __init__(self, verb, said, words, target, objects):
        self.verb = verb
        self.fields = {name: text for name, text in said.get("with", {}).items() if name != "$more"}
        self.reply = said.get("ok", {})
        self.kind, self.name = target
        if self.kind and self.kind not in objects:
            raise Wrong(f"there is no object '{self.kind}'")
        self.made = self.read = self.type = self.struct = self.own = self.options = None
        self.all = False
        for word in words:
            if word.startswith("->"):
                self.made = word[2:]
            elif word[0] == ">":
                self.read = word[1:]
            elif word[0] == ":":
                self.type = word[1:]
            elif word[0] == "=":
                self.struct = word[1:]
            elif word[0] == "~":
                self.own = word[1:]
            elif word[0] == "{":
                self.options = word[1:-1].removeprefix("*") or camel(self.name) + "Options"
                self.all = word[1] == "*"
        bare = [name.removesuffix("?") for name in self.fields]
        self.subject = (self.kind if self.kind in bare else bare[0]) if self.kind else None
        told = [name for name in self.fields if name.removesuffix("?") != self.subject]
        self.absent = [name for name in told if name.endswith("?")]
        if len(self.absent) > 2 and not self.options:
            self.options = camel(self.name) + "Options"
        self.in_struct = told if self.all else self.absent if self.options else []
        self.told = [name for name in told if name not in self.in_struct]
        if self.made and self.made not in objects:
            raise Wrong(f"there is no object '{self.made}'")
        self.result = self.result_of(objects)

    def result_of(self, objects):
        if self.made:
            return objects[self.made]
        if self.type or self.struct or self.own:
            return self.type or self.struct or self.own
        if not self.reply:
            return "void"
        field = self.read or "result"
        if field not in self.reply:
            raise Wrong(f"the reply has no '{field}': name its field with >FIELD, or return all fields with =STRUCT")
        if self.reply[field] == "object":
            raise Wrong("it makes an object: name the object's kind with ->KIND")
        return held(self.reply[field])

    def held(self, name):
        kind = held(self.fields[name])
        return f"std::optional<{kind}>" if name.endswith("?") else kind

    def parameters(self, with_defaults):
        default = " = {}" if with_defaults else ""
        told = [f"{passed(self.held(name))} {spelled(name.removesuffix('?'))}{default if name.endswith('?') else ''}"
                for name in sorted(self.told, key=lambda name: name.endswith("?"))]
        if self.options:
            told.append(f"const {self.options}& options{'' if self.all else default}")
        return ", ".join(told)

    def options_struct(self):
        members = "".join(f"  {self.held(name)} {spelled(name.removesuffix('?'))} = {{}};\n" for name in self.in_struct)
        return f"/// Absent members are not sent.\nstruct {self.options} {{\n{members}}};\n\n"

    def reply_struct(self):
        members = read = ""
        for name, text in self.reply.items():
            bare, kind = name.removesuffix("?"), held(text)
            kind = f"std::optional<{kind}>" if name.endswith("?") and "optional" not in kind else kind
            members += f"  {kind} {spelled(bare)} = {{}};\n"
            read += f'  made.{spelled(bare)} = field_to<{kind}>(reply, "{bare}");\n'
        if "Value" not in members:
            members += f"  bool operator==(const {self.struct}&) const = default;\n"
        return (f"struct {self.struct} {{\n{members}  static {self.struct} from(const Reply& reply);\n}};\n\n",
                f"{self.struct} {self.struct}::from(const Reply& reply) {{\n  {self.struct} made;\n{read}  return made;\n}}\n\n")

    def declaration(self):
        return f"  {self.result} {self.name}({self.parameters(True)}) const;\n"

    def definition(self, home):
        text = f"{self.result} {home}::{self.name}({self.parameters(False)}) const {{\n  Fields with;\n"
        for name in self.fields:
            bare = name.removesuffix("?")
            value = "Ref{this->name()}" if bare == self.subject else ("options." if name in self.in_struct else "") + spelled(bare)
            text += f'  put(with, "{bare}", {value});\n'
        if self.made:
            text += f'  return make_object<{self.result}>("{self.made}", "{self.verb}", std::move(with));\n'
        elif self.struct or self.own:
            text += f'  return read_reply<{self.result}>("{self.verb}", std::move(with));\n'
        elif self.result == "void":
            text += f'  session().send("{self.verb}", std::move(with));\n'
        else:
            text += f'  return read_field<{self.result}>("{self.verb}", std::move(with), "{self.read or "result"}");\n'
        return text + "}\n\n"


def functions_of(commands, objects):
    for verb, said in commands.items():
        words = said.get("client", "").split()
        if "-" in words:
            continue
        targets = [word for word in words if re.fullmatch(r"[\w.]+", word)] or [verb.partition(".")[2]]
        for target in targets:
            kind, _, name = target.rpartition(".")
            try:
                yield Function(verb, said, words, (kind, name), objects)
            except Wrong as wrong:
                raise Wrong(f"{verb}, client: {wrong}") from None


def texts_of(area, table):
    objects = table["objects"]
    functions = list(functions_of(table["commands"], objects))
    own = f"{camel(area)}Client"
    homes = {kind: f"{name}Calls" for kind, name in objects.items() if any(each.kind == kind for each in functions)}
    structs = {each.options: each.options_struct() for each in functions if each.options}
    replies = {each.struct: each.reply_struct() for each in functions if each.struct}
    forward = sorted({f"class {name};" for name in objects.values() if name != "Ref"}
                     | {f"struct {each.own};" for each in functions if each.own})
    header = ("// Generated from harness/protocol/areas: the typed calls of an area.\n#pragma once\n\n"
              '#include "harness/suite/clients/calls.hpp"\n\nnamespace assay {\n\n' + "\n".join(forward) + "\n\n"
              + "".join(structs.values()) + "".join(reply for reply, _ in replies.values()))
    code = "".join(read for _, read in replies.values())
    for kind, home in {**homes, "": f"{own}Calls"}.items():
        mine = [each for each in functions if each.kind == kind]
        base = "NamedObject" if kind else "Calls"
        header += f"class {home} : public {base} {{\n public:\n  using {base}::{base};\n"
        header += "".join(each.declaration() for each in mine) + "};\n\n"
        code += "".join(each.definition(home) for each in mine)
    return header + "}  // namespace assay\n", code


def write(path, text):
    """Leaves a file alone that has this text already, so that nothing is compiled again for it."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    includes = bodies = ""
    for path in map(pathlib.Path, sys.argv[2:]):
        try:
            table = json.loads(path.read_text(encoding="utf-8"))
            if "objects" not in table:
                continue
            header, code = texts_of(path.stem, table)
        except (Wrong, json.JSONDecodeError) as wrong:
            sys.exit(f"{path}: {wrong}")
        write(out / f"{path.stem}.hpp", header)
        includes += f'#include "harness/suite/clients/{path.stem}.hpp"\n'
        bodies += code
    write(out / "calls.cpp", f"// Generated from harness/protocol/areas: the typed calls of all areas.\n{includes}\n"
                             f"namespace assay {{\n\n{bodies}}}  // namespace assay\n")


if __name__ == "__main__":
    main()
