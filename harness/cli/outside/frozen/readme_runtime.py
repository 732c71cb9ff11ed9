# my_runtime.py: a subject with one operator. Yours would call your runtime where this one computes.
import ctypes, json, sys

def float32(value): return ctypes.c_float(value).value
def int32(value): return ctypes.c_int32(value).value

def update_scale(scale, tracker, found_inf, growth, backoff, interval):
    if found_inf != 0:
        return float32(scale * backoff), 0
    tracker = int32(tracker + 1)
    return (float32(scale * growth), 0) if tracker == int32(interval) else (scale, tracker)

def read(value):                          # an int as it is; a float as exact text: {"f": "0x1p+16"}, inf, nan:7ff8000000000001
    if isinstance(value, dict) and "i" in value: return int(value["i"])
    if isinstance(value, dict): return float("nan") if value["f"].startswith("nan") else float.fromhex(value["f"])
    return value

def answer(command, given):
    if command == "hello":                # what this is, and what it wants to be held to
        return {"ok": {"protocol": 1, "name": "my_runtime", "version": "1", "devices": [{"device": "cuda:0"}], "areas": ["amp"],
                       "threads": False, "release": "2.11", "device_rules": "cuda", "deviations": "strict"}}
    if command == "reset":
        return {"ok": {"uncleaned": []}}
    if command == "amp.update_scale" and not any(isinstance(value, dict) and "tensor" in value for value in given.values()):
        names = "scale", "tracker", "found_inf", "growth", "backoff", "interval"
        scale, tracker = update_scale(*(read(given[name]) for name in names))
        return {"ok": {"scale": {"f": scale.hex()}, "tracker": tracker, "found_inf": given["found_inf"], "same": True}}
    return {"unsupported": command}       # the run goes on: the cases that need it are counted as unsupported

for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps({"id": message["id"], **answer(message["do"], message.get("with", {}))}), flush=True)
