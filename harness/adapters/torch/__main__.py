"""PyTorch as a subject: answers the waist on standard input and output with the PyTorch that this Python imports."""

import argparse
import gc
import importlib
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


def serve(subject, lines, out, ends_after=lambda reset: False):
    """Answers until the lines end; or, and then the result is true, until a reset after which this process is spent."""
    worker = None
    for line in lines:
        if not line.strip():
            continue
        try:
            command = json.loads(line)
        except ValueError as problem:
            command = None
            reply = {"id": None, "invalid": f"not JSON: {problem}"}
        else:
            reply = worker.run(lambda: subject.answer(command)) if worker else subject.answer(command)
            if subject.thread_is_spent:  # what some guard left there shall not be seen by the next case
                worker = subject.next_thread(worker)
        ends = isinstance(command, dict) and command.get("do") == "reset" and ends_after(reply)
        if ends:
            reply["ok"] = {"uncleaned": []}  # of the process that comes
        out.write(json.dumps(reply, allow_nan=False).encode() + b"\n")
        out.flush()
        if ends:
            return True
    return False


def is_unclean(reset):
    return bool(reset.get("ok", {}).get("uncleaned"))


RESET = 64  # how a process ends that has answered a reset


class Lines:
    """Standard input by lines; `rest` is what was read and not asked for yet."""

    def __init__(self, rest=b""):
        self.rest = rest

    def __iter__(self):
        while True:
            line, end, rest = self.rest.partition(b"\n")
            if end:
                self.rest = rest
                yield line
                continue
            chunk = os.read(0, 1 << 16)
            if not chunk:
                self.rest = b""
                yield line
                return
            self.rest += chunk


def serve_once(make, lines, out, ends_after, left):
    """In a process of its own, which hands on through `left` what it has read too much."""
    if serve(make(), lines, out, ends_after):
        while lines.rest:
            lines.rest = lines.rest[os.write(left, lines.rest):]
        os._exit(RESET)
    os._exit(0)


def read_all(pipe):
    with os.fdopen(pipe, "rb") as stream:
        return stream.read()


def serve_in_new_processes(make, out, ends_after):
    """A process in which PyTorch has touched nothing yet comes after one that is spent, and is there at once."""
    gc.collect()
    gc.freeze()  # what PyTorch has made so far is shared, and not walked again
    lines = Lines()
    while True:
        left, right = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(left)
            serve_once(make, lines, out, ends_after, right)
        os.close(right)
        lines = Lines(read_all(left))
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            os.kill(os.getpid(), os.WTERMSIG(status))
        if os.WEXITSTATUS(status) != RESET:
            sys.exit(os.WEXITSTATUS(status))


def load(modules):
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception as problem:  # a backend may fail in its own way
            sys.exit(f"cannot import {name}, which --import names: {type(problem).__name__}: {problem}")


def main():
    parser = argparse.ArgumentParser(prog="torch", description=__doc__)
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, mps, xpu, npu, …; default: cpu")
    parser.add_argument("--import", metavar="MODULE", action="append", default=[], dest="modules",
                        help="a module that brings the device, such as torch_npu; one with an entry point needs none")
    parser.add_argument("--simulated", metavar="LIBRARY",
                        help="a CUDA runtime that simulates its devices, in place of the machine's own")
    options = parser.parse_args()
    if options.simulated:
        import simulated
        simulated.start_again_with(options.simulated)
        options.device = "cuda"

    # Standard output belongs to the protocol; whatever else prints goes to standard error.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        from subject import TorchSubject
    except ImportError as problem:
        sys.exit(f"this Python ({sys.executable}) cannot import PyTorch: {problem}; `{sys.executable} -m pip install torch` "
                 "installs it, --python or ASSAY_PYTHON names another Python")
    load(options.modules)
    sys.setrecursionlimit(20000)  # kernels that call their own operator
    if options.simulated:
        import torch
        if not torch.backends.cuda.is_built():
            sys.exit(f"this PyTorch ({torch.__version__}) was built without CUDA: nothing of it runs on simulated devices")
        # Pools, counters and caches are new for each case.
        return serve_in_new_processes(lambda: TorchSubject(options.device), out, lambda reset: True)

    def make():
        try:
            return TorchSubject(options.device)
        except Exception as problem:  # each PyTorch has its own way of not having a device
            hint = "" if options.modules else " (--import names the module that brings it)"
            print(f"this PyTorch has no device '{options.device}' here{hint}: {str(problem).splitlines()[0]}",
                  file=sys.stderr)
            sys.stderr.flush()
            os._exit(1)

    if not hasattr(os, "fork"):
        return serve(make(), Lines(), out)
    serve_in_new_processes(make, out, is_unclean)


if __name__ == "__main__":
    main()
