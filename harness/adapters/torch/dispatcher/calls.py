"""Area dispatch: operator calls, and the kernels that ran in them."""

import contextlib
import threading

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from dispatcher import autocast_state, kernels, keys, operators, probes
from dispatcher.key_commands import Guard
from waist.wire import Unsupported

C = torch._C


WATCHED = threading.local()


class Watch(TorchDispatchMode):
    """Records the built-in operators that reach the Python key, which is above the backends' kernels.
    A thread needs only one. PyTorch propagates it to the threads of a backward."""

    def __enter__(self):
        WATCHED.depth = getattr(WATCHED, "depth", 0) + 1
        self.lists = kernels.RECORDS.open_lists()
        self.casts = autocast_state.own_rules_hold()
        return super().__enter__()

    def __exit__(self, *problem):
        WATCHED.depth -= 1
        return super().__exit__(*problem)

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if autocast_state.own_rules_held(self.casts):
            autocast_state.need_rule(operators.name_of_overload(operator), flat(args))
        with kernels.RECORDS.with_those(self.lists):
            if any(isinstance(value, probes.Probe) for value in flat(args)):
                return without_data(operator, args, kwargs)
            return seen(operator, args, kwargs, lambda: operator(*args, **kwargs))


def is_watched():
    """True if a Watch is active on this thread, entered here or propagated by PyTorch."""
    modes = getattr(torch.utils._python_dispatch, "_get_current_dispatch_mode_stack", list)
    return getattr(WATCHED, "depth", 0) > 0 or any(isinstance(mode, Watch) for mode in modes())


class Conversions:
    """The number of casts observed since the last reset, by all threads."""

    def __init__(self):
        self.count, self.lock = 0, threading.Lock()

    def add(self):
        with self.lock:
            self.count += 1

    @contextlib.contextmanager
    def uncounted(self):
        before = self.count
        try:
            yield
        finally:
            self.count = before

    def forget(self):
        with self.lock:
            self.count = 0


CONVERSIONS = Conversions()


def seen(operator, args, kwargs, go_on):
    name = operators.name_of_overload(operator)
    if name == "aten::_to_copy":
        if is_autocast_conversion(args, kwargs):
            CONVERSIONS.add()
    elif name == "aten::to.dtype" and args[0].dtype != args[1]:  # in inference mode it is not taken apart
        CONVERSIONS.add()
    elif name not in ("aten::detach", "aten::to.dtype") and not operators.is_ours(name):
        arguments = operators.all_arguments(operator._schema, args, kwargs)
        kernels.RECORDS.write({"op": name, "boxed": False, "arguments": kernels.shown(arguments)})
    return go_on()


def is_autocast_conversion(args, kwargs):
    """Autocast passes only a dtype; the backward of a cast passes all arguments."""
    asked = {name for name, value in kwargs.items() if value is not None and value is not False}
    return asked == {"dtype"} and kwargs["dtype"] != args[0].dtype


def without_data(operator, args, kwargs):
    """Runs an operator on tensors without data, for which only the arguments matter."""
    return seen(operator, args, kwargs, lambda: converted_or_made_up(operator, args, kwargs))


def converted_or_made_up(operator, args, kwargs):
    if operators.name_of_overload(operator) == "aten::_to_copy":
        return probes.like(args[0], kwargs.get("dtype"))
    return made_up(operator._schema, args)


def made_up(schema, arguments):
    """Results in place of those that a kernel would have computed."""
    first = next(tensor for tensor in flat(arguments) if isinstance(tensor, probes.Probe))
    returns = [probes.like(first) if str(one.type) == "Tensor" else None for one in schema.returns]
    return returns[0] if len(returns) == 1 else tuple(returns)


def flat(values):
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from flat(value)
        else:
            yield value


probes.Probe.watcher = staticmethod(without_data)


def composite_record(name):
    """A kernel for composite operators, which do not reach the backends' keys themselves."""
    def run(*arguments, **named):
        values = operators.all_arguments(operators.schema_of(name), arguments, named)
        kernels.RECORDS.write({"op": name, "boxed": False, "arguments": kernels.shown(values)})
        if any(isinstance(value, probes.Probe) for value in flat(values)):
            return made_up(operators.schema_of(name), values)
        return operators.entry(name)[1](keys.key_of("CompositeImplicitAutograd"), *arguments, **named)

    return run


@contextlib.contextmanager
def composite_watched(name, tensors):
    has = C._dispatch_has_kernel_for_dispatch_key
    if not has(name, "CompositeImplicitAutograd"):
        yield
        return
    library = C._dispatch_library("IMPL", "aten", "", "calls.py", 0)
    for key in {key for tensor in tensors for key in keys.names_in(C._dispatch_keys(tensor))
                if key.startswith("Autograd") and key in keys.BLOCK_OF}:
        if not has(name, key):
            library.impl(name, key, composite_record(name))
    try:
        yield
    finally:
        del library


@contextlib.contextmanager
def watched(name, arguments):
    """The context of an operator call in which its kernels can be observed."""
    tensors = [value for value in flat(arguments) if isinstance(value, torch.Tensor)]
    with contextlib.ExitStack() as stack:
        if not operators.is_ours(name):
            if any(getattr(tensor, "asked", None) is not None for tensor in tensors):
                raise Unsupported("PyTorch cannot make a tensor from a key set, and its own operators need one")
            stack.enter_context(autocast_state.held_until_rule(name, tensors))
            stack.enter_context(composite_watched(name, tensors))
            if not is_watched():
                stack.enter_context(Watch())
        yield


def for_key(name, key, arguments):
    there = C._dispatch_has_kernel_for_dispatch_key(name, keys.key_of(key))
    if not there and (key in keys.ALIASES or not C._dispatch_has_backend_fallback(keys.key_of(key))):
        raise Unsupported("this PyTorch does not check that there is a kernel, and would crash")
    return operators.call_for_key(name, keys.key_of(key), arguments)


@contextlib.contextmanager
def batched_kernels_are_unsupported():
    """Up to 2.4, Python kernels at a batched key are called inside a functorch level."""
    try:
        yield
    except RuntimeError as problem:
        if "maybe_level.has_value()" in str(problem):
            raise Unsupported("this PyTorch calls Python's kernels at batched keys inside of vmap only") from problem
        raise


def perform(name, given):
    arguments = given["args"]
    if "signature" in given:
        raise Unsupported("Python calls every operator boxed")
    if "below" in given or "depth" in given or "stack" in given:
        raise Unsupported("Python has no stack of its own")
    if given.get("boxed") and operators.has_schema(name) and len(arguments) < len(operators.schema_of(name).arguments):
        raise Unsupported("Python fills in defaults in every call")
    with watched(name, arguments), operators.lacks_are_unsupported():
        if "for_key" in given:
            return for_key(name, given["for_key"], arguments)
        if "keys" not in given:
            return operators.call(name, arguments)
        if not hasattr(C._DispatchOperatorHandle, "redispatch_boxed"):
            raise Unsupported("this PyTorch does not let Python redispatch with a set of keys")
        with batched_kernels_are_unsupported():
            return operators.redispatch(name, keys.set_from(given["keys"]), arguments)


def call(subject, given):
    name = operators.name_of(given["op"])
    with kernels.Recording() as recording:
        result = perform(name, given)
    results = {"result": list(result) if isinstance(result, tuple) else result, "ran": recording.entries}
    is_seen = operators.is_ours(name) or not ("keys" in given or "for_key" in given)  # whose set has no Python key
    if has_typed_kernels(name):
        kernels.RECORDS.write(kernels.UNSEEN)
    if has_typed_kernels(name) or kernels.UNSEEN in recording.entries or not is_seen:
        del results["ran"]
    blind = [member for member in ("ran",) if member not in results] + (["stack"] if "boxed" in given or "for_key" in given else [])
    return {**results, "blind": [*blind, "own"]}


def has_typed_kernels(name):
    """These do not record their calls."""
    return operators.is_ours(name) and "unboxed" in C._dispatch_dump(name)


def trace(subject, given):
    """A guard that records everything on its thread, including built-in operators."""
    recording = kernels.Recording()
    guard = Guard(lambda: recording)
    guard.recording = recording
    return {"result": guard}


def traced(subject, given):
    entries = given["trace"].recording.take()
    return {"blind": ["result", "own"]} if kernels.UNSEEN in entries else {"result": entries, "blind": ["own"]}


def handle(subject, given):
    if "signature" in given:
        raise Unsupported("Python calls every operator boxed")
    name = operators.name_of(given["op"])
    operators.entry(name)
    return {"result": operators.Operator(name)}


@contextlib.contextmanager
def casts_counted():
    """Counts casts in what runs inside, if there can be any, and records operators if they are traced.
    A watch is entered only that long, because it changes how PyTorch calls Python kernels."""
    wanted = autocast_state.any_enabled() or kernels.RECORDS.open_lists()
    with autocast_state.held_until_rule():
        if is_watched() or not wanted:
            yield
            return
        with Watch():
            yield


COMMANDS = {
    "dispatch.call": call,
    "dispatch.handle": handle,
    "dispatch.trace": trace,
    "dispatch.traced": traced,
}
