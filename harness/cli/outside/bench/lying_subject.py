#!/usr/bin/env python3
"""Another subject, which lies about its loops in the way it is told. Usage: lying_subject.py <way> <honest replies> <program>.

It is honest for so many replies to bench.run. Ways: `time` gives a time where there is none, and nothing else; `checksum`,
`result`, `launches` and `waits` do so too, and change what they are called after."""

import json
import subprocess
import sys

WAY, HONEST, PROGRAM = sys.argv[1], int(sys.argv[2]), sys.argv[3:]


def lie(reply):
    if WAY in ("checksum", "result"):
        reply["ok"][WAY] = 7
    elif WAY == "launches":
        reply["counts"]["launches"] -= 1
    elif WAY == "waits":
        reply["counts"]["host_reads"] = 1


def main():
    loops = 0
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        for line in sys.stdin:
            program.stdin.write(line)
            program.stdin.flush()
            reply = json.loads(program.stdout.readline())
            if '"bench.run"' in line and "ok" in reply:
                loops += 1
                if reply["ok"].pop("no_time", None):
                    reply["ok"]["ns"] = 100 * json.loads(line)["with"]["n"]
                if loops > HONEST:
                    lie(reply)
            print(json.dumps(reply), flush=True)
        program.stdin.close()


main()
