// Client kernels: each is a function from boxed arguments to boxed results that can be registered
// boxed or typed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {

/// One execution of a kernel.
struct KernelRun {
  const Entry& entry;
  KeySet keys;
  std::vector<Boxed>& arguments;
  std::size_t returns;       ///< number of expected results
  const MenuRow* signature;  ///< null if boxed
};
using Behaviour = std::function<Stack(const KernelRun& run)>;

/// A kernel that a client created and named; the functor of its registrations.
struct NamedKernel {
  std::string label;
  Behaviour behaviour;
  const MenuRow* signature = nullptr;
  Kernel kernel;  ///< without its functor

  /// Reports to traces and runs. Raises `internal` if kernels recurse endlessly.
  Stack run(const KernelRun& run) const;
};

/// Creates the kernel that the arguments of `dispatch.kernel` describe.
std::shared_ptr<NamedKernel> make_named_kernel(Call& call);
/// For registrations: keeps the client's kernel alive (DSP-615).
Kernel registered(const std::shared_ptr<NamedKernel>& named);

}  // namespace assay::cuda
