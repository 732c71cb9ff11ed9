// Operator definitions with an optional kernel, key and inferred schema.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

/// The parameters of a definition besides the schema.
struct DefOptions {
  std::optional<Kernel> kernel = {};
  std::string kernel_debug = {};
  std::optional<DispatchKey> key = {};  ///< of the kernel
  std::optional<AliasKind> alias_kind = {};
  std::vector<std::string> tags = {};
  std::string at = {};
};

using SchemaOrName = std::variant<OperatorName, FunctionSchema>;

/// DSP-407. Without a schema, infers it from the kernel's signature (DSP-313). If the kernel is
/// rejected, the definition is removed; in compat mode it is moved to `kept`.
Registration define_operator(Dispatcher& dispatcher, const SchemaOrName& what,
                             const DefOptions& options, Registration& kept);

}  // namespace assay::reference
