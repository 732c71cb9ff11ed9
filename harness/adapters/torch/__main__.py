"""PyTorch as a subject: answers the waist on standard input and output with the PyTorch that this Python imports."""

import argparse
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


def serve(subject, lines, out, ends_at_reset=False):
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
        out.write(json.dumps(reply, allow_nan=False).encode() + b"\n")
        out.flush()
        if ends_at_reset and isinstance(command, dict) and command.get("do") == "reset":
            os._exit(RESET)


RESET = 64  # how a process ends that has answered a reset


def serve_in_new_processes(make, out):
    """Each case gets a process in which PyTorch has not touched a device yet: pools, counters and caches are new."""
    while True:
        child = os.fork()
        if child == 0:
            serve(make(), iter(sys.stdin.buffer.readline, b""), out, ends_at_reset=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            os.kill(os.getpid(), os.WTERMSIG(status))
        if os.WEXITSTATUS(status) != RESET:
            sys.exit(os.WEXITSTATUS(status))


def main():
    parser = argparse.ArgumentParser(prog="torch", description=__doc__)
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, mps, xpu, npu, …; default: cpu")
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
        sys.exit(f"this Python ({sys.executable}) cannot import PyTorch: {problem}")
    sys.setrecursionlimit(20000)  # kernels that call their own operator
    if options.simulated:
        import torch
        if not torch.backends.cuda.is_built():
            sys.exit(f"this PyTorch ({torch.__version__}) was built without CUDA: nothing of it runs on simulated devices")
        return serve_in_new_processes(lambda: TorchSubject(options.device), out)
    try:
        subject = TorchSubject(options.device)
    except Exception as problem:  # each PyTorch has its own way of not having a device
        sys.exit(f"this PyTorch has no device '{options.device}' here: {str(problem).splitlines()[0]}")
    serve(subject, sys.stdin.buffer, out)


if __name__ == "__main__":
    main()
