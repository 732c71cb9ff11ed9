#!/usr/bin/env python3
"""A subject without features that misbehaves once, in the given way. Usage: hostile_subject.py <way> <file that counts> [mark]."""

import ctypes
import json
import os
import signal
import sys
import time

WAY, COUNTER, MARK = (sys.argv + [""] * 3)[1:4]


def nth(what):
    """The number of times this was called, over all processes of the run."""
    with open(COUNTER + "." + what, "a+", encoding="ascii") as file:
        file.write("x")
        file.flush()
        return file.seek(0, os.SEEK_END)


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def sleeper(**more):
    """A child that keeps the inherited pipes open, and survives unless it is killed."""
    import subprocess  # slow, and seldom needed

    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)", MARK], **more)


def daemon():
    """An orphaned grandchild in its own session."""
    if os.fork() == 0:
        os.setsid()
        sleeper(start_new_session=True, env={})
        os._exit(0)
    os.wait()


def hoard():
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


def flood(stream, text):
    while True:
        stream.write(text)


def drip(data):
    for byte in data:
        raw(bytes([byte]))
        time.sleep(0.1)


def deaf_and_busy():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass


def forever():
    time.sleep(3600)


def stop_the_supervisor():
    os.kill(os.getppid(), signal.SIGSTOP)
    forever()


def pipe_of_the_supervisor():
    """Opened again: the one on which it reports how this process has ended."""
    folder = f"/proc/{os.getppid()}/fd"
    (pipe,) = {name for name in os.listdir(folder) if os.readlink(f"{folder}/{name}").startswith("pipe:") and int(name) > 2}
    return os.open(f"{folder}/{pipe}", os.O_WRONLY)


def report_for_the_supervisor():
    report = pipe_of_the_supervisor()
    os.kill(os.getppid(), signal.SIGSTOP)
    os.write(report, b"\0\0\0\0")
    forever()


def keep_the_pipe_of_the_supervisor():
    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # survives its parent
    report = pipe_of_the_supervisor()
    os.set_inheritable(report, True)
    os.kill(os.getppid(), signal.SIGKILL)
    forever()


def close(*descriptors):
    for descriptor in descriptors:
        os.close(descriptor)


def close_and_wait(*descriptors):
    close(*descriptors)
    forever()


def half_and_exit():
    sys.stdout.write('{"id":')
    sys.stdout.flush()
    os._exit(0)


def many_children():
    for _ in range(20):
        sleeper()
    os._exit(4)


def orphans():
    sleeper()
    daemon()
    os._exit(4)


def moves_away():
    os.setpgid(0, os.getpgid(os.getppid()))
    os.setsid()
    sleeper(start_new_session=True)
    forever()


def type_into_the_terminal(id):
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        say('{"id":%d,"unsupported":"there is no terminal"}' % id)
        return
    os.write(terminal, b"typed\n")
    os._exit(3)


def die(number):
    os.kill(os.getpid(), getattr(signal, number))
    forever()


def tensor(shape, bits):
    return json.dumps({"tensor": {"dtype": "float32", "shape": shape, "device": "cpu", "bits": bits}})


def ok(value):
    return '{"id":%(id)d,"ok":{"scale":' + value + ',"tracker":0,"found_inf":{"f":"0x0p+0"},"same":true}}'


WAYS = {
    # Deaths.
    **{"dies_of_" + name: lambda _, name=name: die(name)
       for name in ("SIGSEGV", "SIGABRT", "SIGFPE", "SIGILL", "SIGBUS", "SIGKILL", "SIGTERM", "SIGTRAP", "SIGHUP", "SIGUSR1", "SIGSYS")},
    "exits_with_3": lambda _: os._exit(3),
    "exits_with_0": lambda _: os._exit(0),
    "exits_in_mid_line": lambda _: half_and_exit(),
    "eats_memory": lambda _: hoard(),
    # Silence.
    "hangs": lambda _: forever(),
    "hangs_deaf_and_busy": lambda _: deaf_and_busy(),
    "stops_itself": lambda _: die("SIGSTOP"),
    "drips": lambda id: drip(b'{"id":%d, "unsupported": "%s"}' % (id, b"x" * 600)),
    "talks_in_another_format": lambda _: [say("yes?"), forever()],
    "answers_with_a_list": lambda id: [say('[{"id":%d,"ok":{}}]' % id), forever()],
    # Floods.
    "floods": lambda _: flood(sys.stdout, "noise " * 100 + "\n"),
    "floods_one_line": lambda _: flood(sys.stdout, "x" * (1 << 20)),
    "sends_a_long_text": lambda id: say(ok('"' + "x" * 4000000 + '"') % {"id": id}),
    "sends_a_long_list": lambda id: say('{"id":%d,"ok":{"scale":[%s]}}' % (id, "0," * 1000000 + "0")),
    "sends_a_long_error": lambda id: say('{"id":%d,"error":{"kind":"error","message":"%s"}}' % (id, "<" * 4000000)),
    "sends_a_long_reason": lambda id: say('{"id":%d,"unsupported":"%s"}' % (id, "<" * 4000000)),
    "sends_a_longer_line": lambda id: say('{"id":%d,"unsupported":"%s"}' % (id, "x" * 60000000)),
    "floods_errors": lambda _: flood(sys.stderr, "noise " * 100 + "\n"),
    "floods_errors_and_answers": lambda id: [sys.stderr.write("noise " * 300000), say('{"id":%d,"unsupported":"x"}' % id)],
    "floods_with_replies": lambda id: flood(sys.stdout, '{"id":%d,"unsupported":"x"}\n' % id),
    # Pipes.
    "closes_output": lambda _: close_and_wait(1),
    "closes_all": lambda _: close_and_wait(0, 1, 2),
    "closes_input": lambda id: [say('{"id":%d,"unsupported":"x"}' % id), close_and_wait(0)],
    "closes_errors": lambda id: [close(2), say('{"id":%d,"unsupported":"x"}' % id)],
    # Processes.
    "leaves_orphans": lambda _: orphans(),
    "leaves_many_children": lambda _: many_children(),
    "leaves_its_group_and_session": lambda _: moves_away(),
    "kills_its_parent": lambda _: [os.kill(os.getppid(), signal.SIGKILL), forever()],
    "kills_its_parent_and_leaves_daemons": lambda _: [daemon(), daemon(), os.kill(os.getppid(), signal.SIGKILL), forever()],
    "kills_its_parent_and_is_gone": lambda _: [daemon(), os.kill(os.getppid(), signal.SIGKILL), os._exit(0)],
    "stops_its_parent": lambda _: stop_the_supervisor(),
    "reports_for_its_parent": lambda _: report_for_the_supervisor(),
    "keeps_the_pipe_of_its_parent": lambda _: keep_the_pipe_of_the_supervisor(),
    "types_into_the_terminal": type_into_the_terminal,
    # Lies.
    "tells_another_id": lambda id: say('{"id":%d,"ok":{}}' % (id + 1)),
    "tells_a_huge_id": lambda id: say('{"id":%d,"ok":{}}' % 10**40),
    "tells_a_broken_id": lambda id: say('{"id":%d.5,"ok":{}}' % id),
    "tells_a_text_id": lambda id: say('{"id":"%d","ok":{}}' % id),
    "tells_no_id": lambda id: say('{"ok":{}}'),
    "tells_the_id_before": lambda id: say('{"id":%d,"ok":{}}' % (id - 1)),
    "answers_twice": lambda id: raw(b'{"id":%d,"unsupported":"x"}\n' % id * 2),
    "answers_twice_later": lambda id: [say('{"id":%d,"unsupported":"x"}' % id), time.sleep(0.1), say('{"id":%d,"unsupported":"x"}' % id)],
    "answers_two_things": lambda id: say('{"id":%d,"ok":{},"unsupported":"x"}' % id),
    "answers_nothing": lambda id: say('{"id":%d}' % id),
    "uses_an_unknown_tag": lambda id: say(ok('{"float":"1"}') % {"id": id}),
    "uses_a_wrong_tag": lambda id: say(ok('{"dtype":"float32"}') % {"id": id}),
    "breaks_a_float": lambda id: say(ok('{"f":"0x1p+99999999999999999999"}') % {"id": id}),
    "says_a_raw_NaN": lambda id: say(ok("NaN") % {"id": id}),
    "overflows_a_number": lambda id: say(ok("1e999999") % {"id": id}),
    "sends_a_huge_tensor": lambda id: say(ok(tensor([1 << 62, 1 << 62], "")) % {"id": id}),
    "sends_too_few_bits": lambda id: say(ok(tensor([2], "00")) % {"id": id}),
    "breaks_utf8": lambda id: raw(b'{"id":%d,"unsupported":"\xff\xfe\xc0"}\n' % id),
    "sends_nul_bytes": lambda id: raw(b'{"id":%d,"unsupported":"a\0b"}\n' % id),
    "nests_deeply": lambda id: raw(b'{"id":%d,"ok":{"x":' % id + b"[" * 1000000 + b"]" * 1000000 + b"}}\n"),
    "nests_deeply_with_tags": lambda id: raw(b'{"id":%d,"ok":{"x":' % id + b'{"list":[' * 300000 + b"\n"),
    "invents_a_kind_of_error": lambda id: say('{"id":%d,"error":{"kind":"surprise","message":"x"}}' % id),
    "forgets_a_field": lambda id: say('{"id":%d,"ok":{}}' % id),
    "writes_to_the_terminal": lambda id: raw(b'{"id":%d,"error":{"kind":"error","message":"\\u001b[2J\\u0007\\u0000"}}\n' % id),
    # During reset and hello.
    "dies_in_reset": lambda _: os._exit(9),
    "hangs_in_reset": lambda _: forever(),
    "errs_in_reset": lambda id: say('{"id":%d,"error":{"kind":"error","message":"no"}}' % id),
    "is_garbled_in_reset": lambda id: say('{"id":%d,"ok":' % id),
    "dies_in_hello_again": lambda _: os._exit(9),
    "never_says_hello": lambda _: os._exit(5),
    "is_garbled_in_hello": lambda _: say('{"ok"'),
    "errs_in_hello_again": lambda id: say('{"id":%d,"error":{"kind":"error","message":"no"}}' % id),
    "errs_in_second_hello": lambda id: say('{"id":%d,"error":{"kind":"error","message":"no"}}' % id),
    "is_another_after_a_restart": lambda id: say(json.dumps({"id": id, "ok": hello(release="2.4")})),
}
# The command at which it misbehaves: its verb and its number.
PLACES = {
    "in_reset": ("reset", {2}),
    "in_hello_again": ("hello", {4, 5}),
    "never_says_hello": ("hello", set(range(100))),
    "is_garbled_in_hello": ("hello", set(range(100))),
    "is_another": ("hello", {4}),
    "errs_in_second_hello": ("hello", {2}),
}


def hello(**other):
    return {"protocol": 1, "name": "hostile", "version": "1", "devices": [{"device": "cuda:0"}], "areas": ["amp"],
            "threads": False, "release": "2.15", "device_rules": "cuda", "deviations": "strict"} | other


def is_the_moment(verb):
    wanted, numbers = next((place for part, place in PLACES.items() if part in WAY), ("other", {3}))
    kind = verb if verb in ("hello", "reset") else "other"
    number = nth(kind)
    # Those that receive hello twice are restarted for a reason.
    if min(numbers) > 2 and wanted == "hello" and kind == "other" and number == 3:
        os._exit(7)
    return kind == wanted and number in numbers


def main():
    for line in sys.stdin:
        command = json.loads(line)
        reply = {"id": command["id"], "unsupported": "nothing here"}
        if command["do"] == "hello":
            reply = {"id": command["id"], "ok": hello()}
        elif command["do"] == "reset":
            reply = {"id": command["id"], "ok": {"uncleaned": []}}
        if is_the_moment(command["do"]):
            print("these are my last words", file=sys.stderr, flush=True)
            WAYS[WAY](command["id"])
        else:
            say(json.dumps(reply))


if __name__ == "__main__":
    main()
