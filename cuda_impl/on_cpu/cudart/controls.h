/* What a simulation has beside a runtime: for tests, by name, from any language. Texts that are
 * returned live until the next call from the same thread. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Before the first call that looks at the machine; -1 leaves a number as it is. Devices that access
 * each other's memory are in groups of `peers`. `blocks_launches`: launches wait for their kernels.
 */
void assay_cudart_machine(int devices, int least, int greatest, int64_t memory_bytes, int peers,
                          int blocks_launches);
/* 0: from now on there is no driver, and calls answer 35. */
void assay_cudart_driver(int is_there);
/* 0 eager, 1 lazy, 2 manual, 3 seeded, 4 by priorities that the seed gives, 5 exhaustive: the
 * program is run again for as long as assay_cudart_next_schedule says 1. */
void assay_cudart_schedule(int strategy, uint64_t seed);
int assay_cudart_next_schedule(void);
int assay_cudart_step(void* stream, int count);
void assay_cudart_run(void);
int assay_cudart_pending(void);
int assay_cudart_pending_in(void* stream);
int64_t assay_cudart_now_ns(void);
void assay_cudart_advance_ns(int64_t ns);

/* Every outcome of a litmus program (harness/protocol/areas/sim.md) on a machine of its own: the
 * number of visited states, 1 if some order waits for ever, then a line of numbers for each
 * outcome. For a text that is no program, `error: ` and why. */
const char* assay_cudart_permitted(const char* program);

/* Calls since the log was last taken, a line each. */
const char* assay_cudart_log(void);
/* Lines of `call occurrence after code sticky clears`, numbers but for the first; from now on. A
 * seventh word is the name of the thread that it strikes, `*` for any. */
void assay_cudart_faults(const char* plan);
/* Created and not destroyed: 0 streams, 1 events, 2 blocks of devices, 3 of the host */
int assay_cudart_live(int kind);
/* What was said of the fault that has lost the device; empty where there was none. */
const char* assay_cudart_why_lost(int device);
/* 1: from now on the host may not touch device memory outside copies; a touch ends the process. */
void assay_cudart_guard(int is_on);
/* What callers did wrong since this was last asked, a line each: ranges that end behind their
 * memory, memory freed twice or never allocated. */
const char* assay_cudart_complaints(void);
/* What was made and is still there, a line each; empty where all is gone. */
const char* assay_cudart_alive(void);
/* A device has a context once something was made on it. */
int assay_cudart_has_context(int device);

/* A gate stands in the stream: nothing behind it is done before it is open. */
void* assay_cudart_gate(void* stream, int64_t timeout_ms);
void assay_cudart_open(void* gate);
/* 0 closed, 1 open, 2 expired */
int assay_cudart_gate_state(void* gate);
void assay_cudart_forget_gate(void* gate);
/* A kernel that fills `count` elements of `size` bytes each. */
int assay_cudart_fill(void* stream, void* target, const void* element, int64_t size, int64_t count);
/* A kernel that does nothing; `fails_with` is the code that its running ends with. */
int assay_cudart_kernel(void* stream, const char* name, int64_t ns, int fails_with);

/* Nothing fails any more: no plan, no capture, no work, no device that is lost. */
void assay_cudart_recover(void);
/* The machine is as at the beginning: nothing is to be done, plans and logs are empty, the caller's
 * register is clear and its device the first, no device has a context, streams and events are gone.
 * Memory stays. */
void assay_cudart_reset(void);

#ifdef __cplusplus
}
#endif
