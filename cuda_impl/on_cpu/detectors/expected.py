"""The expected detector of each planted mistake, for each kind of build."""


class Says:
    """The program prints the words and goes on."""

    def __init__(self, *words, line=None, **variables):
        self.words, self.line = words, line
        self.variables = {"ASSAY_ON_CPU_" + name.upper(): value for name, value in variables.items()}


class Fails(Says):
    """The program prints the words, names the line of the source, and exits with a nonzero status."""


class Differs:
    """The result is wrong under at least one of the settings."""

    def __init__(self, *variations):
        self.variations = [{"ASSAY_ON_CPU_" + name.upper(): value for name, value in each.items()} for each in variations]


NOTHING = {}
EVERY_ORDER = Differs({"order": "forward"}, {"order": "reverse"})
PRIORITIES = Differs(*({"strategy": "pct", "seed": str(seed)} for seed in range(1, 21)))
LATE = Differs({"strategy": "lazy"})

PLAIN = {
    "writes_behind": [Says("something was written behind the end of byte 0 of 32 bytes on device 0", guard="1")],
    "writes_far_behind": [Fails("no device's", guard="1"), Fails("no device's")],
    "reads_before": [Fails("touched")],
    "reads_fresh_memory": [Differs(NOTHING)],
    "reads_fresh_shared": [Differs(NOTHING)],
    "reads_freed": [Fails("4 bytes on device 0 that were freed"), Differs({"guard": "1"})],
    "writes_misaligned": [Fails("misaligned access: 4 bytes at", "(716)", "block (0,0,0), thread (0,0,0)")],
    "forgets_syncthreads": [EVERY_ORDER],
    "forgets_syncwarp": [EVERY_ORDER],
    "diverges_at_barrier": [Fails("deadlock: 61 threads at a block barrier, 3 at a warp operation, 0 finished")],
    "shuffles_outside_of_mask": [Fails("a lane is not in the mask that it names")],
    "relies_on_order_of_threads": [EVERY_ORDER],
    "forgets_event": [PRIORITIES],
    "records_event_too_early": [PRIORITIES],
    "takes_open_gate_for_wait": [PRIORITIES],
    "copies_too_early": [PRIORITIES],
    "trusts_default_stream": [PRIORITIES],
    "reuses_staging_too_early": [LATE],
    "reads_copy_too_early": [LATE],
    "does_not_ask_long_enough": [LATE],
    "reads_before_host_function": [LATE],
    "copies_too_much": [Differs(NOTHING), Says("memcpy: expected 36 bytes from byte 0 of 32 bytes on device 0 on")],
    "frees_twice": [Says("free: expected the beginning of memory that is alive, saw")],
    "frees_what_is_not_its_own": [Says("free: expected the beginning of memory that is alive, saw")],
    "reads_on_host": [Fails("byte 0 of 32 bytes on device 0", "touched by the host", guard="1")],
    "leaks_memory": [Fails("32 bytes on device 0", leaks="fail"), Says("still alive at the end", leaks="say")],
    "leaks_stream": [Fails("streams: 1", leaks="fail")],
    "leaks_event": [Fails("events: 1", leaks="fail")],
}

ADDRESS = {
    "reads_before": [Fails("AddressSanitizer", "READ of size 4", line="*to = from[index]")],
    "reads_behind": [Fails("use-after-poison", "READ of size 4", line="*to = from[index]")],
    "writes_behind": [Fails("use-after-poison", "WRITE of size 4", line="to[index] = 1")],
    "reads_behind_static_shared": [Fails("use-after-poison", "READ of size 4", line="] = values[static_cast<int>(threadIdx.x) + shift]")],
    "writes_behind_dynamic_shared": [Fails("use-after-poison", "WRITE of size 4", line="+ shift] = static_cast<int>")],
    "writes_behind_local_array": [Fails("stack-buffer-overflow", "WRITE of size 4", line="first[index] = 1")],
    "reads_freed": [Fails("AddressSanitizer", line="*to = from[index]")],
}

RACE = "WARNING: ThreadSanitizer: data race"
THREAD = {
    "forgets_syncthreads": [Fails(RACE, "block (0,0,0) thread", line="= values[(threadIdx.x + 1) % kBlockThreads]")],
    "forgets_syncwarp": [Fails(RACE, "block (0,0,0) thread", line="= lanes[(threadIdx.x + 1) % kWarp]")],
    "raises_flag_plainly": [Fails(RACE, "block (0,0,0) thread (0,0,0)", "block (1,0,0) thread (0,0,0)", line="*flag = 1")],
    "forgets_threadfence": [Fails(RACE, line="sum += sums[block]")],
    "forgets_event": [Fails(RACE, line="*value *= 2"), Fails(RACE, line="*value += 1", strategy="lazy")],
    "records_event_too_early": [Fails(RACE, line="*value *= 2")],
    "takes_open_gate_for_wait": [Fails(RACE, line="*value *= 2")],
    "copies_too_early": [Fails(RACE, "a stream", line="*value += 1"), Fails(RACE, strategy="lazy")],
    "trusts_default_stream": [Fails(RACE, line="*value *= 2")],
    "reuses_staging_too_early": [Fails(RACE, "a stream", line="*staged.data() = 2")],
    "reads_copy_too_early": [Fails(RACE, "a stream", line="const auto seen")],
    "does_not_ask_long_enough": [Fails(RACE, "a stream", line="const auto seen")],
    "reads_before_host_function": [Fails(RACE, "a stream", line="const unsigned seen")],
    "frees_on_stream_too_early": [Fails(RACE, "a stream", line="*value += 1")],
}

ALL = {
    "settings": [
        ("ASSAY_ON_CPU_ORDER", "backward", "ASSAY_ON_CPU_ORDER is 'backward'; expected forward, reverse or shuffled"),
        ("ASSAY_ON_CPU_SEED", "-1", "ASSAY_ON_CPU_SEED is '-1'; expected a number"),
        ("ASSAY_ON_CPU_WORKERS", "two", "ASSAY_ON_CPU_WORKERS is 'two'; expected a number"),
        ("ASSAY_ON_CPU_STRATEGY", "quick", "ASSAY_ON_CPU_STRATEGY is 'quick'; expected eager, lazy, seeded or pct"),
        ("ASSAY_ON_CPU_GUARD", "yes", "ASSAY_ON_CPU_GUARD is 'yes'; expected 0 or 1"),
        ("ASSAY_ON_CPU_LEAKS", "tell", "ASSAY_ON_CPU_LEAKS is 'tell'; expected say or fail"),
        ("ASSAY_ON_CPU_STREAM_THREADS", "", "ASSAY_ON_CPU_STREAM_THREADS is ''; expected 0 or 1"),
        ("ASSAY_ON_CPU_DEVICES", "0", "ASSAY_ON_CPU_DEVICES is '0'; expected a number from 1 to 64"),
        ("ASSAY_ON_CPU_MULTIPROCESSORS", "4x", "ASSAY_ON_CPU_MULTIPROCESSORS is '4x'; expected a number from 1 to 1024"),
        ("ASSAY_ON_CPU_ODER", "forward", "ASSAY_ON_CPU_ODER is not a setting; the settings are"),
    ],
}
