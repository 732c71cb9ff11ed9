// Kernels of clients: each is one function from boxed arguments to boxed results, which stands
// boxed or typed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {

/// One run of a kernel.
struct KernelRun {
  const Entry& entry;
  KeySet keys;
  std::vector<Boxed>& arguments;
  std::size_t returns;       ///< how many values it should return
  const MenuRow* signature;  ///< null when boxed
};
using Behaviour = std::function<Stack(const KernelRun& run)>;

/// What the client has made and named. The functor of everything that is registered with it.
struct NamedKernel {
  std::string label;
  Behaviour behaviour;
  const MenuRow* signature = nullptr;
  Kernel kernel;  ///< without its functor

  /// Tells traces, and runs. Raises `internal` where kernels call themselves without end.
  Stack run(const KernelRun& run) const;
};

/// Of the arguments of `dispatch.kernel`.
std::shared_ptr<NamedKernel> make_named_kernel(Call& call);
/// For registration: it keeps the client's kernel alive (DSP-615).
Kernel registered(const std::shared_ptr<NamedKernel>& named);

}  // namespace assay::cuda
