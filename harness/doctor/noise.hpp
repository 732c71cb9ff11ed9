// The findings of `assay doctor` about causes of noisy times on this machine.
#pragma once

#include <optional>
#include <vector>

#include "harness/doctor/diagnosis.hpp"
#include "harness/measure/machine.hpp"
#include "harness/measure/nvml.hpp"

namespace assay {

/// One finding for each property that affects times: `there` if it is harmless, `noisy` if not.
std::vector<Finding> noise_of(const measure::Machine& machine, std::optional<double> load);
/// The same for its GPUs.
std::vector<Finding> noise_of(const std::vector<measure::GpuState>& gpus);

}  // namespace assay
