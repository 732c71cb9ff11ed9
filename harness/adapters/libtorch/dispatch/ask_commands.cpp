// Area dispatch: queries of registrations.
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/keys.hpp"
#include "harness/adapters/libtorch/names.hpp"

namespace assay::libtorch {
namespace {

c10::Dispatcher& dispatcher() { return c10::Dispatcher::singleton(); }

Value sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  List list;
  for (std::string& name : names) list.items.emplace_back(std::move(name));
  return list;
}

std::vector<std::string> names_within(const std::string& name_space,
                                      const std::vector<c10::OperatorName>& all) {
  std::vector<std::string> names;
  for (const c10::OperatorName& name : all) {
    if (name_space.empty() || name.name.starts_with(name_space + "::")) {
      names.push_back(c10::toString(name));
    }
  }
  return names;
}

}  // namespace

void dispatch_find(Call& call) {
  const c10::OperatorName name = torch::jit::parseName(operator_name_argument(call, "op"));
  const bool need_schema = call.arguments().boolean("need_schema", false);
  call.result(Value(need_schema ? dispatcher().findSchema(name).has_value()
                                : dispatcher().findOp(name).has_value()));
}

void dispatch_find_or_throw(Call& call) {
  const std::string name = call.arguments().text("name");
  const std::string overload = call.arguments().text("overload");
  const auto op = dispatcher().findSchemaOrThrow(name.c_str(), overload.c_str());
  call.result(Object(
      std::make_shared<NamedHandle>(NamedHandle{op, op.operator_name(), std::nullopt}), "handle"));
}

void dispatch_dangling(Call& call) {
  std::vector<std::string> names;
  for (const auto& op : dispatcher().findDanglingImpls()) {
    names.push_back(c10::toString(op.operator_name()));
  }
  call.result(sorted(std::move(names)));
}

void dispatch_ops(Call& call) {
  call.result(
      sorted(names_within(call.arguments().text("namespace"), dispatcher().getAllOpNames())));
}

void dispatch_registrations(Call& call) {
  const auto key = key_or_none(call, "key");
  const c10::optional<c10::DispatchKey> asked = key ? c10::make_optional(*key) : c10::nullopt;
  call.result(sorted(names_within(call.arguments().text("namespace", ""),
                                  dispatcher().getRegistrationsForDispatchKey(asked))));
}

void dispatch_describe(Call& call) {
  const c10::OperatorHandle op = operator_argument(call, "op");
  const bool has_schema = op.hasSchema();
  List tags;
  if (has_schema) {
    for (const at::Tag tag : op.getTags()) tags.items.emplace_back(name_of(tag));
  }
  call.set("has_schema", has_schema);
  call.set("schema", has_schema ? Value(toString(op.schema())) : Value());
  // Without a schema PyTorch has neither, and raises.
  call.set("debug", has_schema ? op.debug() : "");
  call.set("alias_kind", has_schema ? name_of(op.schema().aliasAnalysis()) : "");
  call.set("tags", std::move(tags));
  call.set("state", op.dumpState());
  call.set("table", op.dumpComputedTable());
}

void dispatch_has_kernel(Call& call) {
  const c10::OperatorHandle op = operator_argument(call, "op");
  if (const auto key = key_or_none(call, "key")) {
    return call.result(Value(op.hasKernelForDispatchKey(*key)));
  }
  if (const auto key = key_or_none(call, "computed")) {
    return call.result(Value(op.hasComputedKernelForDispatchKey(*key)));
  }
  call.result(Value(op.hasKernelForAnyDispatchKey(set_argument(call, "any"))));
}

void dispatch_has_fallback(Call& call) {
  const c10::DispatchKey key = key_named(call.arguments().text("key"));
  call.result(Value(dispatcher().hasBackendFallbackForDispatchKey(key)));
}

void dispatch_check(Call& call) {
  if (call.has("op")) return operator_argument(call, "op").checkInvariants();
  dispatcher().checkInvariants();
}

}  // namespace assay::libtorch
