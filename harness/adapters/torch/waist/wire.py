"""Converts values of the protocol to PyTorch objects and back, without loss."""

import math
import struct
import warnings
import zlib

import torch

DTYPES = {
    name: getattr(torch, name)
    for name in ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool", "bfloat16",
                 "complex32", "bcomplex32", "complex64", "complex128", "qint8", "quint8", "qint32", "quint4x2", "quint2x4",
                 "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "uint16", "uint32", "uint64")
    if hasattr(torch, name)
}
DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}
CANONICAL_NAN = {torch.float16: 0x7E00, torch.bfloat16: 0x7FC0, torch.float32: 0x7FC00000,
                 torch.float64: 0x7FF8000000000000}
WORDS = {2: torch.int16, 4: torch.int32, 8: torch.int64}
EXACT_INT = 1 << 53
MASK = (1 << 64) - 1


class Invalid(Exception):
    """The message is invalid."""


class Unsupported(Exception):
    """This PyTorch, its device or its Python interface does not support the request."""


class Lacking(Unsupported):
    """The backend lacks its part of what this PyTorch supports for every device."""


class Callback:
    """A callback of the client; the interpreter of blocks runs it."""

    def __init__(self, name):
        self.name = name


class Undefined:
    """The undefined tensor, which Python operators represent as None."""


UNDEFINED = Undefined()


class NoDtype:
    """The undefined dtype, for which Python has no object."""


class Named:
    """A result that is returned as a reference with its existing name."""

    def __init__(self, name):
        self.name = name


def width_of(dtype):
    return torch.empty((), dtype=dtype).element_size()


def float_from_text(text):
    if text.startswith("nan:"):
        return struct.unpack("<d", struct.pack("<Q", int(text[4:], 16)))[0]
    return float(text) if text in ("nan", "inf", "-inf") else float.fromhex(text)


def text_of_float(value):
    if math.isnan(value):
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        return "nan" if bits == CANONICAL_NAN[torch.float64] else f"nan:{bits:x}"
    return ("inf" if value > 0 else "-inf") if math.isinf(value) else value.hex()


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def wrap(number):
    """The signed 64-bit number with the same bits as a Python int."""
    number &= MASK
    return number - (1 << 64) if number >> 63 else number


def mix_tensor(x):
    def shifted(y, by):
        return (y >> by) & ((1 << (64 - by)) - 1)

    x = (x ^ shifted(x, 30)) * wrap(0xBF58476D1CE4E5B9)
    x = (x ^ shifted(x, 27)) * wrap(0x94D049BB133111EB)
    return x ^ shifted(x, 31)


def elements_by_recipe(recipe, count, dtype):
    counter = torch.arange(count, dtype=torch.int64) * wrap(int(recipe["step"])) + wrap(int(recipe["start"]))
    if recipe["kind"] == "hash":
        counter = mix_tensor(counter)
    width = width_of(dtype)
    data = counter.view(torch.uint8).reshape(count, 8)[:, :width].contiguous().reshape(-1)
    elements = data.view(torch.uint8) if width == 1 else data.view(WORDS[width])
    for index, bits in recipe.get("set", []):
        elements[index] = wrap(int(bits, 16) << (64 - 8 * width)) >> (64 - 8 * width) if width > 1 else int(bits, 16)
    return elements.view(dtype)


def elements_by_bits(text, dtype):
    width = width_of(dtype)
    data = b"".join(bytes.fromhex(word)[::-1] for word in text.split())
    if not data:
        return torch.empty(0, dtype=dtype)
    if len(data) % width:
        raise Invalid("bits are not whole elements")
    return torch.frombuffer(bytearray(data), dtype=torch.uint8).clone().view(dtype)


def tensor_from(body, default_device):
    dtype = DTYPES.get(body["dtype"])
    if dtype is None:
        raise Unsupported(f"this PyTorch has no dtype {body['dtype']}")
    shape = body["shape"]
    device = device_from(body["device"]) if "device" in body else default_device
    if device.type == "meta":
        return torch.empty(shape, dtype=dtype, device=device)
    count = math.prod(shape)
    flat = elements_by_recipe(body["recipe"], count, dtype) if "recipe" in body else elements_by_bits(body["bits"], dtype)
    if flat.numel() != count:
        raise Invalid("bits do not fill the shape")
    tensor = flat.reshape(shape)
    if "strides" in body:
        reach = 1 + sum((n - 1) * s for n, s in zip(shape, body["strides"])) if count else 0
        spread = torch.zeros(reach, dtype=dtype).as_strided(shape, body["strides"])
        if 0 in body["strides"]:
            for index in (torch.nonzero(torch.ones(shape)) if count else []):
                spread[tuple(index)] = tensor[tuple(index)]
        else:
            spread.copy_(tensor)
        moved = torch.empty(reach, dtype=dtype, device=device).as_strided(shape, body["strides"])
        if device.type == "cpu":
            return spread if 0 in body["strides"] else torch.empty_strided(shape, body["strides"], dtype=dtype).copy_(spread).data
        base = torch.zeros(reach, dtype=dtype)
        base.as_strided(shape, body["strides"]).copy_(spread)
        moved = base.to(device)
        return moved.as_strided(shape, body["strides"])
    return tensor.clone().to(device)  # a tensor of its own, no view: autocast's cache tells them apart


def device_from(text):
    return torch.device(text)


def bytes_of(tensor, canonical=False):
    # Clones first: a single element counts as contiguous with any stride, and could not be viewed as bytes.
    flat = tensor.detach().cpu().reshape(-1).clone(memory_format=torch.contiguous_format)
    if canonical and flat.dtype in CANONICAL_NAN:
        words = flat.clone().view(WORDS[flat.element_size()])
        words[torch.isnan(flat)] = CANONICAL_NAN[flat.dtype]
        flat = words
    return flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""


def bits_text(tensor):
    width = tensor.element_size()
    data = bytes_of(tensor)
    return " ".join(data[i:i + width][::-1].hex() for i in range(0, len(data), width))


def device_text(device):
    return str(device)


def has_no_data(tensor):
    """Probe tensors."""
    return type(tensor).__name__ == "Probe"


def body_of(tensor, digest=0):
    body = {"dtype": DTYPE_NAMES[tensor.dtype], "shape": list(tensor.shape), "device": device_text(tensor.device)}
    if not tensor.is_contiguous():
        body["strides"] = list(tensor.stride())
    if tensor.device.type == "meta":
        return body
    if digest:
        data, step = bytes_of(tensor, canonical=True), digest * tensor.element_size()
        sums = [f"{zlib.crc32(data[i:i + step]):08x}" for i in range(0, len(data), step)]
        return {**body, "digest": {"block": digest, "crc": sums}}
    return {**body, "bits": bits_text(tensor)}


def sparse_from(body, default_device):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of making one, which no command asked about
        made = torch.sparse_coo_tensor(tensor_from(body["indices"], default_device),
                                       tensor_from(body["values"], default_device), body["shape"])
    return made._coalesced_(bool(body["coalesced"])).data  # which counts its versions from 0


def sparse_body(tensor):
    return {"shape": list(tensor.shape), "indices": body_of(tensor._indices().contiguous()),
            "values": body_of(tensor._values().contiguous()),
            "coalesced": tensor.is_coalesced()}


def named_tuple_from(body, decode):
    import collections
    made = collections.namedtuple(body["type"], [name for name, _ in body["fields"]])
    return made(*(decode(value) for _, value in body["fields"]))


def decode(value, names, default_device):
    """Converts a value of the protocol to a Python object. `names` resolves references."""
    if not isinstance(value, (dict, list)):
        return value

    def inner(item):
        return decode(item, names, default_device)

    if isinstance(value, list):
        return [inner(item) for item in value]
    if len(value) != 1:
        raise Invalid("a tagged value has one member, its tag")
    (tag, body), = value.items()
    readers = {
        "f": float_from_text,
        "i": int,
        "c": lambda pair: complex(float_from_text(pair[0]), float_from_text(pair[1])),
        "tuple": lambda items: tuple(inner(item) for item in items),
        "lazy": lambda items: iter([inner(item) for item in items]),
        "dict": lambda pairs: {inner(key): inner(item) for key, item in pairs},
        "named": lambda named: named_tuple_from(named, inner),
        "dtype": lambda name: DTYPES[name] if name in DTYPES else unsupported(f"no dtype {name}"),
        "device": device_from,
        "callable": Callback,
        "ref": names,
        "tensor": lambda tensor: tensor_from(tensor, default_device),
        "sparse": lambda sparse: sparse_from(sparse, default_device),
        "opaque": lambda kind: unsupported(f"an opaque {kind} cannot be passed in"),
        "generator": lambda body: torch.Generator(device=body["device"]).manual_seed(int(body["seed"])),
    }
    if tag not in readers:
        raise Invalid(f"no value has the tag '{tag}'")
    return readers[tag](body)


def unsupported(why):
    raise Unsupported(why)


def encode(value, name_of, digest=0):
    """Converts a Python object to a value of the protocol. `name_of` returns an object's name, or None."""
    def inner(item):
        return encode(item, name_of, digest)

    if isinstance(value, Named):
        return {"ref": value.name}
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= EXACT_INT else {"i": str(value)}
    if isinstance(value, float):
        return {"f": text_of_float(value)}
    if isinstance(value, complex):
        return {"c": [text_of_float(value.real), text_of_float(value.imag)]}
    if isinstance(value, torch.dtype):
        return {"dtype": DTYPE_NAMES[value]}
    if isinstance(value, NoDtype):
        return {"dtype": "undefined"}
    if isinstance(value, torch.device):
        return {"device": device_text(value)}
    name = name_of(value)
    if name is not None:
        return {"ref": name}
    if isinstance(value, torch.Tensor):
        if has_no_data(value):
            return {"opaque": "tensor without data"}
        return {"sparse": sparse_body(value)} if value.is_sparse else {"tensor": body_of(value, digest)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {"named": {"type": type(value).__name__, "fields": [[f, inner(getattr(value, f))] for f in value._fields]}}
    if isinstance(value, (tuple, torch.Size)):
        return {"tuple": [inner(item) for item in value]}
    if isinstance(value, list):
        return [inner(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[inner(key), inner(item)] for key, item in value.items()]}
    return {"opaque": type(value).__name__}
