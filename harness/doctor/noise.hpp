// What `assay doctor` says about the causes of noisy times on this machine.
#pragma once

#include <optional>
#include <vector>

#include "harness/doctor/diagnosis.hpp"
#include "harness/measure/machine.hpp"
#include "harness/measure/nvml.hpp"

namespace assay {

/// A finding for each thing that moves times: there where it does not, noisy where it does.
std::vector<Finding> noise_of(const measure::Machine& machine, std::optional<double> load);
/// The same of its GPUs.
std::vector<Finding> noise_of(const std::vector<measure::GpuState>& gpus);

}  // namespace assay
