// A stretch of work with a name, on the timelines of NVIDIA's profilers.
#pragma once

#include <string>

namespace assay::cuda {

/// From its beginning to its end, on this thread. Nothing where no profiler looks on, or where the
/// program was built without NVTX's header.
class NamedRange {
 public:
  explicit NamedRange(const std::string& name);
  ~NamedRange();
  NamedRange(const NamedRange&) = delete;
  NamedRange& operator=(const NamedRange&) = delete;
};

}  // namespace assay::cuda
