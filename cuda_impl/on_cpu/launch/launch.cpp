// Provides the simulated runtime with the program's kernels and variables, as translated from its
// PTX.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "cuda_impl/on_cpu/cudart/kernels.hpp"
#include "cuda_impl/on_cpu/cudart/memory/leaks.hpp"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"
#include "cuda_impl/on_cpu/cudart/memory/trespass.hpp"
#include "cuda_impl/on_cpu/cudart/timeline.hpp"
#include "cuda_impl/on_cpu/launch/fault_code.hpp"
#include "cuda_impl/on_cpu/launch/settings.hpp"
#include "cuda_impl/on_cpu/ptx/translated.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"
#include "cuda_impl/on_cpu/scheduler/grid.hpp"

/// Defined by each program for its kernels.
extern const int assay_on_cpu_architecture;

namespace assay::cuda::on_cpu {
namespace {

/// A copy of a launch's arguments, because the caller may change them after the call.
class Arguments {
 public:
  Arguments(const TranslatedKernel& kernel, void* const* given) {
    std::size_t blocks = 0;
    for (const std::uint32_t bytes : kernel.parameter_bytes) blocks += blocks_for(bytes);
    bytes_.resize(blocks);
    std::size_t next = 0;
    for (std::size_t i = 0; i < kernel.parameter_bytes.size(); ++i) {
      std::memcpy(&bytes_[next], given[i], kernel.parameter_bytes[i]);
      addresses_.push_back(&bytes_[next]);
      next += blocks_for(kernel.parameter_bytes[i]);
    }
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  void* const* addresses() const { return addresses_.data(); }

 private:
  struct alignas(16) Block {
    std::byte bytes[16];
  };
  static std::size_t blocks_for(std::size_t bytes) {
    return (bytes + sizeof(Block) - 1) / sizeof(Block);
  }

  std::vector<Block> bytes_;
  std::vector<void*> addresses_;
};

Dim3 converted(const dim3& size) { return {size.x, size.y, size.z}; }

void run(const TranslatedKernel& kernel, const LaunchShape& shape, const Arguments& arguments) {
  GridRun grid;
  grid.grid = converted(shape.grid);
  grid.block = converted(shape.block);
  grid.static_shared_bytes = kernel.static_shared_bytes;
  grid.shared = kernel.shared;
  grid.dynamic_shared_bytes = shape.shared_bytes;
  try {
    run_grid(grid, [&] { kernel.run(arguments.addresses()); });
  } catch (const KernelFault& fault) {
    throw DeviceFault{fault_code(fault.reason()),
                      "kernel " + readable(kernel.name) + ": " + fault.what()};
  }
}

bool complete_kernel(Kernel& kernel) {
  const TranslatedKernel* const found = find_translated_kernel(kernel.name);
  if (found == nullptr) return false;
  kernel.run = [found](const LaunchShape& shape, void** given) -> std::function<void()> {
    return [found, shape, arguments = std::make_shared<Arguments>(*found, given)] {
      on_cpu::run(*found, shape, *arguments);
    };
  };
  kernel.static_shared_bytes = found->static_shared_bytes;
  for (const std::uint32_t bytes : found->parameter_bytes) kernel.parameter_bytes += bytes;
  if (found->max_threads != 0) kernel.max_threads = found->max_threads;
  if (found->registers != 0) kernel.registers = found->registers;
  return true;
}

bool complete_variable(Variable& variable) {
  const TranslatedVariable* const found = find_translated_variable(variable.name);
  if (found == nullptr) return false;
  variable.address = found->address;
  variable.size_bytes = found->bytes;
  return true;
}

[[maybe_unused]] const bool kIsKnown = [] {
  check_settings();
  set_program({assay_on_cpu_architecture, complete_kernel, complete_variable});
  const char* const guard = std::getenv("ASSAY_ON_CPU_GUARD");
  const bool is_on = guard != nullptr && std::strcmp(guard, "1") == 0;
  // Guarding costs two system calls for each operation, too many to be the default. A sanitizer
  // checks each allocation more precisely.
  Memory::get().guard(is_on && !has_address_sanitizer() && !has_thread_sanitizer());
  watch_for_trespass();
  watch_for_leaks();
  return true;
}();

}  // namespace
}  // namespace assay::cuda::on_cpu
