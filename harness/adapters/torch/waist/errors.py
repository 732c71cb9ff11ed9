"""Converts PyTorch's exceptions to errors of the protocol and back."""

import os

import torch

# The first match applies, so classes precede their bases.
ERROR_KINDS = [(NotImplementedError, "not_implemented"), (AssertionError, "assertion"), (IndexError, "index"),
               (KeyError, "key"), (AttributeError, "attribute"), (TypeError, "type"), (ValueError, "value"),
               (OverflowError, "value"), (RuntimeError, "error")]
RAISED = {"error": RuntimeError, "not_implemented": NotImplementedError, "type": TypeError, "value": ValueError,
          "index": IndexError, "key": KeyError, "attribute": AttributeError, "assertion": AssertionError,
          "out_of_memory": MemoryError}


# The dispatcher's messages contain paths, which depend on the machine.
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
    """The driver's code, if PyTorch reports it (2.8 and later)."""
    return getattr(problem, "error_code", None) if isinstance(problem, RuntimeError) else None


def error_reply(problem):
    reply = {"kind": kind_of(problem), "message": str(problem).replace(INSTALLED, "torch")}
    code = code_of(problem)
    return {**reply, "code": code} if code is not None else reply
