"""Dispatch keys and key sets: converts names and 64-bit integers to DispatchKey and DispatchKeySet."""

import torch

from waist.wire import Invalid, Unsupported

C = torch._C
Key, KeySet = C.DispatchKey, C.DispatchKeySet
MASK = (1 << 64) - 1
# Per-backend functionalities in the order of their blocks, with the prefixes of their runtime keys.
PER_BACKEND = {"Dense": "", "Quantized": "Quantized", "Sparse": "Sparse", "SparseCsr": "SparseCsr",
               "NestedTensor": "NestedTensor", "AutogradFunctionality": "Autograd"}
OTHER_NAMES = {"CatchAll": "Undefined", "DefaultBackend": "CompositeExplicitAutograd", "Autocast": "AutocastCUDA"}


def name_at(number):
    return C._dispatch_key_name(Key(number))


def read_layout():
    """The enum of this PyTorch: functionalities, then a block for each per-backend functionality, then aliases."""
    functionalities, number = [], 0
    while name_at(number) != "UnknownUnknown":
        functionalities.append(name_at(number))
        number += 1
    count = C._dispatch_num_backends()
    backends = [name_at(number + 2 + index) for index in range(count)]
    blocks = [name for name in functionalities if name in PER_BACKEND]
    values = {name: value for value, name in enumerate(functionalities)}
    for place, block in enumerate(blocks):
        first = number + 1 + place * (count + 1) + 1
        values.update({name_at(first + index): first + index for index in range(count)})
    aliases, number = [], number + 1 + len(blocks) * (count + 1)
    while name_at(number) != "UnknownUnknown":
        values[name_at(number)] = number
        aliases.append(name_at(number))
        number += 1
    return functionalities, backends, blocks, aliases, values


FUNCTIONALITIES, BACKENDS, BLOCKS, ALIASES, VALUES = read_layout()


def runtime_names(block):
    return [PER_BACKEND[block] + backend for backend in BACKENDS]


def slots():
    """The names with a slot in a table, in the order of the slots."""
    found = []
    for name in FUNCTIONALITIES:
        found += runtime_names(name) if name in BLOCKS else [name]
    return found


SLOTS = slots()
BLOCK_OF = {name: block for block in BLOCKS for name in runtime_names(block)}


def known(name):
    if not isinstance(name, str):
        raise Invalid("a key must be a text")
    name = OTHER_NAMES.get(name, name)
    if name not in VALUES:
        raise Unsupported(f"this PyTorch has no dispatch key {name}")
    return name


def key_of(name):
    return Key(VALUES[known(name)])


def readable(name):
    """A key given as text; PyTorch cannot parse all of them."""
    try:
        C._dispatch_key_parse(known(name))
    except RuntimeError as problem:
        raise Unsupported(str(problem)) from problem
    return known(name)


def name_of(key):
    return C._dispatch_key_name(key)


def backend_bit(name):
    """The set with a backend's bit and no functionality."""
    one = KeySet(key_of(name))
    return one - one


EMPTY = KeySet(Key(0))


def set_from_bits(bits):
    made = EMPTY
    for index, backend in enumerate(BACKENDS):
        if bits >> index & 1:
            made = made | backend_bit(backend)
    for index, functionality in enumerate(FUNCTIONALITIES[1:]):
        if bits >> (len(BACKENDS) + index) & 1:
            made = made | KeySet(key_of(functionality))
    if bits_of(made) != bits & MASK:
        raise Unsupported("a set with bits that are no keys of this PyTorch")
    return made


def set_from(value):
    """A set from its 64 bits or from a list of keys."""
    if isinstance(value, list):
        made = EMPTY
        for name in value:
            made = made | KeySet(key_of(name))
        return made
    if isinstance(value, bool) or not isinstance(value, int):
        raise Invalid("a set of keys must be an int or a list of keys")
    return set_from_bits(value & MASK)


def bits_of(keys):
    """The 64 bits; if PyTorch does not expose them, each is queried."""
    if hasattr(keys, "raw_repr"):
        return keys.raw_repr() & MASK
    bits, with_dense = 0, keys | KeySet(key_of("Dense"))
    for index, backend in enumerate(BACKENDS):
        bits |= int(with_dense.has(key_of(backend))) << index
    for index, functionality in enumerate(FUNCTIONALITIES[1:]):
        bits |= int(keys.has(key_of(functionality))) << (len(BACKENDS) + index)
    return bits


def signed(bits):
    """As an integer of the protocol: 64 bits, signed."""
    return bits - (1 << 64) if bits >> 63 else bits


def bits_reply(keys):
    return signed(bits_of(keys))


def names_in(keys):
    """The keys of an iteration, which PyTorch shows when it prints the set."""
    inner = str(keys)[len("DispatchKeySet("):-1]
    return inner.split(", ") if inner else []


PYTHON_KEYS = KeySet(key_of("Python")) | KeySet(key_of("PythonTLSSnapshot"))


def without_python(keys):
    """Keys that a tensor has only because it was created in Python."""
    return keys - PYTHON_KEYS
