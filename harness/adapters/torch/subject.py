"""The subject: named objects, and the function for each command."""

import re
import threading
import warnings

import torch

import session
from areas import HANDLERS, OF_ACCELERATORS, accelerator, graph
from devices import backend, simulated
from waist.arguments import Arguments
from waist.blocks import Blocks, Thread
from waist.errors import error_reply
from waist.wire import Invalid, Lacking, Named, Unsupported, decode, encode

# Issued by some kernels on some machines, once per process: about speed, and about a thread's first use of cuBLAS.
ABOUT_MACHINES = re.compile("This may be slower than using float|no current CUDA context")


class TorchSubject:
    def __init__(self, device, scaler=None, is_generic=False):
        self.device, self.scaler = torch.device(device), scaler
        self.is_generic = is_generic or backend.is_accelerator(self.device)  # are streams and memory asked by torch.accelerator?
        if not is_there(self.device):
            torch.empty(0, device=self.device)  # raises what this PyTorch says of it
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
            return {"invalid": "a command must be an object with 'do'"}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            reply = self.outcome(command)
        self.once_given |= any("Warning only once" in str(w.message) for w in caught)
        found = [[w.category.__name__, str(w.message)] for w in caught if not ABOUT_MACHINES.search(str(w.message))]
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
        except Lacking as problem:
            return {"unsupported": str(problem)}
        except Unsupported as problem:
            return {"unsupported": f"{command['do']}: {problem}"}
        except Exception as problem:  # whatever PyTorch raises is a reply
            return self.raised(problem)

    def raised(self, problem):
        lack = self.is_generic and backend.what_it_lacks(problem, self.device.type)
        if not lack and " not implemented for 'Half'" in str(problem) and torch.__version__.startswith("1."):
            lack = str(problem)  # its CPU has few kernels of this type; which ones is outside of the clauses
        if lack:
            return {"unsupported": lack}
        self.last.problem = problem
        return {"error": error_reply(problem)}

    @staticmethod
    def answered(results):
        """Handlers list fields that they cannot observe under `blind`."""
        blind = results.pop("blind", None)
        return {"ok": results, "blind": blind} if blind else {"ok": results}

    def run(self, command):
        verb = command["do"]
        handler = self.handler_of(verb)
        arguments = Arguments(command.get("with", {}), self.decode, command.get("as"))
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
        if graph.is_captured() and verb not in ("core.read", "core.storage"):
            unseen = [key for key, value in results.items() if graph.is_unseen(value, self.name_of)]
            results = {key: value for key, value in results.items() if key not in unseen}
            blind = {"blind": blind.get("blind", []) + unseen} if unseen else blind
        try:
            return {**{key: encode(value, self.name_of, digest) for key, value in results.items()}, **blind}
        except NotImplementedError as problem:
            raise Unsupported("PyTorch cannot read a tensor while this thread excludes its keys") from problem

    def handler_of(self, verb):
        if simulated.is_there() and not simulated.can_answer(verb):
            raise Unsupported("a simulated device runs no kernels")
        if "." not in verb:
            handler = session.COMMANDS.get(verb)
        elif verb.split(".")[0] in OF_ACCELERATORS and self.is_generic:
            if self.device.type == "cuda":
                self.asked.add(verb.split(".")[0])
            handler = accelerator.answer_to(verb, self.device.type)
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
        """Runs later commands on another thread."""
        self.thread_is_spent = False
        if spent:
            spent.end()
        return Thread()

    # -- names ---------------------------------------------------------------------------------------------------

    def bind(self, name, results, parts):
        """Names `result`; if it consists of parts, these get the name with a suffix.
        If an object has several names, the reply uses the first."""
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
            graph.refuse_values()
        try:
            return decode(value, self.find, self.device)
        except NotImplementedError as problem:
            lack = backend.is_accelerator(self.device) and backend.what_it_lacks(problem, self.device.type)
            if lack:
                raise Lacking(lack) from problem
            raise Unsupported("PyTorch cannot make a tensor while this thread excludes its keys") from problem

    def callback(self, name):
        """The client's callback as a Python function."""
        return lambda *arguments, **named: self.blocks.call(name, arguments, named)


def is_there(device):
    """Checks CUDA without initializing it: its allocator can be configured only before that."""
    if device.type == "cuda":
        return simulated.is_there() or (torch.cuda.is_available() and (device.index or 0) < torch.cuda.device_count())
    return device.type == "cpu"


def switch_reduced_precision_off():
    torch.backends.cudnn.allow_tf32 = False
    for name in ("allow_tf32", "allow_fp16_reduced_precision_reduction", "allow_bf16_reduced_precision_reduction"):
        try:
            setattr(torch.backends.cuda.matmul, name, False)
        except (AssertionError, AttributeError):  # an older PyTorch, which does not reduce so
            continue
