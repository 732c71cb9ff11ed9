// Counts what a call executes, instruction by instruction, for tests.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace assay::cuda {

/// Excludes the work inside the CUDA runtime.
struct Executed {
  std::int64_t instructions = 0;
  std::int64_t locked = 0;       ///< instructions that lock memory
  std::int64_t allocations = 0;  ///< calls of `operator new`
  std::int64_t launches = 0;
  std::int64_t runtime_calls = 0;  ///< with the launches
};

/// Runs `work` in a child process that is stepped through, so the caller sees none of its effects.
/// Empty where that cannot be done: on other processors than x86-64, with a real CUDA runtime,
/// under sanitizers, and where processes may not trace others.
std::optional<Executed> executed_by(const std::function<void()>& work);

}  // namespace assay::cuda
