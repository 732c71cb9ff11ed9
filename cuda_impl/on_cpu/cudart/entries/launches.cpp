// Runtime calls that register and launch kernels.
#include <cuda_runtime_api.h>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/capture.hpp"
#include "cuda_impl/on_cpu/cudart/known_kernels.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

namespace assay::cuda::on_cpu {
namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};

std::vector<Configuration>& configurations() {
  thread_local std::vector<Configuration> pushed;
  return pushed;
}

bool is_launchable(const dim3& grid, const dim3& block) {
  const auto threads = std::uint64_t{block.x} * block.y * block.z;
  const bool has_blocks = grid.x > 0 && grid.y > 0 && grid.z > 0;
  return has_blocks && threads > 0 && threads <= 1024 && grid.x <= 2147483647u && grid.y <= 65535 &&
         grid.z <= 65535 && block.z <= 64;
}

constexpr unsigned kRegistersOfMultiprocessor = 65536;

/// Returns the error code of a launch that exceeds the kernel's limits; 0 if it is valid.
int refused(const KnownKernel& known, const Configuration& how) {
  const Kernel& kernel = known.kernel;
  const unsigned threads = how.block.x * how.block.y * how.block.z;
  if (threads > kernel.max_threads) return 1;
  if (threads * kernel.registers > kRegistersOfMultiprocessor) return 701;
  if (kernel.parameter_bytes > shape().most_parameter_bytes) return 701;
  return how.shared_bytes > known.dynamic_limit ? 1 : 0;
}

cudaError_t launch(const void* function, const Configuration& how, void** arguments) {
  KnownKernel* known = nullptr;
  std::string name = "kernel";
  {
    auto lock = Machine::get().lock();
    known = find_kernel(function);
    if (known != nullptr) name = known->kernel.name;
  }
  return call("launch", shown(how.stream) + ", " + name, true, [&](auto& lock) {
    if (known == nullptr && has_program()) return 98;
    if (!is_launchable(how.grid, how.block)) return 1;  // before CUDA 13: 9
    if (const int code = known == nullptr ? 0 : refused(*known, how); code != 0) return code;
    const LinePtr line = line_of(how.stream);
    if (line == nullptr) return 400;
    Operation run;
    if (known != nullptr && known->kernel.run) {
      run.run = known->kernel.run({how.grid, how.block, how.shared_bytes}, arguments);
    }
    return launch_or_capture(lock, line, std::move(run), name);
  });
}

}  // namespace
}  // namespace assay::cuda::on_cpu

using namespace assay::cuda::on_cpu;

extern "C" {

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 0; }

void __cudaRegisterFunction(void**, const char* function, char*, const char* name, int, void*,
                            void*, void*, void*, int*) {
  auto lock = Machine::get().lock();
  add_kernel(function, {.name = name});
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes,
                                     cudaStream_t stream) {
  configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes,
                                       void* stream) {
  if (configurations().empty()) return answer(9);
  const Configuration last = configurations().back();
  configurations().pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t stream) {
  return launch(function, {grid, block, shared_bytes, stream}, arguments);
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared_bytes, cudaStream_t stream) {
  return launch(kernel, {grid, block, shared_bytes, stream}, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* function,
                                void** arguments) {
  return launch(function, {how->gridDim, how->blockDim, how->dynamicSmemBytes, how->stream},
                arguments);
}

}  // extern "C"
