// The last error, the log, and fault injection.
#include "cuda_impl/on_cpu/cudart/calls.hpp"

#include <pthread.h>

#include <array>
#include <cstdio>

#include "cuda_impl/on_cpu/cudart/kernels.hpp"

namespace assay::cuda::on_cpu {

namespace {

/// Limit of a thread's name.
constexpr std::size_t kMostLetters = 15;

std::string name_of_thread() {
  std::array<char, kMostLetters + 1> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

}  // namespace

ThreadState& thread_state() {
  thread_local ThreadState mine;
  return mine;
}

Calls& Calls::get() {
  static Calls* const calls = new Calls();
  return *calls;
}

void Calls::plan(std::vector<PlannedFault> faults) {
  plan_ = std::move(faults);
  counts_.clear();
  sticky_ = 0;
}

const PlannedFault* Calls::strikes(const std::string& call) {
  if (plan_.empty()) return nullptr;  // usual case; getting the thread's name is expensive
  const std::string thread = name_of_thread();
  const int number = ++counts_[call];
  const int number_here = ++counts_[call + "@" + thread];
  for (const PlannedFault& fault : plan_) {
    const bool is_any = fault.thread.empty();
    if (fault.call != call || (!is_any && fault.thread.substr(0, kMostLetters) != thread)) continue;
    if (fault.occurrence != 0 && fault.occurrence != (is_any ? number : number_here)) continue;
    if (fault.is_sticky) sticky_ = fault.code;
    return &fault;
  }
  return nullptr;
}

int Calls::complain(int code, std::string text) {
  if (has_program()) std::fprintf(stderr, "Simulated CUDA: %s\n", text.c_str());
  complaints_.push_back(std::move(text));
  return code;
}

void Calls::reset() {
  plan({});
  log_.clear();
  complaints_.clear();
}

std::set<int>& contexts() {
  static auto* const devices = new std::set<int>();
  return *devices;
}

LinePtr line_of(cudaStream_t stream) {
  Machine& machine = Machine::get();
  if (stream == nullptr || stream == cudaStreamLegacy) return machine.legacy(thread_state().device);
  if (stream == cudaStreamPerThread) return machine.per_thread(thread_state().device);
  return machine.line_numbered(reinterpret_cast<std::uintptr_t>(stream));
}

cudaStream_t handle_of(const LinePtr& line) {
  return reinterpret_cast<cudaStream_t>(static_cast<std::uintptr_t>(line->number));
}

std::string shown(cudaStream_t stream) {
  return "s" + std::to_string(reinterpret_cast<std::uintptr_t>(stream));
}

}  // namespace assay::cuda::on_cpu
