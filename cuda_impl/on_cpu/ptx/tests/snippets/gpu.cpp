// Runs snippets on a GPU. Finds the required driver functions by
// name.
#include "cuda_impl/on_cpu/ptx/tests/snippets/gpu.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

/// Calls a driver function; all of them return 0 or an error code.
template <typename... Arguments>
void call(void* library, const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("the driver has no ") + name);
  const int code = function(arguments...);
  if (code != 0) throw std::runtime_error(name + (" returned " + std::to_string(code)));
}

using Address = std::uint64_t;

/// Device memory, freed at destruction.
class DeviceMemory {
 public:
  DeviceMemory(void* library, std::size_t bytes) : library_(library) {
    call(library_, "cuMemAlloc_v2", &address_, bytes);
  }
  ~DeviceMemory() { call(library_, "cuMemFree_v2", address_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  Address* address() { return &address_; }

 private:
  void* library_;
  Address address_ = 0;
};

}  // namespace

Gpu::Gpu(const std::string& ptx) : library_(dlopen("libcuda.so.1", RTLD_NOW)) {
  if (library_ == nullptr) throw std::runtime_error("no driver: libcuda.so.1 is not found");
  int device = 0;
  void* context = nullptr;
  call(library_, "cuInit", 0U);
  call(library_, "cuDeviceGet", &device, 0);
  call(library_, "cuDevicePrimaryCtxRetain", &context, device);
  call(library_, "cuCtxSetCurrent", context);
  call(library_, "cuModuleLoadData", &module_, static_cast<const void*>(ptx.c_str()));
}

std::vector<Results> Gpu::run(const std::string& kernel, std::span<const Operands> operands,
                              std::uint32_t block) {
  std::vector<Results> results(operands.size());
  DeviceMemory inputs(library_, operands.size_bytes());
  DeviceMemory outputs(library_, results.size() * sizeof(Results));
  void* function = nullptr;
  auto count = static_cast<std::uint32_t>(operands.size());
  void* parameters[] = {inputs.address(), outputs.address(), &count};
  void* const none = nullptr;
  call(library_, "cuModuleGetFunction", &function, module_, kernel.c_str());
  call(library_, "cuMemcpyHtoD_v2", *inputs.address(), static_cast<const void*>(operands.data()),
       operands.size_bytes());
  call(library_, "cuMemsetD8_v2", *outputs.address(), static_cast<unsigned char>(0),
       results.size() * sizeof(Results));
  call(library_, "cuLaunchKernel", function, (count + block - 1) / block, 1U, 1U, block, 1U, 1U, 0U,
       none, &parameters[0], none);
  call(library_, "cuMemcpyDtoH_v2", static_cast<void*>(results.data()), *outputs.address(),
       results.size() * sizeof(Results));
  return results;
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
