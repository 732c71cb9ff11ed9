// Programs with a mistake, and their correct versions.
#pragma once

#include <span>
#include <vector>

namespace assay::cuda::on_cpu::detectors {

using Result = std::vector<unsigned>;

struct Mistake {
  const char* name;
  /// Returns the result of the program. `is_made`: with the mistake.
  Result (*run)(bool is_made);
};

std::span<const Mistake> memory_mistakes();
std::span<const Mistake> block_mistakes();
std::span<const Mistake> stream_mistakes();
std::span<const Mistake> call_mistakes();

}  // namespace assay::cuda::on_cpu::detectors
