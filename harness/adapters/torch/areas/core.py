"""Area core: tensors, dtypes, devices, conversion and the arithmetic of a few operators."""

import warnings

import torch
import torch.nn.functional as F

from devices import backend
from dispatcher.calls import casts_counted
from dispatcher.operators import lacks_are_unsupported
from waist.wire import UNDEFINED, Unsupported

FORMATS = {"preserve": torch.preserve_format, "contiguous": torch.contiguous_format,
           "channels_last": torch.channels_last}


def make_tensor(subject, given):
    tensor = given["value"]
    if given.get("requires_grad", False):
        tensor.requires_grad_()
    return {"result": tensor}


def by_value(tensor):
    """The same elements without the name: a new view is a different object."""
    return tensor.detach() if tensor.is_sparse else tensor.detach().as_strided(
        tensor.shape, tensor.stride(), tensor.storage_offset())


def whole_storage(subject, given):
    tensor = given["tensor"]
    count = storage_bytes(tensor) // tensor.element_size()
    return {"result": tensor.detach().as_strided((count,), (1,), 0), "offset": tensor.storage_offset()}


def storage_bytes(tensor):
    untyped = getattr(tensor, "untyped_storage", None)
    if untyped:
        return untyped().nbytes()
    return tensor.storage().nbytes()


def is_dense(tensor):
    return torch.ops.aten.is_non_overlapping_and_dense(tensor) if hasattr(
        torch.ops.aten, "is_non_overlapping_and_dense") else tensor.is_contiguous()


def info(subject, given):
    tensor = given["tensor"]
    facts = {"dtype": tensor.dtype, "shape": list(tensor.shape), "device": tensor.device, "numel": tensor.numel(),
             "dim": tensor.dim(), "defined": True, "requires_grad": tensor.requires_grad, "leaf": tensor.is_leaf,
             "version": None if tensor.is_inference() else tensor._version}
    if tensor.is_inference():  # which counts no versions
        del facts["version"]
        facts["blind"] = ["version"]
    if tensor.is_sparse:
        facts["blind"] = facts.get("blind", []) + ["strides", "offset", "dense", "contiguous", "null"]
    else:
        facts.update(strides=list(tensor.stride()), offset=tensor.storage_offset(), dense=is_dense(tensor),
                     contiguous=tensor.is_contiguous(), null=tensor.data_ptr() == 0)
    return facts


def convert(subject, given):
    options = given.some("dtype", "device", "copy", "non_blocking")
    if "memory_format" in given:
        options["memory_format"] = FORMATS[given["memory_format"]]
    tensor = given["tensor"]
    return {"result": tensor.to(**options) if options else tensor.to(tensor.dtype)}


def fill(subject, given):
    with torch.no_grad():
        return {"result": given["tensor"].fill_(given["value"])}


def add_in_place(subject, given):
    with torch.no_grad():
        return {"result": given["tensor"].add_(given["other"])}


def copy_in_place(subject, given):
    with torch.no_grad():
        return {"result": given["dst"].copy_(given["src"], **given.some("non_blocking"))}


OPERATORS = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "neg": torch.neg, "relu": torch.relu,
    "mm": torch.mm, "addmm": torch.addmm, "linear": F.linear, "bmm": torch.bmm, "mv": torch.mv, "dot": torch.dot,
    "conv1d": F.conv1d, "sum": torch.sum, "mean": torch.mean, "norm": torch.norm, "max": torch.max, "any": torch.any,
    "softmax": torch.softmax, "layer_norm": F.layer_norm, "mse_loss": F.mse_loss, "cat": torch.cat, "stack": torch.stack,
}


def operate(subject, given):
    name = given["name"]
    if name not in OPERATORS:
        raise Unsupported(f"no operator {name}")
    arguments, named = given["args"], given.get("kwargs", {})  # made before anything is recorded
    with casts_counted(), lacks_are_unsupported():
        return {"result": OPERATORS[name](*arguments, **named)}


def dtype_facts(subject, given):
    dtype = given["dtype"]
    integral = not (dtype.is_floating_point or dtype.is_complex or dtype in QUANTISED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of making a tensor of it, which no command asked about
        size = quantised_size(dtype) if dtype in QUANTISED else torch.empty((), dtype=dtype).element_size()
    return {"blind": ["number"], "size": size, "floating": dtype.is_floating_point, "complex": dtype.is_complex,
            "integral_or_bool": integral, "integral": integral and dtype is not torch.bool,
            "signed": None if dtype in QUANTISED else dtype.is_signed}


QUANTISED = {getattr(torch, name) for name in ("qint8", "quint8", "qint32", "quint4x2", "quint2x4")
             if hasattr(torch, name)}


def quantised_size(dtype):
    return 4 if dtype is torch.qint32 else 1


def result_type(subject, given):
    """Python offers only pairs; the rule for more operands combines classes of operands and is not supported."""
    operands = given["operands"]
    if len(operands) != 2:
        raise Unsupported("torch.result_type takes two operands")
    before = torch.get_default_dtype()
    if "default" in given:
        torch.set_default_dtype(given["default"])
    try:
        return {"result": torch.result_type(*operands)}
    finally:
        torch.set_default_dtype(before)


def scalar_to(subject, given):
    """Filling converts a scalar in Python; a single element would use different code."""
    value, dtype = given["value"], given["dtype"]
    return {"result": torch.empty(2, dtype=dtype, device=subject.device).fill_(value)[0].clone()}


def device_facts(subject, given):
    backend.refuse_old_name(given["text"])
    device = torch.device(given["text"])
    return {"type": device.type, "index": -1 if device.index is None else device.index, "text": str(device)}


def new_device(subject, given):
    kind, index = given["type"], given["index"]
    backend.refuse_old_name(kind)
    if index > 127:
        raise Unsupported("Python truncates an index to eight bits before PyTorch sees it")
    if index < -1:
        raise Unsupported("Python cannot make a device with a negative index")
    return {"text": str(torch.device(kind) if index == -1 else torch.device(kind, index))}


def current_device(subject, given):
    if subject.device.type == "cpu":
        raise Unsupported("the CPU has no current device")
    return {"result": backend.current(subject.device.type)}


def set_device(subject, given):
    device = given["device"]
    if backend.is_accelerator(subject.device):
        backend.select(device)
    else:
        backend.offered(subject.device.type, "set_device")(device)
    return {}


def device_guard(subject, given):
    if backend.is_accelerator(subject.device):
        return {"result": backend.Selected(given["device"])}
    return {"result": backend.offered(subject.device.type, "device")(given["device"])}


def set_grad(subject, given):
    given["tensor"].grad = given["grad"]
    return {}


def empty(subject, given):
    return {"result": torch.empty(given["shape"], dtype=given["dtype"], device=given.get("device", subject.device))}


def backward(subject, given):
    given["tensor"].backward()
    return {}


def require_grad(subject, given):
    given["tensor"].requires_grad_(given["value"])
    return {}


COMMANDS = {
    "core.tensor": make_tensor,
    "core.undefined": lambda subject, given: {"result": UNDEFINED},
    "core.read": lambda subject, given: {"result": by_value(given["tensor"])},
    "core.storage": whole_storage,
    "core.info": info,
    "core.size": lambda subject, given: {"result": given["tensor"].size(given["dim"])},
    "core.as_strided": lambda subject, given: {"result": given["tensor"].as_strided(
        given["shape"], given["strides"], *([given["offset"]] if "offset" in given else []))},
    "core.expand": lambda subject, given: {"result": given["tensor"].expand(given["shape"])},
    "core.detach": lambda subject, given: {"result": given["tensor"].detach()},
    "core.empty": empty,
    "core.to": convert,
    "core.copy_": copy_in_place,
    "core.fill_": fill,
    "core.add_": add_in_place,
    "core.item": lambda subject, given: {"result": given["tensor"].item()},
    "core.op": operate,
    "core.dtype": dtype_facts,
    "core.promote_types": lambda subject, given: {"result": torch.promote_types(given["a"], given["b"])},
    "core.can_cast": lambda subject, given: {"result": torch.can_cast(given["from"], given["to"])},
    "core.result_type": result_type,
    "core.scalar_to": scalar_to,
    "core.device": device_facts,
    "core.device_new": new_device,
    "core.current_device": current_device,
    "core.set_device": set_device,
    "core.device_guard": device_guard,
    "core.set_grad": set_grad,
    "core.grad": lambda subject, given: {"result": given["tensor"].grad},
    "core.requires_grad_": require_grad,
    "core.backward": backward,
}
