#!/usr/bin/env python3
"""Another subject that claims better times than it has. Usage: cheating_subject.py <way> <program>.

Ways: `honest`; `clock`, whose clock is a hundred times slower; `before`, which works before its clock starts; `thread`, which has a
thread work, stops its clock and then waits; `cached`, which answers what it has answered before; `recognized`, which does so only where no
seed says that the answer must be another; `result`, which has a right checksum and a kept result; `formula`, which computes the checksum
without the work, and claims that work took 5 ns; `quick_formula`, which claims the time of the formula; `one_honest`, which claims the
whole time in one batch of eight that cannot be known; `late`, which answers one iteration as late as many."""

import json
import subprocess
import sys
import threading
import time

WAY, PROGRAM = sys.argv[1], sys.argv[2:]
FACTOR, MASK = 6364136223846793005, (1 << 64) - 1


def whole(number):
    return int(number["i"]) if isinstance(number, dict) else int(number)


def checksum_of(times, seed, token=1):
    """After so many equal steps, by squaring."""
    factor, added = 1, 0
    square, more = FACTOR, token
    while times:
        if times & 1:
            factor, added = factor * square & MASK, (added * square + more) & MASK
        square, more = square * square & MASK, (more * square + more) & MASK
        times >>= 1
    value = (seed * factor + added) & MASK
    return value - (1 << 64) if value >> 63 else value


class Cheat:
    def __init__(self, program):
        self.program, self.kept = program, {}
        self.unknown, self.longest = 0, 0

    def ask(self, command):
        self.program.stdin.write(json.dumps(command) + "\n")
        self.program.stdin.flush()
        return json.loads(self.program.stdout.readline())

    def loop(self, command):
        given = command["with"]
        key = (given["loop"], whole(given["n"]), given.get("clock"), given.get("whole"))
        if key in self.kept and (WAY == "cached" or (WAY == "recognized" and "seed" not in given)):
            return self.kept[key] | {"id": command["id"]}
        if "formula" in WAY and given["loop"] == "typed_1":
            begin = time.perf_counter_ns()
            checksum = checksum_of(whole(given["n"]), whole(given.get("seed", 0)) & MASK)
            taken = time.perf_counter_ns() - begin if WAY == "quick_formula" else 5 * whole(given["n"])
            return {"id": command["id"], "ok": {"ns": taken, "checksum": checksum, "via": "c++"}}
        if WAY == "thread":
            replies = []
            worker = threading.Thread(target=lambda: replies.append(self.ask(command)))
            worker.start()
            worker.join()
            reply, = replies
        else:
            begin = time.perf_counter()
            reply = self.ask(command)
            taken = time.perf_counter() - begin
        self.unknown += "seed" in given and key[1] > 1
        if WAY == "late" and key[1] == 1:
            time.sleep(self.longest)
        elif WAY == "late":
            self.longest = taken
        if "ok" in reply:
            self.claim(reply["ok"], key)
        return reply

    def claim(self, ok, key):
        if ok.pop("no_time", None):
            ok["ns"] = 50 * key[1]
        if WAY == "clock":
            ok["ns"] = whole(ok["ns"]) // 100
        elif WAY == "late" or (WAY == "one_honest" and self.unknown % 8 != 1):
            ok["ns"] = 1 + whole(ok["ns"]) // 100
        elif WAY in ("before", "thread"):  # what is left to its clock are the calls, of 2 ns
            ok["ns"] = 2 * key[1]
        elif WAY in ("cached", "recognized"):
            self.kept.setdefault(key, {"ok": ok | {"ns": 1 + whole(ok["ns"]) // 100}})
        elif WAY == "result" and "result" in ok:
            ok["result"] = self.kept.setdefault((key[0], key[1] % 2, *key[2:]), ok["result"])


def main():
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        cheat = Cheat(program)
        for line in sys.stdin:
            command = json.loads(line)
            print(json.dumps(cheat.loop(command) if command["do"] == "bench.run" else cheat.ask(command)), flush=True)
        program.stdin.close()


main()
