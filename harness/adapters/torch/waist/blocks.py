"""Blocks: lists of commands that the subject runs until one does not succeed."""

import collections
import itertools
import json
import queue
import threading

from waist.wire import Invalid, Unsupported


class Thread:
    """An OS thread that runs jobs until the next reset."""

    def __init__(self):
        self.jobs = queue.Queue()
        threading.Thread(target=self.work, daemon=True).start()

    def end(self):
        self.jobs.put((None, None))

    def work(self):
        while True:
            job, done = self.jobs.get()
            if job is None:
                return
            try:
                done.put((job(), None))
            except BaseException as problem:  # goes on in the thread that waits
                done.put((None, problem))

    def run(self, job):
        done = queue.Queue()
        self.jobs.put((job, done))
        result, problem = done.get()
        if problem is not None:
            raise problem
        return result



def outcome_of(reply):
    return next(name for name in ("ok", "error", "unsupported", "invalid") if name in reply)


def succeeded(replies):
    return not replies or "ok" in replies[-1]


def reply_to(replies, ok=None):
    """The reply of a block: ok, or its first failure."""
    if succeeded(replies):
        return {"ok": ok or {}, "replies": replies}
    last = replies[-1]
    return {outcome_of(last): last[outcome_of(last)], "replies": replies}


def local_name_of(reference, environment):
    """A part of a local object, `x.scale`, is renamed with the object."""
    name, dot, part = reference["ref"].partition(".")
    if reference["ref"] in environment:
        return environment[reference["ref"]]
    if not dot or name not in environment:
        return reference
    return {"ref": f"{environment[name]['ref']}.{part}"}


def substituted(value, environment):
    """The value with references to local names replaced."""
    if isinstance(value, list):
        return [substituted(item, environment) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"ref"}:
        return local_name_of(value, environment)
    return {key: substituted(item, environment) for key, item in value.items()}


class Blocks:
    COMMANDS = ("scope", "on", "together", "callback")

    def __init__(self, subject):
        self.subject = subject
        self.threads, self.callbacks, self.serial = {}, {}, itertools.count(1)
        self.pending = []  # names of callbacks, which live as long as the command that they were called in
        self.here = threading.local()

    def reset(self):
        self.callbacks.clear()
        for thread in self.threads.values():
            thread.end()
        self.threads.clear()

    def forget(self, name):
        return self.callbacks.pop(name, None) is not None

    def execute(self, command):
        return getattr(self, command["do"])(command)

    def block(self, commands):
        replies = []
        for command in commands:
            replies.append(self.subject.execute(command))
            if "ok" not in replies[-1]:
                break
        return replies

    def scope(self, command):
        guards, replies = [], []
        for enter in command.get("enter", []):
            name = enter.get("as") or f"guard#{next(self.serial)}"
            replies.append(self.subject.execute({**enter, "as": name}))
            if "ok" not in replies[-1]:
                break
            try:
                self.subject.find(name).__enter__()
            except Exception as problem:  # it is the command that could not enter
                given = {"warnings": replies[-1]["warnings"]} if "warnings" in replies[-1] else {}
                replies[-1] = {**self.subject.raised(problem), **given}
                break
            guards.append((name, "as" in enter))
        if succeeded(replies):
            given = [warning for reply in replies for warning in reply.get("warnings", [])]
            replies = self.block(command.get("body", []))
        else:
            given = [warning for reply in replies[:-1] for warning in reply.get("warnings", [])]
            replies = replies[-1:]  # the one that could not enter
        for name, is_named in reversed(guards):
            guard = self.subject.names.get(name)
            if guard is not None:
                guard.__exit__(None, None, None)
            if not is_named:
                self.subject.names.pop(name, None)
        return {**reply_to(replies), **({"warnings": given} if given else {})}

    def on(self, command):
        name = command.get("with", {}).get("thread")
        waiting = getattr(self.here, "chain", ())
        if name in waiting or (name == "main" and waiting):
            raise Invalid(f"thread '{name}' waits for this block to end")
        if name == "main":
            return reply_to(self.block(command.get("body", [])))
        thread = self.threads.setdefault(name, Thread()) if name not in self.threads else self.threads[name]

        def job():
            self.here.chain = (*waiting, name)
            try:
                return self.block(command.get("body", []))
            finally:  # another thread may drop what was the last result here
                self.subject.last.result = self.subject.last.problem = None

        return reply_to(thread.run(job))

    def together(self, command):
        times = command.get("with", {}).get("times", 1)
        seen = collections.OrderedDict()
        for _ in range(times):
            environment, made = {}, []
            threads = {name: self.renamed(block, environment, made) for name, block in command["threads"].items()}
            replies = self.round(threads)
            failed = next((reply for reply in replies if "ok" not in reply), None)
            observe = self.renamed(command.get("observe", []), environment, made)
            observed = self.block(observe) if failed is None else [failed]
            self.release(made)
            if not succeeded(observed):
                return reply_to(observed)
            key = json.dumps([reply["ok"] for reply in observed], sort_keys=True)
            for name, local in environment.items():
                key = key.replace(json.dumps(local, sort_keys=True), json.dumps({"ref": name}))
            seen[key] = seen.get(key, 0) + 1
        outcomes = [{"dict": [["seen", [{"dict": [[k, v] for k, v in ok.items()]} for ok in json.loads(key)]],
                              ["times", count]]} for key, count in seen.items()]
        return {"ok": {"outcomes": outcomes}}

    def round(self, blocks):
        barrier, last = threading.Barrier(len(blocks)), {}

        def run(name, commands):
            barrier.wait()
            replies = self.block(commands)
            last[name] = replies[-1] if replies else {"ok": {}}

        workers = [threading.Thread(target=run, args=item) for item in blocks.items()]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return list(last.values())

    def release_pending(self):
        made, self.pending = self.pending, []
        if made:
            self.release(made)

    def release(self, made):
        """Local names, including those of their parts."""
        for name in list(self.subject.names):
            if name.partition(".")[0] in made:
                self.subject.names.pop(name, None)

    def localized(self, commands, environment):
        """The block with the names that it binds replaced by new ones, including in inner blocks, and the new names."""
        made = []
        return self.renamed(commands, dict(environment), made), made

    def renamed(self, commands, environment, made):
        return [self.renamed_command(command, environment, made) for command in commands]

    def renamed_command(self, command, environment, made):
        inner = dict(command)
        for member in ("enter", "body", "observe"):
            if member in command and command["do"] != "callback":
                inner[member] = self.renamed(command[member], environment, made)
            elif member in command:
                inner[member] = substituted(command[member], environment)
        if "with" in command:
            inner["with"] = substituted(command["with"], environment)
        if "threads" in command:
            inner["threads"] = {name: substituted(block, environment) for name, block in command["threads"].items()}
        if "as" in command:
            inner["as"] = f"{command['as']}#{next(self.serial)}"
            environment[command["as"]] = {"ref": inner["as"]}
            made.append(inner["as"])
        return inner

    def callback(self, command):
        if "as" not in command:
            raise Invalid("a callback needs a name")
        self.callbacks[command["as"]] = command.get("body", [])
        return {"ok": {}}

    def call(self, name, arguments, named):
        """Runs a callback for PyTorch, with Python objects as arguments and result."""
        if name not in self.callbacks:
            raise Invalid(f"no callback is named '{name}'")
        environment, held = {}, []
        for key, value in [(f"${i}", value) for i, value in enumerate(arguments)] + [(f"${k}", v) for k, v in named.items()]:
            known = self.subject.name_of(value)
            local = known or f"{key}#{next(self.serial)}"
            if known is None:
                self.subject.names[local] = value
                held.append(local)
            environment[key] = {"ref": local}
        commands, made = self.localized(self.callbacks[name], environment)
        replies = self.block(commands)
        try:
            if not succeeded(replies):
                self.raise_again(replies[-1])
            return self.subject.last.result if replies and "result" in replies[-1]["ok"] else None
        finally:
            self.pending += held + made

    def raise_again(self, reply):
        if "error" in reply:
            raise self.subject.last.problem  # the very exception: PyTorch may wait for it
        problem = Unsupported if "unsupported" in reply else Invalid
        raise problem(f"in a callback: {reply[outcome_of(reply)]}")



