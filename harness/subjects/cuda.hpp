// The subjects `cuda` and `cuda_on_cpu`: programs of the CUDA implementation beside this one.
#pragma once

#include <string>

namespace assay {

/// The program that is the subject `cuda` or `cuda_on_cpu`. Throws UsageError where it was not
/// built, and says why that may be.
std::string cuda_program(const std::string& subject);

/// Asks assay-cuda for devices. Throws DeviceAbsent with its sentence where there is none.
void require_cuda_device(bool may_be_absent);

/// A sentence each on `cuda` and `cuda_on_cpu`, whether they can be run or not.
struct CudaFindings {
  std::string device;
  std::string on_cpu;
  bool has_device = false;
  bool can_run_on_cpu = false;
};
CudaFindings look_for_cuda();

}  // namespace assay
