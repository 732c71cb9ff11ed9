"""Reads command lines and writes reply lines; starts a new process after one that cannot be cleaned up."""

import gc
import json
import os
import sys


def serve(subject, lines, out, ends_after=lambda reset: False):
    """Answers until the input ends; returns True after a reset that this process cannot complete."""
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
    """Reads standard input by lines; `rest` is data that was read but not returned yet."""

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
    """Runs in a separate process, which returns unused input through `left`."""
    if serve(make(), lines, out, ends_after):
        while lines.rest:
            lines.rest = lines.rest[os.write(left, lines.rest):]
        os._exit(RESET)
    os._exit(0)


def read_all(pipe):
    with os.fdopen(pipe, "rb") as stream:
        return stream.read()


def serve_in_new_processes(make, out, ends_after):
    """Keeps a process ready in which PyTorch is still unused, to follow one that cannot be reset."""
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
