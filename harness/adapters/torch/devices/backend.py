"""The device under test, of any type: PyTorch's interface for it, from its module or torch.accelerator."""

import torch

from devices import simulated
from waist.wire import Lacking, Unsupported


def is_accelerator(device):
    """True for an accelerator, which has its own device type, in PyTorch or outside of it."""
    return device.type not in ("cpu", "cuda")


def rules_of(device):
    """The device rules for arithmetic; for an accelerator, determined by a computation."""
    if is_accelerator(device):
        return "cuda" if computes_like_cuda(device) else "cpu"
    return device.type


def module_of(kind):
    """torch.cuda, torch.npu, …; None if the backend registered no module."""
    if hasattr(torch, "get_device_module"):
        try:
            return torch.get_device_module(kind)
        except RuntimeError:
            return None
    return getattr(torch, kind, None)


def private_name():
    """The name of PrivateUse1 devices, as set by the backend if there is one."""
    ask = getattr(torch._C, "_get_privateuse1_backend_name", None)
    return ask() if ask else "privateuseone"


def refuse_old_name(text):
    """After a backend has renamed its devices, PyTorch accepts the old name as the new one."""
    if str(text).startswith("privateuseone") and private_name() != "privateuseone":
        raise Unsupported(f"privateuseone has another name here, {private_name()}")


def is_current_accelerator(kind):
    """torch.accelerator covers only one device type."""
    if not hasattr(torch, "accelerator"):
        return False
    current = torch.accelerator.current_accelerator()
    return current is not None and current.type == kind


def offered(kind, *names):
    """The first existing function of the backend's module or (with a leading dot) of torch.accelerator."""
    for name in names:
        if name.startswith("."):
            owner = torch.accelerator if is_current_accelerator(kind) else None
        else:
            owner = module_of(kind)
        found = getattr(owner, name.lstrip("."), None)
        if found is not None:
            return found
    raise Lacking(f"{kind} has no {names[0].lstrip('.')} in this PyTorch")


def in_full(name):
    """torch.accelerator.synchronize for ".synchronize"; torch.Stream as it is."""
    return f"torch.accelerator{name}" if name.startswith(".") else name


def is_offered(kind, *names):
    """True if PyTorch has one of these for every device type (".name" in torch.accelerator, "torch.Class.name"), or the backend's
    module has it. Classes are asked and no objects, whose attributes can fail."""
    return any(has(torch, name.removeprefix("torch.")) if name.startswith("torch.")
               else has(torch.accelerator if is_current_accelerator(kind) else None, name[1:]) if name.startswith(".")
               else has(module_of(kind), name) for name in names)


def has(owner, path):
    for name in path.split("."):
        owner = getattr(owner, name, None)
    return owner is not None


def index_in(device, kind):
    """The index of a device of this type, or None for the current one."""
    if device is None:
        return None
    device = torch.device(device)
    if device.type != kind:
        raise Unsupported(f"{device.type} is not the device under test, which is {kind}")
    return device.index


def count(kind):
    return offered(kind, ".device_count", "device_count")()


def devices_from(device):
    """The device under test, further devices of its type, and the CPU."""
    if device.type == "cpu":
        return [torch.device("cpu")]
    first = device.index or 0
    end = max(simulated.DEVICES if simulated.is_there() else counted(device.type), first + 1)
    return [*(torch.device(device.type, index) for index in range(first, end)), torch.device("cpu")]


def counted(kind):
    try:
        return count(kind)
    except Unsupported:
        return 1


def current(kind):
    """The current device. A guard without devices answers a negative index; the module may know better."""
    for name in (".current_device_index", "current_device"):
        try:
            index = offered(kind, name)()
        except Unsupported:
            continue
        if index >= 0:
            return torch.device(kind, index)
    raise Lacking(f"{kind} does not say which device is current")


def select(device):
    """Makes the device current. Modules take an index, a device, or both; torch.accelerator takes both."""
    offered(device.type, ".set_device_index", "set_device")(device.index)


def select_first(device):
    """The device under test; if the backend selects no device, none can have been selected."""
    try:
        select(torch.device(device.type, device.index or 0))
    except Unsupported:
        pass


class Selected:
    """Temporarily changes the current device."""

    def __init__(self, device):
        self.device = device
        offered(device.type, ".set_device_index", "set_device")

    def __enter__(self):
        self.before = current(self.device.type)
        if self.device.index is not None:
            select(self.device)
        return self

    def __exit__(self, *problem):
        select(self.before)


NOT_OFFERED = "Backend doesn't support "  # the bodies that c10's device guards have before a backend writes its own


def what_it_lacks(problem, kind):
    """The missing feature if PyTorch's error says that the backend lacks it; else None."""
    text = str(problem)
    if isinstance(problem, NotImplementedError) and text.startswith("Could not run 'aten::"):
        operator, _, rest = text.removeprefix("Could not run '").partition("'")
        where = rest.split(".")[0].lower()
        if any(place in where for place in (f"'autocast{kind}'", "'autocastprivateuse1'")):
            return f"the backend registers no fallthrough for autocast, which {operator} needs"
        if any(place in where for place in (f"'{kind}'", "'privateuse1'", f"'sparse{kind}'", "'sparseprivateuse1'")):
            return f"the backend has no kernel of {operator}"
        if operator in ("aten::_copy_from", "aten::_copy_from_and_resize"):  # only backends implement these: results are copied back by them
            return f"the backend has no kernel of {operator}"
    if text.startswith(("Please register PrivateUse1HooksInterface", "You should register `PrivateUse1HooksInterface`")):
        function = text.rpartition("`")[0].rpartition("`")[2]
        return "the backend registers no PrivateUse1HooksInterface" + (
            "" if "PrivateUse1HooksInterface" in function else f" with {function}")
    if text.startswith(f"PyTorch is not linked with support for {kind} devices"):
        return f"the backend registers no device guard of {kind}"
    if text.startswith(f"{kind} backend doesn't support events"):
        return f"the device guard of {kind} has no events"
    if text.startswith(NOT_OFFERED):
        return f"the device guard of {kind} does not offer {text.split('.')[0].removeprefix(NOT_OFFERED)}"
    if kind != "cuda" and ("CUDA driver version is insufficient" in text or "Found no NVIDIA driver" in text):
        return f"this PyTorch asks CUDA for it, whatever {kind} is"
    if isinstance(problem, NotImplementedError) and "_overrideable not implemented" in text:
        return f"the backend has no kernel of aten::{text.split()[0]}"
    if isinstance(problem, ValueError) and text == f"Unknown device type: {kind}":
        return f"torch.library.register_autocast of this PyTorch does not know {kind}"
    if isinstance(problem, NotImplementedError) and "nullptr storage" in text:
        return f"a tensor of {kind} shows no storage here"
    if f"Allocator for {kind} is not a DeviceAllocator" in text:
        return f"the allocator of {kind} is no c10::DeviceAllocator: it keeps no statistics and empties no cache"
    if text.startswith(f"Graph is not supported on device type: {kind}"):
        return f"the backend registers no graph of {kind} (REGISTER_GRAPH_IMPL), which torch.accelerator.Graph needs"
    if isinstance(problem, AssertionError) and text.startswith(f"Tried to use AMP with the `{kind}` backend"):
        return f"the backend's module has no get_amp_supported_dtype: {text.split('. ')[0]}"
    return None


def nan_as_half(device):
    return torch.tensor([float("nan")], device=device).to(torch.float16).cpu().view(torch.int16).item() & 0x7FFF


def computes_like_cuda(device):
    """A NaN converted to float16 has all bits set on CUDA, and is canonical on a CPU, but for a CPU of 2.4; relu keeps the
    sign of a zero on a CPU alone. False for a backend that cannot do this yet."""
    try:
        if nan_as_half(device) != 0x7FFF:
            return False
        return nan_as_half("cpu") != 0x7FFF or not torch.signbit(torch.relu(torch.tensor([-0.0], device=device)).cpu()).item()
    except Exception as problem:  # each backend lacks something else
        if what_it_lacks(problem, device.type):
            return False
        raise
