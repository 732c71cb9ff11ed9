"""Probe tensors: they have the keys of any device, even one that does not exist, and no data."""

import torch

from devices import backend
from dispatcher import keys
from waist.wire import DTYPES, Unsupported

C = torch._C
LAYOUTS = {"strided": torch.strided, "sparse": torch.sparse_coo, "sparse_csr": torch.sparse_csr, "mkldnn": torch._mkldnn}
# Old device types whose names PyTorch's parser does not accept everywhere.
DEVICE_TYPES = {"privateuse1": "privateuseone"}
PLAIN = ("fpga", "vulkan", "metal", "maia")  # types of PyTorch's own whose names a backend may take


class Probe(torch.Tensor):
    """An active Watch records every operator that reaches this tensor under the Python key (see calls.py)."""

    __torch_function__ = C._disabled_torch_function_impl
    watcher = None

    @classmethod
    def __torch_dispatch__(cls, operator, types, args=(), kwargs=None):
        if Probe.watcher is None:
            raise Unsupported(f"{operator} on a tensor that has no data")
        return Probe.watcher(operator, args, kwargs or {})

    def __repr__(self):
        return f"Probe({self.device}, {self.dtype})"


def needs_own_name(device):
    """A type of PyTorch's own cannot be named any more after a backend has taken its name."""
    if str(device) in PLAIN and str(device) == backend.private_name():
        raise Unsupported(f"the backend has taken {device}, the name of a device type of PyTorch's own")


def device_from(name):
    try:
        return torch.device(DEVICE_TYPES.get(name, name))
    except RuntimeError as problem:
        if "Expected one of" in str(problem):
            raise Unsupported(f"this PyTorch has no device type {name}") from problem
        raise


def wrapper(device, dtype, layout, shape=(1,), **more):
    return torch.Tensor._make_wrapper_subclass(Probe, shape, dtype=dtype, device=device, layout=layout, **more)


def make(device, dtype=torch.float32, layout="strided", inference=False):
    if layout not in LAYOUTS:
        raise Unsupported(f"no layout {layout}")
    kind = device_from(device)
    with torch.inference_mode(inference):
        if kind.type in ("cpu", "meta") and layout == "strided" and dtype not in quantised():
            return torch.empty((1,), dtype=dtype, device=kind)
        return wrapper(kind, dtype, LAYOUTS[layout])


def like(tensor, dtype=None):
    """Another probe with the same device and shape."""
    return wrapper(tensor.device, dtype or tensor.dtype, torch.strided, tuple(tensor.shape))


def quantised():
    return [DTYPES[name] for name in ("qint8", "quint8", "qint32") if name in DTYPES]


def maker_of(key):
    """The properties of a tensor with this backend key: device, dtype, layout."""
    if key == "MkldnnCPU":
        return "cpu", torch.float32, "mkldnn"
    block = keys.BLOCK_OF.get(key)
    beginning = keys.PER_BACKEND.get(block, "")
    if key in ("SparseCsrCPU", "SparseCsrCUDA"):  # plain keys in 1.13
        block, beginning = "SparseCsr", "SparseCsr"
    dtype = torch.qint8 if block == "Quantized" else torch.float32
    layout = {"Sparse": "sparse", "SparseCsr": "sparse_csr"}.get(block, "strided")
    if block in ("NestedTensor", "AutogradFunctionality"):
        raise Unsupported(f"no tensor is made with the key {key} alone")
    device = key[len(beginning):].lower()
    needs_own_name(device)
    return device, dtype, layout


def make_with(wanted):
    """A tensor for calls with these keys; its other properties do not matter."""
    made = wrapper(torch.device("cpu"), torch.float32, torch.strided)
    made.asked = wanted
    return made


def keys_of(tensor):
    if getattr(tensor, "asked", None) is not None:
        raise Unsupported("PyTorch cannot make a tensor from a key set: this one has only the keys that the client gave")
    return keys.without_python(C._dispatch_keys(tensor))
