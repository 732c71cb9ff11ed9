// Fibers: stacks for CUDA threads that wait.
#include "cuda_impl/on_cpu/scheduler/fibers/fiber.hpp"

#include <sys/mman.h>

#include <array>
#include <cstdio>
#include <new>

#include "cuda_impl/on_cpu/scheduler/fibers/context_switch.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"

namespace assay::cuda::on_cpu {
namespace {

constexpr std::size_t kPage = 4096;
/// Pages that are never touched use no memory.
constexpr std::size_t kStackBytes = 64 * kPage;
/// Without this flag, the resumed fiber would count as ordered after the suspended one.
constexpr unsigned kNoSync = 1;

}  // namespace

Fiber::Fiber(std::size_t number) : shift_(number % 32 * 128) {
  void* memory = mmap(nullptr, kStackBytes + kPage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  mprotect(memory_, kPage, PROT_NONE);  // detects stack overflow
  stack_bottom = memory_ + kPage;
  stack_bytes = kStackBytes;
  if (has_thread_sanitizer()) tsan_fiber = __tsan_create_fiber(0);
}

Fiber::~Fiber() {
  if (tsan_fiber != nullptr) __tsan_destroy_fiber(tsan_fiber);
  munmap(memory_, kStackBytes + kPage);
}

void Fiber::prepare(void (*entry)()) {
  stack_pointer = fresh_stack(memory_ + kPage + kStackBytes - shift_, entry);
}

void Fiber::name(const Dim3& block_index, const Dim3& thread_index) {
  if (tsan_fiber == nullptr) return;
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "block (%u,%u,%u) thread (%u,%u,%u)", block_index.x,
                block_index.y, block_index.z, thread_index.x, thread_index.y, thread_index.z);
  __tsan_set_fiber_name(tsan_fiber, text.data());
}

void switch_context(Context& from, Context& to) {
  if (has_address_sanitizer()) {
    __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom, to.stack_bytes);
  }
  if (has_thread_sanitizer()) __tsan_switch_to_fiber(to.tsan_fiber, kNoSync);
  switch_stack(&from.stack_pointer, to.stack_pointer);
  if (has_address_sanitizer()) __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
}

void leave_context(Context& from, Context& to) {
  if (has_address_sanitizer()) {
    __sanitizer_start_switch_fiber(nullptr, to.stack_bottom, to.stack_bytes);
  }
  if (has_thread_sanitizer()) __tsan_switch_to_fiber(to.tsan_fiber, kNoSync);
  switch_stack(&from.stack_pointer, to.stack_pointer);
  __builtin_unreachable();
}

void arrive_on_stack(Context& from) {
  if (!has_address_sanitizer()) return;
  __sanitizer_finish_switch_fiber(nullptr, &from.stack_bottom, &from.stack_bytes);
}

}  // namespace assay::cuda::on_cpu
