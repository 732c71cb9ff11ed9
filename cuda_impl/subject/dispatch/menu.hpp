// The C++ signatures that typed kernels and typed calls of clients have.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {

/// One signature: what a client cannot instantiate, made at build time. The functions take boxes of
/// the kinds that it takes.
struct MenuRow {
  const dispatch::Signature* signature;
  Kernel kernel;  ///< whose functor must be a NamedKernel
  Stack (*call)(Operator& op, std::vector<Boxed> arguments);
  Stack (*redispatch)(Operator& op, KeySet keys, std::vector<Boxed> arguments);
  /// Raises `internal` for boxes that it does not take, but makes a double of an int, and a list of
  /// a tuple, as C++ does. False for another number of them.
  bool (*fit)(std::vector<Boxed>& arguments);
};

/// Throws NotSupported for one that is not on the menu. Spaces do not matter.
const MenuRow& menu_row(std::string_view text);
/// Null for one that is not on the menu.
const MenuRow* menu_row(const dispatch::Signature& signature);
/// The usual one for such a schema; null where none fits.
const MenuRow* menu_row_for(const dispatch::Schema& schema);
/// The usual one for such arguments, which returns a tensor; null where none fits.
const MenuRow* menu_row_for(const std::vector<Boxed>& arguments);

}  // namespace assay::cuda
