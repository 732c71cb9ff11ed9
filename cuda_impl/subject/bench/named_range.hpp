// A named range in the timelines of NVIDIA's profilers.
#pragma once

#include <string>

namespace assay::cuda {

/// Lasts for the scope on this thread. Has no effect without a profiler, or if the program was
/// built without the NVTX header.
class NamedRange {
 public:
  explicit NamedRange(const std::string& name);
  ~NamedRange();
  NamedRange(const NamedRange&) = delete;
  NamedRange& operator=(const NamedRange&) = delete;
};

}  // namespace assay::cuda
