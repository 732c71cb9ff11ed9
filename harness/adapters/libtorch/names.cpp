// Looks operators up.
#include "harness/adapters/libtorch/names.hpp"

#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <unordered_set>

#include "harness/adapters/libtorch/release.hpp"

namespace assay::libtorch {
namespace {

/// An `either` in 1.13, a variant in 2.x.
template <typename Parsed>
SchemaOrName from_parsed(Parsed parsed) {
  if constexpr (requires { parsed.is_right(); }) {
    if (parsed.is_right()) return {parsed.right().operator_name(), parsed.right()};
    return {parsed.left(), std::nullopt};
  } else {
    if (const auto* schema = std::get_if<c10::FunctionSchema>(&parsed)) {
      return {schema->operator_name(), *schema};
    }
    return {std::get<c10::OperatorName>(parsed), std::nullopt};
  }
}

}  // namespace

SchemaOrName parse_schema_or_name(const std::string& text) {
  return from_parsed(torch::jit::parseSchemaOrName(text));
}

namespace {

const std::unordered_set<c10::OperatorName>& built_in() {
  static const std::unordered_set<c10::OperatorName> names = [] {
    const auto all = c10::Dispatcher::singleton().getAllOpNames();
    return std::unordered_set<c10::OperatorName>(all.begin(), all.end());
  }();
  return names;
}

}  // namespace

bool is_built_in(const c10::OperatorName& name) { return built_in().contains(name); }
std::size_t built_in_count() { return built_in().size(); }

std::string name_of(c10::AliasAnalysisKind kind) {
  switch (kind) {
    case c10::AliasAnalysisKind::FROM_SCHEMA:
      return "FROM_SCHEMA";
    case c10::AliasAnalysisKind::PURE_FUNCTION:
      return "PURE_FUNCTION";
    case c10::AliasAnalysisKind::CONSERVATIVE:
      return "CONSERVATIVE";
    default:
      return "INTERNAL_SPECIAL_CASE";
  }
}

std::string name_of(at::Tag tag) {
  for (const auto& [name, known] : tags()) {
    if (known == tag) return std::string(name);
  }
  return "tag " + std::to_string(static_cast<int>(tag));
}

at::Tag tag_named(const std::string& name) {
  for (const auto& [known, tag] : tags()) {
    if (known == name) return tag;
  }
  throw NotSupported("no tag " + name);
}

c10::OperatorHandle operator_argument(Call& call, std::string_view name) {
  auto& dispatcher = c10::Dispatcher::singleton();
  if (call.arguments().value(name).is<Ref>()) {
    const auto held = call.held<NamedHandle>(name, "handle");
    const auto now = dispatcher.findOp(held->name);
    // Compares only addresses, because the handle's target may have been freed.
    if (!now || &now->operator_name() != &held->op.operator_name()) {
      throw NotSupported("PyTorch's handle of a removed operator is a dangling pointer");
    }
    return held->op;
  }
  const c10::OperatorName wanted = torch::jit::parseName(call.arguments().text(name));
  const auto found = dispatcher.findOp(wanted);
  if (found) return *found;
  return dispatcher.findSchemaOrThrow(wanted.name.c_str(), wanted.overload_name.c_str());
}

std::string operator_name_argument(Call& call, std::string_view name) {
  if (!call.arguments().value(name).is<Ref>()) return call.arguments().text(name);
  return c10::toString(call.held<NamedHandle>(name, "handle")->name);
}

}  // namespace assay::libtorch
