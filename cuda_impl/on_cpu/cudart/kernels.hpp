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
/// DeviceFault. If it is null, the kernel does nothing; so programs whose kernels nvcc has
/// compiled can still be observed.
struct Kernel {
  std::string name;
  std::function<std::function<void()>(const LaunchShape&, void** arguments)> run = {};
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

/// Finds a variable of the program that nobody has registered. Returns whether there is one.
using FindVariable = bool (*)(const void* symbol, Variable& variable);

/// Called at static initialization by a program whose kernels run here. Afterwards, an unknown
/// kernel or variable is an error.
void set_program(FindVariable find);
/// False if kernels are observed only.
bool has_program();
bool find_in_program(const void* symbol, Variable& variable);

// The known kernels.

struct KnownKernel {
  Kernel kernel;
  std::size_t dynamic_limit = 48 << 10;  ///< limit of dynamic shared memory in bytes
};

/// Null if it is not registered. Requires the machine's lock.
KnownKernel* find_kernel(const void* function);

/// The maximum shared memory of a block, after the kernel has opted in.
std::size_t most_shared_bytes();

/// The number of such blocks that fit on a multiprocessor.
int blocks_at_once(const Kernel& kernel, int threads, std::size_t dynamic_bytes);

}  // namespace assay::cuda::on_cpu
