// CUDA event calls that select the right device and report to traces.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda_impl/runtime/stream.hpp"

namespace assay::cuda {

/// Creates an event on the current device. Raises `device`.
cudaEvent_t create_driver_event(unsigned flags);
/// The stream's device must be current.
void record_driver_event(cudaEvent_t event, const Stream& stream, bool is_external = false);
/// Makes the stream wait. Sets the stream's device for the call.
void block_driver_event(cudaEvent_t event, const Stream& stream, bool is_external = false);
/// Returns false for cudaErrorNotReady (600) and clears that error (FLT-007).
bool query_driver_event(cudaEvent_t event);
/// Waits, subject to the sync debug mode.
void synchronize_driver_event(cudaEvent_t event);
/// Sets the event's device for the call. A failure becomes a warning, or is ignored if `is_silent`
/// (releases that do not warn: EVT-022).
void destroy_driver_event(cudaEvent_t event, int device, bool is_silent) noexcept;
/// EVT-019
float elapsed_of_driver(cudaEvent_t from, cudaEvent_t to, int device);

}  // namespace assay::cuda
