// The controls of the simulated CUDA runtime, if this program is linked with it.
#pragma once

#include <cstdint>

namespace assay::cuda {

/// Is this program linked with the simulated runtime? Times measured on it are meaningless.
bool is_simulated();

/// The control functions; null in a program for GPUs.
extern "C" {
[[gnu::weak]] void assay_cudart_machine(int devices, int least, int greatest,
                                        std::int64_t memory_bytes, int peers, int blocks_launches);
[[gnu::weak]] void assay_cudart_driver(int is_there);
[[gnu::weak]] void assay_cudart_schedule(int strategy, std::uint64_t seed);
[[gnu::weak]] int assay_cudart_next_schedule();
[[gnu::weak]] int assay_cudart_step(void* stream, int count);
[[gnu::weak]] void assay_cudart_run();
[[gnu::weak]] int assay_cudart_pending();
[[gnu::weak]] int assay_cudart_pending_in(void* stream);
[[gnu::weak]] std::int64_t assay_cudart_now_ns();
[[gnu::weak]] void assay_cudart_advance_ns(std::int64_t ns);
[[gnu::weak]] const char* assay_cudart_permitted(const char* program);
[[gnu::weak]] const char* assay_cudart_log();
[[gnu::weak]] void assay_cudart_faults(const char* plan);
[[gnu::weak]] int assay_cudart_live(int kind);
[[gnu::weak]] int assay_cudart_has_context(int device);
[[gnu::weak]] void* assay_cudart_gate(void* stream, std::int64_t timeout_ms);
[[gnu::weak]] void assay_cudart_open(void* gate);
[[gnu::weak]] int assay_cudart_gate_state(void* gate);
[[gnu::weak]] void assay_cudart_forget_gate(void* gate);
[[gnu::weak]] int assay_cudart_kernel(void* stream, const char* name, std::int64_t ns,
                                      int fails_with);
[[gnu::weak]] void assay_cudart_recover();
[[gnu::weak]] void assay_cudart_reset();
}

}  // namespace assay::cuda
