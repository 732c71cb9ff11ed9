"""Kernels: Python functions that implement a behaviour and record that they ran."""

import contextlib
import itertools
import threading

import torch

from dispatcher import keys, operators, twins
from dispatcher.key_commands import exclude_guard
from waist.wire import UNDEFINED, NoDtype, Unsupported

C = torch._C


class Records:
    """Records what ran on this thread: every open list receives every entry."""

    def __init__(self):
        self.here = threading.local()

    def open_lists(self):
        if not hasattr(self.here, "lists"):
            self.here.lists = []
        return self.here.lists

    def write(self, entry):
        for entries in self.open_lists():
            entries.append(entry)

    @contextlib.contextmanager
    def with_those(self, lists):
        """Also records this thread's kernels for the thread that started watching, because a backward runs on its own thread."""
        here = self.open_lists()
        if lists is here:
            yield
            return
        self.here.lists = [*lists, *here]
        try:
            yield
        finally:
            self.here.lists = here


RECORDS = Records()
UNSEEN = None  # in place of the entries of typed kernels, which do not record their calls


class Recording:
    """While entered, appends what runs on this thread to `entries`."""

    def __init__(self):
        self.entries = []

    def __enter__(self):
        RECORDS.open_lists().append(self.entries)
        return self

    def __exit__(self, *problem):
        lists = RECORDS.open_lists()
        lists[:] = [entries for entries in lists if entries is not self.entries]

    def take(self):
        taken = list(self.entries)
        self.entries.clear()
        return taken


def shown(value):
    """The form of an argument in `ran`: the dtype of a tensor, plain values, other values by kind."""
    if isinstance(value, torch.Tensor):
        return value.dtype
    if value is UNDEFINED:
        return NoDtype()
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, complex, str, torch.dtype, torch.device)):
        return value
    return "Dict" if isinstance(value, dict) else type(value).__name__


class Kernel:
    """A kernel registered by a client. A separate function is made for each place of registration."""

    immortal = "PyTorch keeps the function of a Python kernel even after it is deregistered"
    takes_key_set = "with_keyset" in (C._DispatchModule.impl.__doc__ or "")

    def __init__(self, label, behave, fallthrough=False, typed=False):
        self.label, self.behave, self.fallthrough, self.typed = label, behave, fallthrough, typed

    def function(self, operator, key):
        """`operator` is None if PyTorch passes it to each call."""
        kernel = self

        if self.takes_key_set:
            def run(key_set, *arguments, **named):
                name, rest = kernel.place(operator, arguments)
                return kernel.run(Call(name, key, key_set, rest, named))
        else:
            def run(*arguments, **named):
                return kernel.run(Call(operator, key, None, arguments, named))
        return run

    @staticmethod
    def place(operator, arguments):
        if operator is not None:
            return operator, arguments
        return operators.name_of_overload(arguments[0]), arguments[1:]

    def run(self, call):
        entry = {"kernel": self.label, "op": call.operator, "boxed": True, "arguments": shown(call.arguments)}
        if call.key is not None:
            entry["key"] = call.key
        if call.key_set is not None:
            entry["keys"] = keys.bits_reply(call.key_set)
        RECORDS.write(entry)
        with twins.honest():
            return twins.into(self.behave(call))


class Call:
    """A call in the form seen by a kernel, with omitted defaults filled in."""

    def __init__(self, operator, registered, key_set, arguments, named):
        self.operator, self.key_set = operator, key_set
        self.key = self.chosen(registered, key_set)
        self.schema = operators.schema_of(operator)
        values = twins.back(operators.all_arguments(self.schema, arguments, named))
        self.arguments = operators.with_undefined(self.schema.arguments, values)

    @staticmethod
    def chosen(registered, key_set):
        if registered in keys.SLOTS:  # also if a caller named the key, whatever the arguments have
            return registered
        if key_set is not None:
            return keys.name_of(key_set.highestPriorityTypeId())
        return None

    def own_set(self):
        if self.key is None:
            raise Unsupported("this PyTorch does not show a kernel the key by which it was chosen")
        return keys.KeySet(keys.key_of(self.key))


# -- behaviours ------------------------------------------------------------------------------------------------------

def packed(values, call):
    """In the form that the operator returns: nothing, one value, or several."""
    count = len(call.schema.returns)
    return None if count == 0 else values[0] if count == 1 else tuple(values[:count])


def first_tensor(arguments):
    for index, argument in enumerate(arguments):
        if isinstance(argument, torch.Tensor) or argument is UNDEFINED:
            return index
    return 0


def returning(subject, given):
    index = given.get("argument")

    def behave(call):
        first = first_tensor(call.arguments) if index is None else index
        return packed(call.arguments[first:], call)

    return behave


def values(subject, given):
    fixed = given["values"]

    def behave(call):
        if len(fixed) != len(call.schema.returns):
            raise Unsupported("PyTorch takes from a Python kernel exactly as many values as the schema returns")
        return packed(fixed, call)

    return behave


def redispatch(subject, given):
    if not hasattr(C._DispatchOperatorHandle, "redispatch_boxed"):
        raise Unsupported("this PyTorch does not let Python redispatch with a set of keys")
    wanted = keys.set_from(given["keys"]) if "keys" in given else None

    def behave(call):
        if wanted is None and call.key == "Undefined":
            raise Unsupported("no key is below Undefined: PyTorch would call this kernel forever")
        onward = wanted if wanted is not None else call.key_set & C._dispatch_keyset_full_after(keys.key_of(call.key))
        return operators.redispatch(call.operator, onward, call.arguments)

    return behave


def call_again(subject, given):
    def behave(call):
        with exclude_guard(call.own_set()):
            return operators.call(call.operator, call.arguments)

    return behave


def raising(subject, given):
    command = {"do": "raise", "with": {"kind": given["kind"], "message": given["message"]}}
    return lambda call: subject.run(command)


def calling_back(subject, given):
    name = given["call"].name

    def behave(call):
        named = {"op": call.operator}
        if call.key_set is not None:
            named["keys"] = keys.bits_reply(call.key_set)
        result = subject.blocks.call(name, call.arguments, named)
        return tuple(result) if isinstance(result, list) and len(call.schema.returns) > 1 else result

    return behave


BEHAVIOURS = {"return": returning, "value": values, "redispatch": redispatch, "call": call_again, "raise": raising,
              "callback": calling_back}
SERIAL = itertools.count(1)


def make(subject, given):
    behaviour = given["behaviour"]
    label = given.get("label") or given.named_as or f"kernel {next(SERIAL)}"
    given.get("takes_keys")
    if "signature" in given:
        signature = given["signature"]
        if behaviour != "return" or signature != "Tensor(const Tensor&)" or given.get("argument", 0) != 0:
            raise Unsupported("kernels of Python are boxed; the one typed kernel that it can register returns its tensor")
        return {"result": Kernel(label, None, typed=True)}
    if behaviour == "fallthrough":
        return {"result": Kernel(label, None, fallthrough=True)}
    if behaviour not in BEHAVIOURS:
        raise Unsupported(f"Python has no kernel that does '{behaviour}'")
    return {"result": Kernel(label, BEHAVIOURS[behaviour](subject, given))}
