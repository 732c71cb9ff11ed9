// Provides the simulated runtime with kernels and variables that a host's C++ compiler has
// compiled. Nobody registers them: the first launch of a kernel does, with what its type and the
// name of its symbol say.
#include <charconv>

#include "cuda_impl/on_cpu/cudart/kernels.hpp"
#include "cuda_impl/on_cpu/cudart/machine.hpp"
#include "cuda_impl/on_cpu/kernels/launch.hpp"
#include "cuda_impl/on_cpu/kernels/symbols.hpp"
#include "cuda_impl/on_cpu/launch/launch.hpp"

namespace assay::cuda::on_cpu {
namespace {

/// The number behind a word in the symbol's name; `otherwise` if there is none.
unsigned limit_in(const std::string& name, std::string_view word, unsigned otherwise) {
  const auto at = name.find(word);
  if (at == std::string::npos) return otherwise;
  unsigned limit = otherwise;
  std::from_chars(name.data() + at + word.size(), name.data() + name.size(), limit);
  return limit;
}

Kernel described(const KernelType& type, const void* function) {
  const auto symbol = symbol_at(function);
  Kernel kernel{.name = symbol ? symbol->name : "kernel"};
  const auto call = [call = type.call, function](void* const* arguments) {
    call(function, arguments);
  };
  KernelCode code{kernel.name, type.parameter_bytes, call};
  kernel.parameter_bytes = parameter_bytes(code);
  kernel.max_threads = limit_in(kernel.name, "launch_bounds_", kernel.max_threads);
  kernel.registers = limit_in(kernel.name, "maxnreg_", kernel.registers);
  kernel.run = run_of(std::move(code));
  return kernel;
}

bool find_variable(const void* address, Variable& variable) {
  const auto symbol = symbol_at(address);
  if (!symbol) return false;
  variable = {symbol->name, const_cast<void*>(address), symbol->size_bytes};
  return true;
}

[[maybe_unused]] const bool kIsKnown = begin_program(find_variable);

}  // namespace

cudaError_t launch_kernel(const KernelType& type, const void* kernel, dim3 grid, dim3 block,
                          void** arguments, std::size_t shared_bytes, cudaStream_t stream) {
  {
    auto lock = Machine::get().lock();
    if (find_kernel(kernel) == nullptr) add_kernel(kernel, described(type, kernel));
  }
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

}  // namespace assay::cuda::on_cpu
