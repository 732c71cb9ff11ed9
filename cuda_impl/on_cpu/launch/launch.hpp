// Kernels as work of the simulated runtime: their launches, the codes of their faults, and the
// settings of the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "cuda_impl/on_cpu/cudart/kernels.hpp"

namespace assay::cuda::on_cpu {

/// 716 for a misaligned address, 719 for other faults.
int fault_code(const std::string& reason);

/// Demangles a C++ name and leaves out its tags; returns other names unchanged.
std::string readable(const char* mangled);

/// At program start: an unknown variable ASSAY_ON_CPU_..., or one with an invalid value, is printed
/// as an error and ends the process with status 2.
void check_settings();

/// What a launch of a kernel needs. The span has static lifetime.
struct KernelCode {
  std::string name;  ///< mangled
  std::span<const std::uint32_t> parameter_bytes;
  /// One CUDA thread. `arguments[i]` is the address of argument i, aligned to 16 bytes.
  std::function<void(void* const* arguments)> call;
};

using KernelRun = decltype(Kernel::run);

/// For `Kernel::run`.
KernelRun run_of(KernelCode code);
/// The sum over all parameters.
std::size_t parameter_bytes(const KernelCode& code);

/// Called at static initialization by what knows the program's kernels. Reads the settings of the
/// environment. Returns true, for use in an initializer.
bool begin_program(FindVariable find);

}  // namespace assay::cuda::on_cpu
