// Area dispatch: schema parsing, inference and comparison.
#include <ATen/core/op_registration/infer_schema.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <set>

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/ivalues.hpp"
#include "harness/adapters/libtorch/menu/menu.hpp"
#include "harness/adapters/libtorch/names.hpp"

namespace assay::libtorch {
namespace {

template <typename Sets>
Value sets_value(const Sets& symbols) {
  std::set<std::string> names;
  for (const c10::Symbol& symbol : symbols) names.insert(symbol.toUnqualString());
  List list;
  for (const std::string& name : names) list.items.emplace_back(name);
  return list;
}

Value alias_value(const c10::AliasInfo* alias) {
  if (alias == nullptr) return {};
  const auto& inner = alias->containedTypes();
  Dict dict;
  dict.items.emplace_back("write", alias->isWrite());
  dict.items.emplace_back("before", sets_value(alias->beforeSets()));
  dict.items.emplace_back("after", sets_value(alias->afterSets()));
  dict.items.emplace_back("contained", alias_value(inner.empty() ? nullptr : inner.data()));
  return dict;
}

Value argument_value(Call& call, const c10::Argument& argument) {
  Dict dict;
  dict.items.emplace_back("name", argument.name());
  dict.items.emplace_back("type", argument.real_type()->str());
  dict.items.emplace_back("size", argument.N() ? Value(std::int64_t{*argument.N()}) : Value());
  if (argument.default_value()) {
    dict.items.emplace_back("default", value_of(call, *argument.default_value()));
  }
  dict.items.emplace_back("kwarg_only", argument.kwarg_only());
  dict.items.emplace_back("alias", alias_value(argument.alias_info()));
  return dict;
}

Value arguments_value(Call& call, const std::vector<c10::Argument>& arguments) {
  List list;
  for (const c10::Argument& argument : arguments) {
    list.items.push_back(argument_value(call, argument));
  }
  return list;
}

void set_name(Call& call, const c10::OperatorName& name) {
  call.set("name", name.name);
  call.set("overload", name.overload_name);
}

void set_schema(Call& call, const c10::FunctionSchema& schema) {
  call.set("text", toString(schema));
  set_name(call, schema.operator_name());
  call.set("arguments", arguments_value(call, schema.arguments()));
  call.set("returns", arguments_value(call, schema.returns()));
  call.set("vararg", schema.is_vararg());
  call.set("varret", schema.is_varret());
  call.set("mutable", schema.is_mutable());
}

void set_only_name(Call& call, const c10::OperatorName& name) {
  call.set("text", c10::toString(name));
  set_name(call, name);
}

/// With the types used to check kernels, as the dispatcher compares them (DSP-304).
c10::FunctionSchema schema_to_compare(Call& call, std::string_view name) {
  return torch::jit::parseSchema(call.arguments().text(name)).cloneWithRealTypes();
}

}  // namespace

void dispatch_parse(Call& call) {
  const std::string text = call.arguments().text("text");
  const std::string as = call.arguments().text("as", "schema");
  if (as == "schema") return set_schema(call, torch::jit::parseSchema(text));
  if (as == "name") return set_only_name(call, torch::jit::parseName(text));
  if (as != "either") throw NotSupported("nothing is parsed as '" + as + "'");
  const SchemaOrName parsed = parse_schema_or_name(text);
  if (parsed.schema) return set_schema(call, *parsed.schema);
  set_only_name(call, parsed.name);
}

void dispatch_infer(Call& call) {
  c10::FunctionSchema schema = menu_entry(call.arguments().text("signature")).schema();
  if (call.has("name")) {
    const c10::OperatorName name = torch::jit::parseName(call.arguments().text("name"));
    schema = schema.cloneWithName(name.name, name.overload_name);
  }
  schema.setAliasAnalysis(c10::AliasAnalysisKind::CONSERVATIVE);  // as Library::def does
  call.set("text", toString(schema));
  call.set("alias_kind", name_of(schema.aliasAnalysis()));
}

void dispatch_schema_difference(Call& call) {
  const auto found = c10::findSchemaDifferences(schema_to_compare(call, "declared"),
                                                schema_to_compare(call, "inferred"));
  call.result(found ? Value(*found) : Value());
}

}  // namespace assay::libtorch
