"""A subject in Python: the loop over commands, their values and names, and what is answered when something goes wrong.

    from assay.subject import Subject, library

    me = Subject("my_runtime", "1", areas=["amp"])

    @me.answers("amp.update_scale")
    def update_scale(scale: float, tracker: int, found_inf: float, growth: float, backoff: float, interval: int):
        with library():                   # what is raised in here is the library's error, and anything else the adapter's mistake
            ...
        return {"scale": ..., "tracker": ..., "found_inf": found_inf, "same": True}

    me.serve()

A function gets a command's arguments by name. If the command has others, or values of other types than the annotations, the answer
is `unsupported`, and so it is for a command without a function: the run counts these cases as unsupported and goes on. Needs nothing
but Python 3.8. The protocol's document describes all commands.
"""

import ctypes
import inspect
import json
import math
import os
import struct
import sys
import traceback

__all__ = ["Invalid", "Subject", "Tensor", "Unsupported", "float32", "int32", "library"]

EXACT = 1 << 53  # the largest integers that every reader of JSON keeps
# The first match applies, so classes precede their bases.
KINDS = [(NotImplementedError, "not_implemented"), (AssertionError, "assertion"), (IndexError, "index"), (KeyError, "key"),
         (AttributeError, "attribute"), (TypeError, "type"), (MemoryError, "out_of_memory"), ((ValueError, OverflowError), "value")]
# Of each dtype: the format of its elements for `struct`, and their bytes.
FORMATS = {"float64": ("d", 8), "float32": ("f", 4), "float16": ("e", 2), "bfloat16": (None, 2), "int64": ("q", 8), "int32": ("i", 4),
           "int16": ("h", 2), "int8": ("b", 1), "uint8": ("B", 1), "bool": ("?", 1)}


class Unsupported(Exception):
    """The runtime does not have this: no failure, but no pass either."""


class Invalid(Exception):
    """The command makes no sense, or the adapter could not read it: nothing that the runtime did."""


class _Raised(Exception):
    """An exception of the library."""


class library:
    """`with library():` around calls of the runtime. What they raise becomes the `error` of the reply."""

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if isinstance(problem, Exception) and not isinstance(problem, (Unsupported, Invalid)):
            raise _Raised from problem


def float32(value):
    """Rounded to float32, as a float."""
    return ctypes.c_float(value).value


def int32(value):
    """Wrapped to 32 bits, as a C++ int."""
    return ctypes.c_int32(value).value


def _bfloat16(value):
    bits = struct.unpack("<I", struct.pack("<f", float32(value)))[0]
    return 0x7FC0 if value != value else (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


class Tensor:
    """A tensor by value: `dtype`, `shape`, `device`, and the `bits` of each element in row-major order."""

    def __init__(self, dtype, shape, bits, device=None):
        self.dtype, self.shape, self.bits, self.device = dtype, list(shape), list(bits), device

    @classmethod
    def of(cls, dtype, values, shape=None, device=None):
        """From numbers, which are rounded to the dtype, to nearest even. Without a shape: one dimension."""
        kind, size = FORMATS[dtype]
        if kind is None:
            bits = [_bfloat16(value) for value in values]
        else:
            bits = [int.from_bytes(struct.pack("<" + kind, cls._rounded(kind, value)), "little") for value in values]
        return cls(dtype, [len(bits)] if shape is None else shape, bits, device)

    @staticmethod
    def _rounded(kind, value):
        if kind == "f":
            return float32(value)
        if kind == "e":
            try:
                struct.pack("<e", value)
            except OverflowError:
                return math.copysign(math.inf, value)
        return value

    @property
    def values(self):
        kind, size = FORMATS[self.dtype]
        if kind is None:
            return [struct.unpack("<f", struct.pack("<I", bits << 16))[0] for bits in self.bits]
        return [struct.unpack("<" + kind, bits.to_bytes(size, "little"))[0] for bits in self.bits]

    @classmethod
    def _read(cls, body):
        if body.get("dtype") not in FORMATS or "bits" not in body:
            raise Unsupported("only tensors whose bits are given")
        return cls(body["dtype"], body["shape"], [int(word, 16) for word in body["bits"].split()], body.get("device"))

    def _written(self, home):
        digits = 2 * FORMATS[self.dtype][1]
        return {"tensor": {"dtype": self.dtype, "shape": self.shape, "device": self.device or home,
                           "bits": " ".join(f"{bits:0{digits}x}" for bits in self.bits)}}


def _float_in(text):
    if text.startswith("nan:"):
        return struct.unpack("<d", struct.pack("<Q", int(text[4:], 16)))[0]
    return float(text) if text in ("nan", "inf", "-inf") else float.fromhex(text)


def _float_out(value):
    if math.isnan(value):
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        return "nan" if bits == 0x7FF8000000000000 else f"nan:{bits:x}"
    return ("inf" if value > 0 else "-inf") if math.isinf(value) else value.hex()


def _kind_of(problem):
    return next((kind for base, kind in KINDS if isinstance(problem, base)), "error")


class Subject:
    """`device`: where its tensors live. `device_rules` (`cpu` or `cuda`): whose rules it follows; those of its device, if none are given.
    `deviations`: `foreign` for a runtime that does not have PyTorch's words. `properties`: of its platform, such as `flushes_subnormals`.
    `without`: what it does not offer of its areas, which its verdict excuses then."""

    def __init__(self, name, version, areas, device="cpu", device_rules=None, release="2.15", deviations="strict", without=(),
                 properties=()):
        self.home, self.functions, self.on_reset = device, {}, lambda: None
        self.objects = {}  # by the names that the client gave them
        self.hello = {"protocol": 1, "name": name, "version": version, "devices": [{"device": device}], "areas": list(areas),
                      "threads": False, "release": release, "device_rules": device_rules or ("cpu" if device == "cpu" else "cuda"),
                      "deviations": deviations, **({"without": list(without)} if without else {}),
                      **({"properties": list(properties)} if properties else {})}

    def answers(self, *commands):
        """Makes a function the answer to these commands. It returns the results by name, as a dict; None is no results. What it calls
        `result` gets the command's name, if that has one, and is passed to later commands as the object that it is."""
        def note(function):
            for command in commands:
                self.functions[command] = function
            return function
        return note

    def resets(self, function):
        """Makes a function called between cases, after all names are gone."""
        self.on_reset = function
        return function

    def serve(self):
        """Answers until the input ends. What the runtime prints goes to standard error."""
        replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        for line in sys.stdin:
            replies.write(json.dumps(self.answer(line), allow_nan=False) + "\n")
            replies.flush()

    def answer(self, line):
        """The reply to a line, as a dict."""
        command = None
        try:
            command = json.loads(line)
            outcome = {"ok": self._results(command["do"], command.get("with", {}), command)}
        except _Raised as raised:
            problem = raised.__cause__
            outcome = {"error": {"kind": _kind_of(problem), "message": str(problem)}}
        except Unsupported as lack:
            outcome = {"unsupported": str(lack) or command["do"]}
        except Invalid as problem:
            outcome = {"invalid": str(problem)}
        except Exception as mistake:
            traceback.print_exc()
            outcome = {"invalid": f"{type(mistake).__name__}: {mistake}"}
        return {"id": command.get("id") if isinstance(command, dict) else None, **outcome}

    def _results(self, name, given, command):
        if name == "hello":
            return self.hello
        if name == "reset":
            self.objects.clear()
            self.on_reset()
            return {"uncleaned": []}
        if name == "drop":
            self.objects.pop(given["object"]["ref"])
            return {}
        if name == "same":
            return {"result": self._read(given["a"]) is self._read(given["b"])}
        if name not in self.functions:
            raise Unsupported(f"no command {name}")
        function = self.functions[name]
        results = function(**self._arguments(name, function, given)) or {}
        label = command.get("as")
        if label is not None:
            if label in self.objects:
                raise Invalid(f"the name '{label}' is taken")
            self.objects[label] = results.get("result")
        return {field: self._written(value, label if field == "result" else None) for field, value in results.items()}

    def _arguments(self, name, function, given):
        expected = inspect.signature(function).parameters
        takes_all = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in expected.values())
        for argument in given:
            if argument not in expected and not takes_all:
                raise Unsupported(f"{name} with the argument '{argument}'")
        arguments = {argument: self._read(value) for argument, value in given.items()}
        for argument, parameter in expected.items():
            if argument not in arguments:
                if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD:
                    raise Unsupported(f"{name} without the argument '{argument}'")
                continue
            if not self._fits(parameter.annotation, arguments[argument]):
                raise Unsupported(f"{name} with {type(arguments[argument]).__name__} as '{argument}'")
        return arguments

    @staticmethod
    def _fits(wanted, value):
        if wanted is inspect.Parameter.empty or not isinstance(wanted, type):
            return True
        return type(value) is wanted if wanted in (int, float, bool) else isinstance(value, wanted)

    def _read(self, value):
        if isinstance(value, list):
            return [self._read(item) for item in value]
        if not isinstance(value, dict):
            return value
        (tag, body), = value.items()
        if tag == "f":
            return _float_in(body)
        if tag == "i":
            return int(body)
        if tag == "c":
            return complex(*(_float_in(part) for part in body))
        if tag == "tensor":
            return Tensor._read(body)
        if tag == "tuple":
            return tuple(self._read(item) for item in body)
        if tag == "dict":
            return {self._read(key): self._read(item) for key, item in body}
        if tag == "ref":
            if body not in self.objects:
                raise Invalid(f"nothing is named '{body}'")
            return self.objects[body]
        if tag in ("dtype", "device"):
            return body
        raise Unsupported(f"no value of the kind '{tag}'")

    def _written(self, value, label=None):
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return value if abs(value) <= EXACT else {"i": str(value)}
        if isinstance(value, float):
            return {"f": _float_out(value)}
        if isinstance(value, complex):
            return {"c": [_float_out(value.real), _float_out(value.imag)]}
        if isinstance(value, (list, tuple)) and label is None:
            items = [self._written(item) for item in value]
            return items if isinstance(value, list) else {"tuple": items}
        if isinstance(value, dict) and label is None:
            return {"dict": [[self._written(key), self._written(item)] for key, item in value.items()]}
        name = label or next((name for name, object in self.objects.items() if object is value), None)
        if name is not None:
            return {"ref": name}
        return value._written(self.home) if isinstance(value, Tensor) else {"opaque": type(value).__name__}
