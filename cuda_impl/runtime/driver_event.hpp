// Events of the CUDA runtime: calls with the right device current, told to whoever traces them.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda_impl/runtime/stream.hpp"

namespace assay::cuda {

/// On the current device. Raises `device`.
cudaEvent_t create_driver_event(unsigned flags);
/// Into the stream, whose device must be current.
void record_driver_event(cudaEvent_t event, const Stream& stream, bool is_external = false);
/// With the stream's device current, for as long as it takes.
void block_driver_event(cudaEvent_t event, const Stream& stream, bool is_external = false);
/// 600 is an answer, and leaves the register clear (FLT-007).
bool query_driver_event(cudaEvent_t event);
/// Waits, under the mode of sync_debug.
void synchronize_driver_event(cudaEvent_t event);
/// With its device current, for as long as it takes; a failure is a warning, or nothing where the
/// release says nothing (EVT-022).
void destroy_driver_event(cudaEvent_t event, int device, bool is_silent) noexcept;
/// EVT-019
float elapsed_of_driver(cudaEvent_t from, cudaEvent_t to, int device);

}  // namespace assay::cuda
