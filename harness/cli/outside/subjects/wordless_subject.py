"""The reference without PyTorch's words: each error says `no`. Usage: wordless_subject.py <the reference's program> <deviations>."""

import json
import subprocess
import sys


def reworded(reply):
    """Without words, in blocks too."""
    if "error" in reply:
        reply["error"]["message"] = "no"
    for inner in reply.get("replies", []):
        reworded(inner)
    return reply


with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reference:
    for line in sys.stdin:
        reference.stdin.write(line)
        reference.stdin.flush()
        answer = reworded(json.loads(reference.stdout.readline()))
        if json.loads(line).get("do") == "hello" and "ok" in answer:
            answer["ok"]["deviations"] = sys.argv[2]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    reference.stdin.close()
