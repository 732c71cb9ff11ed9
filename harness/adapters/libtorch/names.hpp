// Operators by name: names parsed by PyTorch's rules, and handles that may be stale.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>

#include <optional>
#include <string>

#include "harness/adapters/libtorch/call.hpp"

namespace assay::libtorch {

struct SchemaOrName {
  c10::OperatorName name;
  std::optional<c10::FunctionSchema> schema;
};
SchemaOrName parse_schema_or_name(const std::string& text);

std::string name_of(c10::AliasAnalysisKind kind);
std::string name_of(at::Tag tag);
/// Throws NotSupported.
at::Tag tag_named(const std::string& name);

/// True if the operator existed at the start of the program, before clients registered any.
bool is_built_in(const c10::OperatorName& name);
/// The number of such operators.
std::size_t built_in_count();

/// Made by `dispatch.handle`.
struct NamedHandle {
  c10::OperatorHandle op;
  c10::OperatorName name;
  std::optional<std::string> signature;
};

/// The operator for a name or a handle. PyTorch's error if there is none; NotSupported for the
/// handle of an operator that is gone, which is a dangling pointer in PyTorch.
c10::OperatorHandle operator_argument(Call& call, std::string_view name);
/// The text, or the name of the handle's operator.
std::string operator_name_argument(Call& call, std::string_view name);

}  // namespace assay::libtorch
