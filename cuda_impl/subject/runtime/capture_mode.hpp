// The argument `mode` of commands that begin a capture.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// Defaults to `global`.
inline cudaStreamCaptureMode capture_mode(Call& call) {
  const std::string mode = call.arguments().text("mode", "global");
  if (mode == "global") return cudaStreamCaptureModeGlobal;
  if (mode == "thread_local") return cudaStreamCaptureModeThreadLocal;
  if (mode == "relaxed") return cudaStreamCaptureModeRelaxed;
  throw InvalidArgument(call.command().verb + ": there is no mode '" + mode + "'");
}

}  // namespace assay::cuda
