// Kernels and variables, as programs register them and as they are found when they are used.
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

/// `run` reads the arguments in the call, and returns what is to be done on the device; that may
/// throw a DeviceFault. Without it the kernel does nothing: a program whose kernels are not
/// translated can still be watched.
struct Kernel {
  std::string name;
  std::function<std::function<void()>(const LaunchShape&, void** arguments)> run = {};
  std::size_t static_shared_bytes = 0;
  std::size_t parameter_bytes = 0;
  unsigned max_threads = 1024;  ///< of a block
  unsigned registers = 32;      ///< of a thread; it is believed to need all that it may have
};

/// `function` is the address by which the host launches it.
void add_kernel(const void* function, Kernel kernel);

struct Variable {
  std::string name;
  void* address = nullptr;
  std::size_t size_bytes = 0;
};

/// The device side of the program that the runtime is linked with: kernels and variables by the
/// names that nvcc gave them. Both functions say whether there is one of that name, and then fill
/// in the rest.
struct Program {
  int architecture = 90;  ///< that its kernels were compiled for: 10 * major + minor
  bool (*complete_kernel)(Kernel& kernel) = nullptr;
  bool (*complete_variable)(Variable& variable) = nullptr;
};

/// At static initialisation. From then on a kernel or variable that the program lacks is an error.
void set_program(const Program& program);
/// Null where kernels are only watched.
const Program* program();

}  // namespace assay::cuda::on_cpu
