// The subjects `cuda` and `cuda_on_cpu`: the programs of the CUDA implementation.
#pragma once

#include <string>

namespace assay {

/// The program of the subject `cuda` or `cuda_on_cpu`. Throws UsageError, with possible reasons, if
/// it was not built.
std::string cuda_program(const std::string& subject);
/// The program whose CUDA runtime does nothing; empty if it was not built.
std::string cuda_program_without_kernels();

/// Queries assay-cuda for devices. Throws DeviceAbsent with its message if there are none.
void require_cuda_device(bool may_be_absent);

/// One sentence each on whether `cuda` and `cuda_on_cpu` can be run.
struct CudaFindings {
  std::string device;
  std::string on_cpu;
  bool has_device = false;
  bool can_run_on_cpu = false;
};
CudaFindings look_for_cuda();

}  // namespace assay
