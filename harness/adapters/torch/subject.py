"""The subject: names and their objects, the contract, and which function answers which command."""

import gc
import os
import sys
import threading
import warnings
import weakref

import torch

import accelerator_area
import amp_area
import autocast_area
import autocast_state
import autograd_area
import backend
import bench_area
import core_area
import dispatch_area
import dispatch_keys
import graph_area
import memory_area
import module_area
import optim_area
import registrations
import runtime_area
import scaler_area
import simulated
from blocks import Blocks, Thread
from calls import CONVERSIONS
from wire import UNDEFINED, Callback, Invalid, Named, Unsupported, decode, encode

AREAS = {"core": core_area.COMMANDS, "amp": amp_area.COMMANDS, "optim": optim_area.COMMANDS,
         "scaler": scaler_area.COMMANDS, "dispatch": dispatch_area.COMMANDS, "autograd": autograd_area.COMMANDS,
         "autocast": autocast_area.COMMANDS, "module": module_area.COMMANDS,
         "runtime": runtime_area.COMMANDS, "memory": memory_area.COMMANDS,
         "graph": graph_area.COMMANDS, "sim": simulated.COMMANDS}
OF_ACCELERATORS = ("runtime", "memory", "graph")  # through torch.accelerator and the backend's module
HANDLERS = {**AREAS, "bench": bench_area.COMMANDS}  # nothing conforms to loops

# First that fits; a class stands before its bases.
ERROR_KINDS = [(NotImplementedError, "not_implemented"), (AssertionError, "assertion"), (IndexError, "index"),
               (KeyError, "key"), (AttributeError, "attribute"), (TypeError, "type"), (ValueError, "value"),
               (OverflowError, "value"), (RuntimeError, "error")]
RAISED = {"error": RuntimeError, "not_implemented": NotImplementedError, "type": TypeError, "value": ValueError,
          "index": IndexError, "key": KeyError, "attribute": AttributeError, "assertion": AssertionError,
          "out_of_memory": MemoryError}


# Messages of the dispatcher name files; where they lie is this machine's affair.
INSTALLED = os.path.dirname(torch.__file__)


def kind_of(problem):
    if "OutOfMemory" in type(problem).__name__ or isinstance(problem, MemoryError):
        return "out_of_memory"
    if code_of(problem) is not None or str(problem).startswith("CUDA error:"):
        return "device"
    if isinstance(problem, torch.cuda.DeferredCudaCallError):
        return "error"
    if type(problem) is RuntimeError and "INTERNAL ASSERT FAILED" in str(problem):
        return "internal"
    return next((kind for base, kind in ERROR_KINDS if isinstance(problem, base)), "error")


def code_of(problem):
    """What the driver answered, where PyTorch says it (2.8 and later)."""
    return getattr(problem, "error_code", None) if isinstance(problem, RuntimeError) else None


def error_reply(problem):
    reply = {"kind": kind_of(problem), "message": str(problem).replace(INSTALLED, "torch")}
    code = code_of(problem)
    return {**reply, "code": code} if code is not None else reply


def release_of(version):
    """The contract's release that a version of PyTorch is held to: the newest that is not newer."""
    major, minor = (int(part) for part in version.split(".")[:2])
    if (major, minor) >= (2, 11):
        return "2.11"
    return "2.4" if major >= 2 else "1.13"


# Of some kernels, on some machines: PyTorch says so once in a process.
ABOUT_SPEED = "This may be slower than using float"


class With:
    """The arguments of a command; those that no one asks for are reported as unsupported."""

    def __init__(self, given, decode_one, named_as=None):
        self.given, self.decode, self.left, self.named_as = given, decode_one, set(given), named_as
        self.takes_undefined = self.needs_tensor = False

    def __contains__(self, name):
        return name in self.given

    def raw(self, name):
        if name not in self.given:
            raise Invalid(f"lacks the argument '{name}'")
        self.left.discard(name)
        return self.given[name]

    def __getitem__(self, name):
        value = self.decode(self.raw(name))
        if value is None and name == "tensor" and self.needs_tensor:
            raise Invalid("'tensor' must be a tensor")
        if value is UNDEFINED and not self.takes_undefined:
            raise Unsupported("Python has no undefined tensor, only None where an operator takes one")
        return value

    def get(self, name, default=None):
        return self[name] if name in self.given else default

    def some(self, *names):
        """Those of the names that were given, as keyword arguments."""
        return {name: self[name] for name in names if name in self.given}

    def done(self):
        if self.left:
            raise Unsupported(f"has no argument '{sorted(self.left)[0]}' here")


class TorchSubject:
    def __init__(self, device):
        self.device = torch.device(device)
        # A simulated machine is new for every case, and may be told what it is to be before it is used.
        if self.device.type != "cpu" and not simulated.is_there():
            torch.empty(1, device=self.device)
        self.rules = backend.rules_of(self.device)
        simulated.printed_warnings()
        self.captures = {}  # graphs that are being captured, by the handle of their stream
        self.names, self.blocks = {}, Blocks(self)
        self.thread_is_spent = False  # are the thread's key sets not what a new thread has?
        self.once_given = False  # has PyTorch given a warning that it gives once in a process?
        self.asked = set()  # areas, since the last reset
        self.last = threading.local()  # the result of a thread's last command, as an object
        switch_reduced_precision_off()

    # -- commands ------------------------------------------------------------------------------------------------

    def answer(self, command):
        reply = self.execute(command)
        self.blocks.release_pending()
        return {"id": command.get("id") if isinstance(command, dict) else None, **reply}

    def execute(self, command):
        if not isinstance(command, dict) or not isinstance(command.get("do"), str):
            return {"invalid": "a command is an object with 'do'"}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            reply = self.outcome(command)
        self.once_given |= any("Warning only once" in str(w.message) for w in caught)
        found = [[w.category.__name__, str(w.message)] for w in caught if ABOUT_SPEED not in str(w.message)]
        found += simulated.printed_warnings()
        if found:
            reply["warnings"] = found
        return reply

    def outcome(self, command):
        self.last.result = self.last.problem = None  # which could hold what a command is to change
        try:
            if command["do"] in self.blocks.COMMANDS:
                return self.blocks.execute(command)
            return self.answered(self.run(command))
        except Invalid as problem:
            return {"invalid": f"{command['do']}: {problem}"}
        except Unsupported as problem:
            return {"unsupported": f"{command['do']}: {problem}"}
        except Exception as problem:  # whatever PyTorch raises is a reply
            return self.raised(problem)

    def raised(self, problem):
        lack = backend.is_accelerator(self.device) and backend.what_it_lacks(problem, self.device.type)
        if lack:
            return {"unsupported": lack}
        self.last.problem = problem
        return {"error": error_reply(problem)}

    @staticmethod
    def answered(results):
        """A handler names what it cannot see under `blind`."""
        blind = results.pop("blind", None)
        return {"ok": results, "blind": blind} if blind else {"ok": results}

    def run(self, command):
        verb = command["do"]
        handler = self.handler_of(verb)
        arguments = With(command.get("with", {}), self.decode, command.get("as"))
        arguments.takes_undefined = verb.startswith("dispatch.")
        arguments.needs_tensor = verb.startswith("core.")
        results = handler(self, arguments) or {}
        arguments.done()
        self.last.result = results.get("result")
        name = command.get("as")
        parts = results.pop("parts", {})
        if name is not None:
            self.bind(name, results, parts)
        digest = command.get("digest", 0)
        blind = {"blind": results.pop("blind")} if "blind" in results else {}
        if graph_area.is_captured() and verb not in ("core.read", "core.storage"):
            unseen = [key for key, value in results.items() if graph_area.is_unseen(value, self.name_of)]
            results = {key: value for key, value in results.items() if key not in unseen}
            blind = {"blind": blind.get("blind", []) + unseen} if unseen else blind
        try:
            return {**{key: encode(value, self.name_of, digest) for key, value in results.items()}, **blind}
        except NotImplementedError as problem:
            raise Unsupported("PyTorch reads no tensor here while this thread excludes its keys") from problem

    def handler_of(self, verb):
        if simulated.is_there() and not simulated.can_answer(verb):
            raise Unsupported("a simulated device runs no kernels")
        if "." not in verb:
            handler = SESSION_COMMANDS.get(verb)
        elif verb.split(".")[0] in OF_ACCELERATORS and backend.is_accelerator(self.device):
            handler = accelerator_area.COMMANDS.get(verb)
            if handler is None:
                raise Unsupported(f"PyTorch has this for CUDA alone, not for {self.device.type}")
        else:
            area = verb.split(".")[0]
            if area not in HANDLERS:
                raise Unsupported(f"no area {area}")
            self.asked.add(area)
            handler = HANDLERS[area].get(verb)
        if handler is None:
            raise Unsupported("no such command")
        return handler

    def next_thread(self, spent):
        """Another thread for the commands that come."""
        self.thread_is_spent = False
        if spent:
            spent.end()
        return Thread()

    # -- names ---------------------------------------------------------------------------------------------------

    def bind(self, name, results, parts):
        """`result` gets the name, unless it is made of parts: those get the name with a suffix.
        The reply shows the first name of what has several."""
        if name in self.names:
            raise Invalid(f"the name '{name}' is already bound")
        for suffix, part in parts.items():
            self.names[f"{name}.{suffix}"] = part
        if "result" in results and not parts:
            known = self.name_of(results["result"])
            self.names[name] = results["result"]
            if results["result"] is not None:  # which is not an object: the reply shows it as it is
                results["result"] = Named(known or name)

    def find(self, name):
        if name not in self.names:
            raise Invalid(f"nothing is named '{name}'")
        return self.names[name]

    def name_of(self, thing):
        if thing is None or isinstance(thing, (bool, int, float, str, complex, torch.dtype, torch.device)):
            return None
        return next((name for name, held in list(self.names.items()) if held is thing), None)

    def decode(self, value):
        if isinstance(value, dict) and ("tensor" in value or "sparse" in value):
            graph_area.refuse_values()
        try:
            return decode(value, self.find, self.device)
        except NotImplementedError as problem:
            raise Unsupported("PyTorch makes no tensor here while this thread excludes its keys") from problem

    def callback(self, name):
        """What the client's callback is to Python: a function."""
        return lambda *arguments, **named: self.blocks.call(name, arguments, named)


def switch_reduced_precision_off():
    torch.backends.cudnn.allow_tf32 = False
    for name in ("allow_tf32", "allow_fp16_reduced_precision_reduction", "allow_bf16_reduced_precision_reduction"):
        try:
            setattr(torch.backends.cuda.matmul, name, False)
        except (AssertionError, AttributeError):  # an older PyTorch, which does not reduce so
            continue


def hello(subject, given):
    wish = {name: given.get(name) for name in ("release", "device_rules", "deviations")}
    contract, areas = granted(subject, wish)
    return {"protocol": 1, "name": "torch", "version": torch.__version__, "devices": backend.devices_from(subject.device),
            "areas": areas, "threads": True, **contract, **left_out(subject.device)}


def granted(subject, wish):
    """The contract of this PyTorch, and the areas under it. An accelerator that computes as a CPU does has streams and
    memory of its own all the same: those go by CUDA's rules, if these are wished for."""
    own = {"release": release_of(torch.__version__), "device_rules": subject.rules, "deviations": "compat"}
    if not backend.is_accelerator(subject.device) or subject.rules == "cuda":
        return own, list(AREAS)
    if wish == {**own, "device_rules": "cuda"}:
        return wish, list(OF_ACCELERATORS)
    return own, [area for area in AREAS if area not in OF_ACCELERATORS]


def left_out(device):
    """What PyTorch has for CUDA alone is not offered on another device."""
    if not backend.is_accelerator(device):
        return {}
    verbs = (verb for area in OF_ACCELERATORS for verb in AREAS[area])
    return {"without": ["sim", *(verb for verb in verbs if verb not in accelerator_area.COMMANDS)]}


def reset(subject, given):
    if simulated.is_there():  # the process ends here
        return {"uncleaned": []}
    # Nothing ends a capture that is under way, or brings back a pool of streams or what the allocator holds and counts.
    uncleaned = sorted(subject.asked.intersection(OF_ACCELERATORS))
    if subject.device.type == "cuda" and uncleaned:
        return {"uncleaned": uncleaned}
    subject.asked.clear()
    subject.names.clear()
    subject.last = threading.local()  # problems hold what was there when they came up
    subject.blocks.reset()
    states_are_back = autocast_state.restore()
    registrations.restore()
    CONVERSIONS.forget()
    module_area.reset()
    gc.collect()
    gc.freeze()  # what is left is PyTorch's own, which is large: the next collection need not walk it again
    if subject.device.type == "cuda":
        torch.cuda.set_device(subject.device.index or 0)
    elif backend.is_accelerator(subject.device):
        accelerator_area.restore_streams()
        backend.select_first(subject.device)
    subject.thread_is_spent = not dispatch_keys.thread_is_clean()
    clash = registrations.OVERLOADS.forget()
    uncleaned = ["dispatch"] if subject.once_given or clash else []
    return {"uncleaned": uncleaned if states_are_back else [*uncleaned, "autocast"]}


def drop(subject, given):
    name = given.raw("object")["ref"]
    if subject.blocks.forget(name):
        return {}
    reason = getattr(subject.find(name), "undroppable", None)
    if reason:
        raise Unsupported(reason)
    del subject.names[name]
    return {}


def alias(subject, given):
    left, right = given["a"], given["b"]
    return {"result": storage_of(left) == storage_of(right)}


def storage_of(tensor):
    """What two tensors that look at one storage have in common, also where it holds nothing."""
    untyped = getattr(tensor, "untyped_storage", None)
    return (untyped() if untyped else tensor.storage().untyped())._cdata


def weak(subject, given):
    held = given["object"]
    if hasattr(held, "immortal"):
        raise Unsupported(held.immortal)
    return {"result": weakref.ref(held)}


def uses(subject, given):
    name = given.raw("object")["ref"]
    given["object"]  # what Python has no object for has no owners to count
    holders = sum(1 for held in subject.names.values() if held is subject.find(name))
    # getrefcount counts its own argument as well.
    return {"result": sys.getrefcount(subject.names[name]) - 1 - holders}


def leave(subject, given):
    given["guard"].__exit__(None, None, None)
    return {}


def raise_error(subject, given):
    problem = RAISED.get(given["kind"])
    if problem is None:
        raise Unsupported(f"PyTorch has no class of its own for {given['kind']}")
    raise problem(given["message"])


SESSION_COMMANDS = {
    "hello": hello,
    "reset": reset,
    "drop": drop,
    "same": lambda subject, given: {"result": given["a"] is given["b"]},
    "alias": alias,
    "uses": uses,
    "weak": weak,
    "gone": lambda subject, given: {"result": given["weak"]() is None},
    "leave": leave,
    "value": lambda subject, given: {"result": given["value"]},
    "raise": raise_error,
}


