"""PyTorch as a subject: answers the waist on standard input and output with the PyTorch that this Python imports."""

import argparse
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


def serve(subject, lines, out):
    worker = None
    for line in lines:
        if not line.strip():
            continue
        try:
            command = json.loads(line)
        except ValueError as problem:
            reply = {"id": None, "invalid": f"not JSON: {problem}"}
        else:
            reply = worker.run(lambda: subject.answer(command)) if worker else subject.answer(command)
            if subject.thread_is_spent:  # what some guard left there shall not be seen by the next case
                worker = subject.next_thread(worker)
        out.write(json.dumps(reply, allow_nan=False).encode() + b"\n")
        out.flush()


def main():
    parser = argparse.ArgumentParser(prog="torch", description=__doc__)
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, mps, xpu, npu, …; default: cpu")
    options = parser.parse_args()

    # Standard output belongs to the protocol; whatever else prints goes to standard error.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        from subject import TorchSubject
    except ImportError as problem:
        sys.exit(f"this Python ({sys.executable}) cannot import PyTorch: {problem}")
    try:
        subject = TorchSubject(options.device)
    except (RuntimeError, AssertionError) as problem:
        sys.exit(f"this PyTorch has no device '{options.device}' here: {str(problem).splitlines()[0]}")
    sys.setrecursionlimit(20000)  # kernels that call their own operator
    serve(subject, sys.stdin.buffer, out)


if __name__ == "__main__":
    main()
