// Faults that end a kernel, and state that its threads share.
#include "cuda_impl/on_cpu/ptx/faults.hpp"

#include <array>
#include <atomic>
#include <charconv>
#include <cstring>
#include <string>

#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

std::string hex(u64 number) {
  std::array<char, 16> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return "0x" + std::string(digits.data(), end);
}

template <class T>
T parameter(u64 address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

}  // namespace

void misaligned_access(u64 address, u32 bytes) {
  kernel_fault("misaligned access: " + std::to_string(bytes) + " bytes at " + hex(address));
}

void branch_out_of_range() { kernel_fault("brx.idx beyond its list of labels"); }

void trap() { kernel_fault("trap"); }

void function___assertfail(u64 message, u64 file, u64 line, u64, u64) {
  kernel_fault("assertion failed: " + std::string(parameter<const char*>(message)) + " (" +
               parameter<const char*>(file) + ":" + std::to_string(parameter<u32>(line)) + ")");
}

bool is_in_shared_memory(u64 address) {
  return address - reinterpret_cast<u64>(shared_memory()) < shared_memory_bytes();
}

u64 clock_ticks() {
  static std::atomic<u64> ticks;
  return ticks.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace assay::cuda::on_cpu::ptx
