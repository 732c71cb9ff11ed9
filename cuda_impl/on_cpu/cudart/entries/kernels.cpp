// Runtime calls for kernels and device variables: those that register and launch kernels, describe
// them or change their launch limits, and find variables by their host symbols.
#include "cuda_impl/on_cpu/cudart/kernels.hpp"

#include <cuda_runtime_api.h>

#include <map>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/capture.hpp"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"
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

// Descriptions and limits.

namespace {

/// Calls `body` with the kernel's record. If kernels are observed only, unregistered ones are
/// accepted too.
template <typename Body>
cudaError_t with_kernel(const void* function, const Body& body) {
  auto lock = Machine::get().lock();
  KnownKernel* const known = find_kernel(function);
  if (known != nullptr) return answer(body(*known));
  if (has_program()) return answer(98);
  KnownKernel any;
  return answer(body(any));
}

int set_dynamic_limit(KnownKernel& known, int bytes) {
  const bool is_possible = bytes >= 0 && static_cast<std::size_t>(bytes) <= most_shared_bytes();
  if (!is_possible) return 1;
  known.dynamic_limit = static_cast<std::size_t>(bytes);
  return 0;
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return with_kernel(function, [&](const KnownKernel& known) {
    *attributes = {};
    attributes->maxThreadsPerBlock = static_cast<int>(known.kernel.max_threads);
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(known.dynamic_limit);
    attributes->binaryVersion = attributes->ptxVersion = kArchitecture;
    attributes->numRegs = static_cast<int>(known.kernel.registers);
    return 0;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return with_kernel(function, [&](KnownKernel& known) {
    const bool is_limit = attribute == cudaFuncAttributeMaxDynamicSharedMemorySize;
    return is_limit ? set_dynamic_limit(known, value) : 0;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return with_kernel(function, [](const KnownKernel&) { return 0; });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, std::size_t dynamic,
                                                                   unsigned) {
  return with_kernel(function, [&](const KnownKernel& known) {
    *blocks = blocks_at_once(known.kernel, threads, dynamic);
    return 0;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, std::size_t dynamic) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic,
                                                                0);
}

}  // extern "C"

namespace assay::cuda::on_cpu {

// Device variables.

namespace {

std::map<const void*, Variable>& variables() {
  static auto* const known = new std::map<const void*, Variable>();
  return *known;
}

/// Null for an unknown symbol. Requires the machine's lock.
const Variable* find_variable(const void* symbol) {
  auto found = variables().find(symbol);
  if (Variable variable; found == variables().end() && find_in_program(symbol, variable)) {
    Memory::get().add_variable(variable.address, variable.size_bytes);
    found = variables().emplace(symbol, variable).first;
  }
  if (found == variables().end()) return nullptr;
  return &found->second;
}

/// The device address at `offset`; null if the variable has fewer than `count` bytes from there.
void* part_of(const void* symbol, std::size_t count, std::size_t offset) {
  auto lock = Machine::get().lock();
  const Variable* const variable = find_variable(symbol);
  const bool is_inside = variable != nullptr && offset <= variable->size_bytes &&
                         count <= variable->size_bytes - offset;
  return is_inside ? static_cast<char*>(variable->address) + offset : nullptr;
}

constexpr int kInvalidSymbol = 13;

}  // namespace
}  // namespace assay::cuda::on_cpu

extern "C" {

void __cudaRegisterVar(void**, char* symbol, char*, const char* name, int, std::size_t size, int,
                       int) {
  auto lock = Machine::get().lock();
  variables()[symbol] = {name, symbol, size};
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  *address = part_of(symbol, 0, 0);
  return answer(*address == nullptr ? kInvalidSymbol : 0);
}

cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  auto lock = Machine::get().lock();
  const Variable* const variable = find_variable(symbol);
  if (variable == nullptr) return answer(kInvalidSymbol);
  *size = variable->size_bytes;
  return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t count,
                               std::size_t offset, cudaMemcpyKind) {
  void* const target = part_of(symbol, count, offset);
  return target == nullptr ? answer(kInvalidSymbol)
                           : cudaMemcpy(target, source, count, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t count,
                                    std::size_t offset, cudaMemcpyKind, cudaStream_t stream) {
  void* const target = part_of(symbol, count, offset);
  return target == nullptr ? answer(kInvalidSymbol)
                           : cudaMemcpyAsync(target, source, count, cudaMemcpyDefault, stream);
}

cudaError_t cudaMemcpyFromSymbol(void* target, const void* symbol, std::size_t count,
                                 std::size_t offset, cudaMemcpyKind) {
  const void* const source = part_of(symbol, count, offset);
  return source == nullptr ? answer(kInvalidSymbol)
                           : cudaMemcpy(target, source, count, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t count,
                                      std::size_t offset, cudaMemcpyKind, cudaStream_t stream) {
  const void* const source = part_of(symbol, count, offset);
  return source == nullptr ? answer(kInvalidSymbol)
                           : cudaMemcpyAsync(target, source, count, cudaMemcpyDefault, stream);
}

}  // extern "C"
