// The menu: the C++ signatures that typed kernels and typed calls of clients can have.
#pragma once

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

}  // namespace assay::cuda
