"""Area dispatch: schemas, and queries of operators."""

import itertools
import re

import torch

from dispatcher import keys, operators
from waist.wire import Unsupported

C = torch._C


# -- schemas ---------------------------------------------------------------------------------------------------------

def sets_of(names):
    return sorted(name.rpartition("::")[2] for name in names)


def alias_of(info, text):
    if info is None:
        return None
    return {"write": info.is_write, "before": sets_of(info.before_set), "after": sets_of(info.after_set),
            "contained": contained_in(text)}


def contained_in(text):
    """The alias annotation of an element, which PyTorch only prints."""
    found = re.match(r"\w+\??\(([^()]*)\)\[", text)
    if found is None:
        return None
    before, arrow, after = found.group(1).partition("->")
    sets = [sorted(one.strip() for one in part.replace("!", "").split("|")) for part in (before, after if arrow else before)]
    return {"write": "!" in before, "before": sets[0], "after": sets[1], "contained": None}


def parameters(text):
    """The texts in the parentheses at the beginning of `text`, split at top-level commas."""
    depth, parts, start = 0, [], 1
    for place, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 1 and letter == "," or depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
        if depth == 0:
            return [part for part in parts if part], text[place + 1:]
    return parts, ""


def default_is_left_of_none(text):
    """Of positional arguments; lists may follow a default."""
    positional = itertools.takewhile(lambda part: part not in ("*", "..."), parameters(text[text.find("("):])[0])
    have = ["=" in part for part in positional if "=" in part or "]" not in part]
    return (True, False) in zip(have, have[1:])


def type_of(text):
    """A parameter's type as printed, without annotations and sizes."""
    text = text.partition("=")[0].strip()
    text = re.sub(r"\s+[A-Za-z_]\w*$", "", text)
    return re.sub(r"(?<!Future)(?<!RRef)(?<!Await)\([a-z0-9$!|* >-]+\)|!", "", re.sub(r"\[\d+\]", "[]", text)).strip()


def described(arguments, texts):
    found = []
    for argument, text in zip(arguments, texts):
        one = {"name": argument.name, "type": type_of(text), "size": argument.N, "kwarg_only": argument.kwarg_only,
               "alias": alias_of(argument.alias_info, text)}
        if argument.has_default_value():
            one["default"] = argument.default_value
        found.append(one)
    return found


def parse(subject, given):
    text, what = given["text"], given.get("as", "schema")
    if what != "schema":
        raise Unsupported("Python parses whole schemas only")
    if torch.__version__.startswith("1.") and default_is_left_of_none(text):
        raise Unsupported("this PyTorch crashes on an argument with a default before one without")
    schema = C.parse_schema(text)
    printed = str(schema)
    arguments, rest = parameters(printed[printed.index("("):])
    returned = rest.partition("->")[2].strip()
    returns = parameters(returned)[0] if returned.startswith("(") else [returned]
    return {"text": printed, "name": schema.name, "overload": schema.overload_name,
            "arguments": described(schema.arguments, [one for one in arguments if one not in ("*", "...")]),
            "returns": described(schema.returns, [one for one in returns if one != "..."]),
            "vararg": "..." in arguments, "varret": "..." in returns, "mutable": schema.is_mutable}


# -- operators -------------------------------------------------------------------------------------------------------

def find(subject, given):
    name = operators.name_of(given["op"])
    if not re.fullmatch(r"\w+::\w+(\.\w+)?", name):
        raise Unsupported("Python parses the name, and rejects one of this form")
    needs_schema = given.get("need_schema", False)
    return {"result": operators.has_schema(name) if needs_schema else operators.is_there(name)}


def find_or_throw(subject, given):
    name, overload = given["name"], given["overload"]
    if not hasattr(C, "_dispatch_find_schema_or_throw"):
        raise Unsupported("this PyTorch does not look up operators for Python")
    C._dispatch_find_schema_or_throw(name, overload)
    return {"result": operators.Operator(name + ("." + overload if overload else ""))}


def dangling(subject, given):
    """PyTorch exposes the whole state of each."""
    return {"result": sorted(line_of(state, "name") for state in C._dispatch_find_dangling_impls())}


def all_operators(subject, given):
    if not hasattr(C, "_dispatch_get_all_op_names"):
        raise Unsupported("this PyTorch does not list its operators for Python")
    start = given["namespace"] + "::"
    return {"result": sorted(name for name in C._dispatch_get_all_op_names() if name.startswith(start))}


def registered(subject, given):
    key = given.get("key")
    found = C._dispatch_get_registrations_for_dispatch_key("" if key is None else keys.readable(key))
    start = given["namespace"] + "::" if "namespace" in given else ""
    return {"result": sorted(name for name in found if name.startswith(start))}


def line_of(state, label):
    found = re.search(rf"^{label}: (.*)$", state, re.MULTILINE)
    return found.group(1) if found else None


def describe(subject, given):
    name = operators.name_of(given["op"])
    if not operators.is_there(name):
        raise Unsupported(f"Python has no handle of an operator that no longer exists, such as {name}")
    state = C._dispatch_dump(name)
    has_schema = operators.has_schema(name)
    tags = operators.entry(name)[2] if has_schema else []
    shown = {"debug": line_of(state, "debug"), "alias_kind": line_of(state, "alias analysis kind")}
    blind = [member for member, text in shown.items() if text is None]
    return {"has_schema": has_schema, "schema": line_of(state, "schema") if has_schema else None,
            **{member: text for member, text in shown.items() if text is not None}, "blind": blind,
            "tags": [tag.name for tag in tags], "state": state, "table": C._dispatch_dump_table(name)}


def has_kernel(subject, given):
    name = operators.name_of(given["op"])
    if "key" in given:
        return {"result": C._dispatch_has_kernel_for_dispatch_key(name, keys.key_of(given["key"]))}
    if "computed" in given:
        return {"result": C._dispatch_has_computed_kernel_for_dispatch_key(name, keys.readable(given["computed"]))}
    return {"result": C._dispatch_has_kernel_for_any_dispatch_key(name, keys.set_from(given["any"]))}


def has_fallback(subject, given):
    return {"result": C._dispatch_has_backend_fallback(keys.key_of(given["key"]))}


def check(subject, given):
    if "op" in given:
        name = operators.name_of(given["op"])
        if not operators.is_there(name):
            raise Unsupported(f"PyTorch checks only operators that exist, not {name}")
        with operators.lacks_are_unsupported():
            C._dispatch_check_invariants(name)
    else:
        with operators.lacks_are_unsupported():
            C._dispatch_check_all_invariants()
    return {}


COMMANDS = {
    "dispatch.parse": parse,
    "dispatch.find": find,
    "dispatch.find_or_throw": find_or_throw,
    "dispatch.dangling": dangling,
    "dispatch.ops": all_operators,
    "dispatch.registrations": registered,
    "dispatch.describe": describe,
    "dispatch.has_kernel": has_kernel,
    "dispatch.has_fallback": has_fallback,
    "dispatch.check": check,
}
