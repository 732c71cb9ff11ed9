// Runs kernels as work of the simulated runtime.
#include "cuda_impl/on_cpu/launch/launch.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "cuda_impl/on_cpu/cudart/memory/leaks.hpp"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"
#include "cuda_impl/on_cpu/cudart/memory/trespass.hpp"
#include "cuda_impl/on_cpu/cudart/timeline.hpp"
#include "cuda_impl/on_cpu/launch/fault_code.hpp"
#include "cuda_impl/on_cpu/launch/settings.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"
#include "cuda_impl/on_cpu/scheduler/grid.hpp"

namespace assay::cuda::on_cpu {
namespace {

/// A copy of a launch's arguments, because the caller may change them after the call.
class Arguments {
 public:
  Arguments(std::span<const std::uint32_t> parameter_bytes, void* const* given) {
    std::size_t blocks = 0;
    for (const std::uint32_t bytes : parameter_bytes) blocks += blocks_for(bytes);
    bytes_.resize(blocks);
    std::size_t next = 0;
    for (std::size_t i = 0; i < parameter_bytes.size(); ++i) {
      std::memcpy(&bytes_[next], given[i], parameter_bytes[i]);
      addresses_.push_back(&bytes_[next]);
      next += blocks_for(parameter_bytes[i]);
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

void run(const KernelCode& kernel, const LaunchShape& shape, const Arguments& arguments) {
  GridRun grid;
  grid.grid = converted(shape.grid);
  grid.block = converted(shape.block);
  grid.dynamic_shared_bytes = shape.shared_bytes;
  try {
    run_grid(grid, [&] { kernel.call(arguments.addresses()); });
  } catch (const KernelFault& fault) {
    throw DeviceFault{fault_code(fault.reason()),
                      "kernel " + readable(kernel.name.c_str()) + ": " + fault.what()};
  }
}

}  // namespace

KernelRun run_of(KernelCode code) {
  const auto kernel = std::make_shared<const KernelCode>(std::move(code));
  return [kernel](const LaunchShape& shape, void** given) -> std::function<void()> {
    return
        [kernel, shape, arguments = std::make_shared<Arguments>(kernel->parameter_bytes, given)] {
          on_cpu::run(*kernel, shape, *arguments);
        };
  };
}

std::size_t parameter_bytes(const KernelCode& code) {
  std::size_t sum = 0;
  for (const std::uint32_t bytes : code.parameter_bytes) sum += bytes;
  return sum;
}

bool begin_program(FindVariable find) {
  check_settings();
  set_program(find);
  const char* const guard = std::getenv("ASSAY_ON_CPU_GUARD");
  const bool is_on = guard != nullptr && std::strcmp(guard, "1") == 0;
  // Guarding costs two system calls for each operation, too many to be the default. A sanitizer
  // checks each allocation more precisely.
  Memory::get().guard(is_on && !has_address_sanitizer() && !has_thread_sanitizer());
  watch_for_trespass();
  watch_for_leaks();
  return true;
}

}  // namespace assay::cuda::on_cpu
