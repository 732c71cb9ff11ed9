"""PyTorch as a subject: answers commands on standard input and output with the PyTorch that this Python imports."""

import argparse
import importlib
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from waist.serving import Lines, is_unclean, serve, serve_in_new_processes


def load(modules, option):
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception as problem:  # a backend may fail in its own way
            sys.exit(f"cannot import {name}, which {option} names: {type(problem).__name__}: {problem}")


def class_named(text):
    """MODULE:CLASS, the class of a scaler."""
    module, _, name = text.partition(":")
    load([module], "--scaler")
    kind = getattr(sys.modules[module], name, None)
    if not isinstance(kind, type):
        sys.exit(f"--scaler: the module {module} has no class '{name}'; expected MODULE:CLASS")
    return kind


def main():
    parser = argparse.ArgumentParser(prog="torch", description=__doc__)
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, mps, xpu, npu, …; default: cpu")
    parser.add_argument("--import", metavar="MODULE", action="append", default=[], dest="modules",
                        help="a module that brings the device, such as torch_npu; one with an entry point needs none")
    parser.add_argument("--scaler", metavar="MODULE:CLASS", help="answers the area scaler with this class in place of torch.amp.GradScaler")
    parser.add_argument("--generic", action="store_true",
                        help="asks torch.accelerator, and nothing of torch.cuda, for streams, memory and graphs of CUDA too")
    parser.add_argument("--simulated", metavar="LIBRARY",
                        help="a CUDA runtime that simulates its devices, in place of the machine's own")
    options = parser.parse_args()
    if options.simulated:
        from devices import simulated
        simulated.start_again_with(options.simulated)
        options.device = "cuda"

    # Standard output is reserved for the protocol; other output goes to standard error.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        from subject import TorchSubject
    except ImportError as problem:
        sys.exit(f"this Python ({sys.executable}) cannot import PyTorch: {problem}; `{sys.executable} -m pip install torch` "
                 "installs it, --python or ASSAY_PYTHON names another Python")
    load(options.modules, "--import")
    scaler = class_named(options.scaler) if options.scaler else None
    sys.setrecursionlimit(20000)  # kernels that call their own operator
    if options.simulated:
        import torch
        if not torch.backends.cuda.is_built():
            sys.exit(f"this PyTorch ({torch.__version__}) was built without CUDA: nothing of it runs on simulated devices")
        # Pools, counters and caches are new for each case.
        return serve_in_new_processes(lambda: TorchSubject(options.device, is_generic=options.generic), out, lambda reset: True)

    def make():
        try:
            return TorchSubject(options.device, scaler, options.generic)
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
