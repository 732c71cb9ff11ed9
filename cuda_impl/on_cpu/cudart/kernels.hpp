// Kernels and variables: their registration by programs, and lookup at their first use.
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

/// `run` reads the arguments during the call and returns the device work, which may throw a
/// DeviceFault. If it is null, the kernel does nothing; so programs whose kernels are not
/// translated can still be observed.
struct Kernel {
  std::string name;
  std::function<std::function<void()>(const LaunchShape&, void** arguments)> run = {};
  std::size_t static_shared_bytes = 0;
  std::size_t parameter_bytes = 0;
  unsigned max_threads = 1024;  ///< per block
  unsigned registers = 32;      ///< per thread; assumed to be all that it may use
};

/// `function` is the host address that launches use.
void add_kernel(const void* function, Kernel kernel);

struct Variable {
  std::string name;
  void* address = nullptr;
  std::size_t size_bytes = 0;
};

/// The device code of the program: kernels and variables
/// by their mangled names. Both functions return whether
/// the name exists and, if so, complete the entry.
struct Program {
  int architecture = 90;  ///< the architecture of its kernels: 10 * major + minor
  bool (*complete_kernel)(Kernel& kernel) = nullptr;
  bool (*complete_variable)(Variable& variable) = nullptr;
  /// Finds a variable that nobody has registered. Null: there are none.
  bool (*find_variable)(const void* symbol, Variable& variable) = nullptr;
};

/// Called at static initialization. Afterwards, an unknown kernel or variable is an error.
void set_program(const Program& program);
/// Null if kernels are observed only.
const Program* program();

}  // namespace assay::cuda::on_cpu
