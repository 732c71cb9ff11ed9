// Provides the simulated runtime with the program's kernels and variables, as translated from its
// PTX.
#include "cuda_impl/on_cpu/launch/launch.hpp"
#include "cuda_impl/on_cpu/ptx/translated.hpp"

/// Defined by each program for its kernels.
extern const int assay_on_cpu_architecture;

namespace assay::cuda::on_cpu {
namespace {

bool complete_kernel(Kernel& kernel) {
  const TranslatedKernel* const found = find_translated_kernel(kernel.name);
  if (found == nullptr) return false;
  KernelCode code{kernel.name, found->parameter_bytes, found->run, found->static_shared_bytes,
                  found->shared};
  kernel.static_shared_bytes = found->static_shared_bytes;
  kernel.parameter_bytes = parameter_bytes(code);
  if (found->max_threads != 0) kernel.max_threads = found->max_threads;
  if (found->registers != 0) kernel.registers = found->registers;
  kernel.run = run_of(std::move(code));
  return true;
}

bool complete_variable(Variable& variable) {
  const TranslatedVariable* const found = find_translated_variable(variable.name);
  if (found == nullptr) return false;
  variable.address = found->address;
  variable.size_bytes = found->bytes;
  return true;
}

[[maybe_unused]] const bool kIsKnown =
    begin_program({assay_on_cpu_architecture, complete_kernel, complete_variable});

}  // namespace
}  // namespace assay::cuda::on_cpu
