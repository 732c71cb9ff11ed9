"""What a kernel of Python gets instead of a probe: a tensor with the same keys, and no Python key among them.

PyTorch looks up a kernel in another way where an argument has the Python key, so a probe must not reach one.
"""

import contextlib
import threading
import weakref

import torch

from devices import backend
from dispatcher import keys, probes
from waist.wire import UNDEFINED, Unsupported

C = torch._C
CAN_FORCE = hasattr(C, "_ForceDispatchKeyGuard")


class Twin(torch.Tensor):
    __torch_function__ = C._disabled_torch_function_impl
    pretended = None

    def __repr__(self):
        return f"Twin({C._dispatch_keys(self)}, {self.pretended})"


def based_on(base, device, inference):
    """`base` with the backend of another device, whatever the thread includes and excludes."""
    with by_default(), torch.inference_mode(inference):
        return torch.Tensor._make_subclass(Twin, base(), False, device_for_backend_keys=torch.device(device))


def bases(probe, wanted):
    """The kind of tensor with such keys, from which the twin is made."""
    dtype = probe.dtype
    names = keys.names_in(wanted)
    if any(name.startswith("Quantized") for name in names):
        return lambda: torch.quantize_per_tensor(torch.ones(1), 1.0, 0, torch.qint8)
    if any(name.startswith("SparseCsr") for name in names):
        return lambda: torch.zeros(1, 1, dtype=dtype).to_sparse_csr()
    if any(name.startswith("Sparse") for name in names):
        return lambda: torch.sparse_coo_tensor(torch.zeros((1, 1), dtype=torch.int64), torch.ones(1, dtype=dtype), (1,))
    if "MkldnnCPU" in names:
        return lambda: torch.ones(1).to_mkldnn()
    return lambda: torch.empty(1, dtype=dtype, device="meta")


def devices_in(wanted):
    names = {keys.BLOCK_OF.get(name) and name[len(keys.PER_BACKEND[keys.BLOCK_OF[name]]):] for name in keys.names_in(wanted)}
    names.discard(None)
    return [probes.DEVICE_TYPES.get(name.lower(), name.lower()) for name in names] or ["cpu"]


def exact(probe, wanted):
    """A tensor to which PyTorch gives these keys, or None."""
    for device in devices_in(wanted):
        for inference in (False, True):
            try:
                made = based_on(bases(probe, wanted), device, inference)
            except RuntimeError:
                continue
            found = C._dispatch_keys(made)
            if keys.bits_of(found) == keys.bits_of(wanted):
                return made
            if not CAN_FORCE and keys.bits_of(beyond_defaults(found)) == keys.bits_of(beyond_defaults(wanted)):
                return made
    return None


def beyond_defaults(found):
    """Removes keys that have no effect under a thread's defaults: ADInplaceOrView is included anyway, and
    Autocast excluded."""
    for name in keys.names_in(found):
        if name.startswith("Autocast") or name == "ADInplaceOrView":
            found = found - keys.KeySet(keys.key_of(name))
    return found


FIRST = C._dispatch_tls_local_include_set(), C._dispatch_tls_local_exclude_set()
# Up to 2.4, the arguments' backend selects the mask of fallthroughs; later, the thread's sets do too.
MASK_SEES_THREAD = tuple(int(part) for part in torch.__version__.split(".")[:2]) > (2, 4)
DENSE = keys.KeySet(keys.key_of("Dense"))


def nowhere():
    """A device type without a backend component: a tensor moved there keeps no backend's key."""
    return next(name for name in probes.PLAIN if name != backend.private_name())


def without_keys(probe):
    """Its only key is Dense without a backend, which `pretending` excludes."""
    made = based_on(lambda: torch.empty(1, dtype=probe.dtype, device="meta"), nowhere(), True)
    if keys.bits_of(C._dispatch_keys(made)) & ~keys.bits_of(DENSE):
        raise Unsupported("this PyTorch makes no tensor without keys")
    return made


def twin_of(probe):
    twin = getattr(probe, "twin", None)
    if twin is not None:
        return twin
    asked = getattr(probe, "asked", None)
    wanted = asked if asked is not None else probes.keys_of(probe)
    twin = exact(probe, wanted)
    if twin is None:
        if not CAN_FORCE:
            raise Unsupported(f"this PyTorch makes no tensor with {wanted}")
        if not MASK_SEES_THREAD and devices_in(wanted) != ["cpu"]:
            raise Unsupported(f"this PyTorch finds the fallthrough mask of {wanted} by the arguments alone")
        twin = without_keys(probe)
        twin.pretended = wanted
    twin.origin = weakref.ref(probe)
    probe.twin = twin
    return twin


def same_sets(sets):
    here = C._dispatch_tls_local_include_set(), C._dispatch_tls_local_exclude_set()
    return [keys.bits_of(one) for one in here] == [keys.bits_of(one) for one in sets]


def by_default():
    """What is made here does not depend on the thread's included and excluded keys."""
    return C._ForceDispatchKeyGuard(*FIRST) if CAN_FORCE else contextlib.nullcontext()


def made_by_default(make):
    """Makes a probe and its twin."""
    with by_default():
        try:
            probe = make()
        except RuntimeError as problem:
            if CAN_FORCE or same_sets(FIRST):
                raise
            raise Unsupported("this PyTorch makes tensors by the keys that the thread includes and excludes") from problem
        if isinstance(probe, probes.Probe):
            with contextlib.suppress(Unsupported):
                twin_of(probe)
        return probe


def into(value):
    """Converts arguments and results before they are passed to PyTorch."""
    if isinstance(value, probes.Probe):
        return twin_of(value)
    if value is UNDEFINED:
        return None
    if isinstance(value, (list, tuple)):
        return type(value)(into(item) for item in value)
    return value


def back(value):
    """Converts them back."""
    if isinstance(value, Twin) and hasattr(value, "origin"):
        probe = value.origin()
        return value if probe is None else probe
    if isinstance(value, (list, tuple)):
        return type(value)(back(item) for item in value)
    return value


# -- keys that a tensor only pretends to have ------------------------------------------------------------------------

HERE = threading.local()


def tensors_in(values):
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from tensors_in(value)
        elif isinstance(value, torch.Tensor):
            yield value


def united_keys(tensors):
    united = keys.EMPTY
    for tensor in tensors:
        united = united | (C._dispatch_keys(tensor) if pretended_by(tensor) is None else tensor.pretended)
    return united


def pretended_by(tensor):
    return tensor.pretended if isinstance(tensor, Twin) else None


@contextlib.contextmanager
def pretending(values):
    """A call computes (keys of arguments | included) - excluded, so keys of arguments may be included instead."""
    tensors = list(tensors_in(values))
    if all(pretended_by(tensor) is None for tensor in tensors):
        yield
        return
    before = C._dispatch_tls_local_include_set(), C._dispatch_tls_local_exclude_set()
    united = united_keys(tensors)
    excluded = before[1] if (before[0] | united).has(keys.key_of("Dense")) else before[1] | DENSE
    outer, HERE.truth = getattr(HERE, "truth", None), before
    try:
        with C._ForceDispatchKeyGuard(before[0] | united, excluded):
            yield
    finally:
        HERE.truth = outer


@contextlib.contextmanager
def honest():
    """Inside a kernel: restores the thread's sets as they were around the call."""
    truth = getattr(HERE, "truth", None)
    if truth is None:
        yield
        return
    HERE.truth = None
    try:
        with C._ForceDispatchKeyGuard(*truth):
            yield
    finally:
        HERE.truth = truth
