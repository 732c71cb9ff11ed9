"""Tensors for probing: they have the keys of any device, which need not exist, and no data."""

import torch

import keys
from wire import DTYPES, Unsupported

C = torch._C
LAYOUTS = {"strided": torch.strided, "sparse": torch.sparse_coo, "sparse_csr": torch.sparse_csr, "mkldnn": torch._mkldnn}
# Old device types whose names the parser of device texts does not take everywhere.
DEVICE_TYPES = {"privateuse1": "privateuseone"}


class Probe(torch.Tensor):
    """Every operator that reaches it under the Python key is written down by whoever watches (see calls.py)."""

    __torch_function__ = C._disabled_torch_function_impl
    watcher = None

    @classmethod
    def __torch_dispatch__(cls, operator, types, args=(), kwargs=None):
        if Probe.watcher is None:
            raise Unsupported(f"{operator} on a tensor that has no data")
        return Probe.watcher(operator, args, kwargs or {})

    def __repr__(self):
        return f"Probe({self.device}, {self.dtype})"


def device_from(name):
    try:
        return torch.device(DEVICE_TYPES.get(name, name))
    except RuntimeError as problem:
        if "Expected one of" in str(problem):
            raise Unsupported(f"this PyTorch has no device type {name}") from problem
        raise


def wrapper(device, dtype, layout, shape=(1,), **more):
    return torch.Tensor._make_wrapper_subclass(Probe, shape, dtype=dtype, device=device, layout=layout, **more)


def make(device, dtype=torch.float32, layout="strided", inference=False, **more):
    if layout not in LAYOUTS:
        raise Unsupported(f"no layout {layout}")
    kind = device_from(device)
    with torch.inference_mode(inference):
        if kind.type in ("cpu", "meta") and layout == "strided" and not more and dtype not in quantised():
            return torch.empty((1,), dtype=dtype, device=kind)
        return wrapper(kind, dtype, LAYOUTS[layout], **more)


def like(tensor, dtype=None):
    """Another one of the same device and shape."""
    return wrapper(tensor.device, dtype or tensor.dtype, torch.strided, tuple(tensor.shape))


def quantised():
    return [DTYPES[name] for name in ("qint8", "quint8", "qint32") if name in DTYPES]


def maker_of(key):
    """What a tensor must be made of to have this backend key: device, dtype, layout."""
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
    return key[len(beginning):].lower(), dtype, layout


def make_with(wanted):
    """A tensor that has these keys; those that come with the backend are there as well (see beyond_defaults)."""
    names = keys.names_in(wanted)
    backends = [name for name in names if keys.BLOCK_OF.get(name) in ("Dense", "Quantized", "Sparse", "SparseCsr")
                or name in ("FPGA", "Vulkan", "ORT", "MAIA", "MkldnnCPU", "SparseCsrCPU", "SparseCsrCUDA")]
    if not backends:
        raise Unsupported("Python makes no tensor without a backend key")
    device, dtype, layout = maker_of(backends[-1])
    for inference in (False, True):
        base = keys.without_python(C._dispatch_keys(make(device, dtype, layout, inference)))
        if not keys.names_in(beyond_defaults(base) - wanted):
            return with_more(wanted, base, lambda **more: make(device, dtype, layout, inference, **more))
    raise Unsupported(f"a tensor of {device} also has {beyond_defaults(base) - wanted}")


def beyond_defaults(found):
    """Without the keys that make no difference to a thread's defaults: ADInplaceOrView is included anyway, and
    Autocast excluded."""
    for name in keys.names_in(found):
        if name.startswith("Autocast") or name == "ADInplaceOrView":
            found = found - keys.KeySet(keys.key_of(name))
    return found


def with_more(wanted, base, build):
    if keys.bits_of(wanted | base) == keys.bits_of(base):
        return build()
    try:
        made = build(_extra_dispatch_keys=wanted)
    except TypeError as problem:
        raise Unsupported("this PyTorch adds no keys to a tensor") from problem
    lacking = wanted - C._dispatch_keys(made)
    if keys.names_in(lacking):
        raise Unsupported(f"this PyTorch does not add {lacking} to a tensor")
    return made
