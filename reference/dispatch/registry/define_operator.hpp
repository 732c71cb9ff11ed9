// A def with all that can come with it: a kernel, a key for that, an inferred schema.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

/// What `def` is told besides the schema.
struct DefOptions {
  std::optional<Kernel> kernel = {};
  std::string kernel_debug = {};
  std::optional<DispatchKey> key = {};  ///< of the kernel
  std::optional<AliasKind> alias_kind = {};
  std::vector<std::string> tags = {};
  std::string at = {};
};

using SchemaOrName = std::variant<OperatorName, FunctionSchema>;

/// DSP-407. A name alone takes the schema of its kernel's signature (DSP-313). If the kernel is
/// refused the def is undone; in compat it goes to `kept`.
Registration define_operator(Dispatcher& dispatcher, const SchemaOrName& what,
                             const DefOptions& options, Registration& kept);

}  // namespace assay::reference
