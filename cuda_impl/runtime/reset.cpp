// Resets all state of the runtime.
#include "cuda_impl/runtime/reset.hpp"

#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/runtime/backends/backend_registry.hpp"
#include "cuda_impl/runtime/logs.hpp"
#include "cuda_impl/runtime/stream_pool.hpp"
#include "cuda_impl/runtime/sync_debug.hpp"

namespace assay::cuda {

void reset_runtime(bool has_cuda) {
  forget_current_streams();
  forget_remembered_device();
  forget_pools();
  reset_backends(has_cuda);
  set_sync_debug_mode(SyncDebugMode::kDefault);
  take_log(LogLevel::kBackend);
  take_log(LogLevel::kTrace);
  Session::forget_cuda_devices();
}

}  // namespace assay::cuda
