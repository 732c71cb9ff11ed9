// Client kernels: each is a function from boxed arguments to boxed results that can be registered
// boxed or typed; and the menu of the C++ signatures that typed ones can have.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {

/// A signature that is instantiated at build time, since clients cannot. The functions accept boxed
/// values of its kinds.
struct MenuRow {
  const dispatch::Signature* signature;
  Kernel kernel;  ///< its functor must be a NamedKernel
  Stack (*call)(Operator& op, std::vector<Boxed> arguments);
  Stack (*redispatch)(Operator& op, KeySet keys, std::vector<Boxed> arguments);
  /// Raises `internal` for a mismatched kind, except that an int becomes a double and a tuple a
  /// list, as in C++. Returns false for a wrong number of arguments.
  bool (*fit)(std::vector<Boxed>& arguments);
};

/// Throws NotSupported for a signature that is not on the menu. Ignores spaces.
const MenuRow& menu_row(std::string_view text);
/// Null if it is not on the menu.
const MenuRow* menu_row(const dispatch::Signature& signature);
/// The usual signature for the schema; null if none matches.
const MenuRow* menu_row_for(const dispatch::Schema& schema);
/// The usual signature for the arguments with a tensor result; null if none matches.
const MenuRow* menu_row_for(const std::vector<Boxed>& arguments);

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
