// Kernels, as programs register them.
#pragma once

#include <vector_types.h>

#include <functional>
#include <string>

namespace assay::cuda::on_cpu {

struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
};

/// `run` reads the arguments in the call, and returns what is to be done on the device. Without it
/// the kernel does nothing: a program whose kernels are not translated can still be watched.
struct Kernel {
  std::string name;
  std::function<std::function<void()>(const LaunchShape&, void** arguments)> run;
};

/// `function` is the address by which the host launches it.
void add_kernel(const void* function, Kernel kernel);

}  // namespace assay::cuda::on_cpu
