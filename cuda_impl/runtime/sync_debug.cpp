// The process-wide sync debug mode.
#include "cuda_impl/runtime/sync_debug.hpp"

#include <atomic>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"

namespace assay::cuda {
namespace {

std::atomic<SyncDebugMode>& mode_in_force() {
  static std::atomic<SyncDebugMode> mode{SyncDebugMode::kDefault};
  return mode;
}

constexpr const char* kText = "called a synchronizing CUDA operation";

}  // namespace

void set_sync_debug_mode(SyncDebugMode mode) { mode_in_force() = mode; }

void before_host_waits() {
  const SyncDebugMode mode = mode_in_force().load(std::memory_order_relaxed);
  require(mode != SyncDebugMode::kError, [] { return kText; });
  if (mode == SyncDebugMode::kWarn) warn("UserWarning", kText);
}

}  // namespace assay::cuda
