// Launches kernels that a host's C++ compiler has compiled: a kernel is an ordinary function, and
// the type of the pointer to it says how to call it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace assay::cuda::on_cpu {

/// The parameters of a kernel, and how to call it with the addresses of its arguments.
struct KernelType {
  std::span<const std::uint32_t> parameter_bytes;
  void (*call)(const void* kernel, void* const* arguments);
};

namespace detail {

template <typename... Parameters, std::size_t... kIndices>
void call_kernel(const void* kernel, void* const* arguments, std::index_sequence<kIndices...>) {
  const auto called = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(kernel));
  called(*static_cast<const Parameters*>(arguments[kIndices])...);
}

template <typename... Parameters>
struct Parameter {
  static constexpr std::uint32_t kBytes[] = {sizeof(Parameters)..., 0};
  static void call(const void* kernel, void* const* arguments) {
    call_kernel<Parameters...>(kernel, arguments, std::index_sequence_for<Parameters...>());
  }
  static constexpr KernelType kType{std::span(kBytes, sizeof...(Parameters)), call};
};

}  // namespace detail

/// The kernel's arguments are copied during the call.
cudaError_t launch_kernel(const KernelType& type, const void* kernel, dim3 grid, dim3 block,
                          void** arguments, std::size_t shared_bytes, cudaStream_t stream);

}  // namespace assay::cuda::on_cpu

/// Takes the place of the runtime's template for kernels that nvcc has compiled.
template <typename... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  static_assert((... && (alignof(Parameters) <= 16)));
  return assay::cuda::on_cpu::launch_kernel(
      assay::cuda::on_cpu::detail::Parameter<Parameters...>::kType,
      reinterpret_cast<const void*>(kernel), grid, block, arguments, shared_bytes, stream);
}

namespace assay::cuda::on_cpu {

struct Launch {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

/// kernel<<<grid, block, shared_bytes, stream>>>(arguments...), which only nvcc can read.
template <typename... Parameters>
void launch(void (*kernel)(Parameters...), const Launch& how,
            const std::type_identity_t<Parameters>&... arguments) {
  void* addresses[] = {const_cast<void*>(static_cast<const void*>(&arguments))..., nullptr};
  static_cast<void>(
      cudaLaunchKernel(kernel, how.grid, how.block, addresses, how.shared_bytes, how.stream));
}

}  // namespace assay::cuda::on_cpu
