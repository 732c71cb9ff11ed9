// Area dispatch: queries on registrations.
#include <algorithm>

#include "cuda_impl/dispatch/registry/dump.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {
namespace {

using dispatch::OperatorState;
using dispatch::StatePtr;
using dispatch::TableView;

/// Returns the sorted names of matching operators.
template <typename Wanted>
Value names_where(Dispatcher& dispatcher, const Wanted& wanted) {
  std::vector<std::string> names;
  for (const Operator* op : dispatcher.operators()) {
    const StatePtr state = op->state();
    if (state->is_alive() && wanted(*state)) names.push_back(op->text());
  }
  std::ranges::sort(names);
  List list;
  for (std::string& name : names) list.items.emplace_back(std::move(name));
  return list;
}

void describe_definition(Call& call, const dispatch::Definition* definition) {
  List tags;
  if (definition != nullptr) {
    for (const std::string& tag : definition->tags) tags.items.emplace_back(tag);
  }
  call.set("has_schema", definition != nullptr);
  call.set("schema", definition == nullptr ? Value() : Value(definition->schema.text()));
  call.set("debug", definition == nullptr ? std::string() : definition->debug);
  call.set("alias_kind", definition == nullptr ? "" : name_of(definition->alias_kind));
  call.set("tags", std::move(tags));
}

bool has_any(const dispatch::Table& table, KeySet keys) {
  return std::ranges::any_of(table.state->kernels, [&](const auto& one) {
    return !one.first.is_alias() && keys.has_all(table.layout->set_of(one.first));
  });
}

}  // namespace

void dispatch_find(Call& call) {
  const OperatorName name = dispatch::parse_name(operator_text(call, "op"), call.contract());
  const Operator* found = dispatcher_for(call, name.namespace_name())->find(name);
  const bool need_schema = call.arguments().boolean("need_schema", false);
  call.result(found != nullptr && (!need_schema || found->state()->has_schema()));
}

void dispatch_find_or_throw(Call& call) {
  const OperatorName name{call.arguments().text("name"), call.arguments().text("overload")};
  give_handle(call, call.dispatcher()->find_schema(name), nullptr);
}

void dispatch_dangling(Call& call) {
  call.result(
      names_where(*call.dispatcher(), [](const OperatorState& op) { return !op.has_schema(); }));
}

void dispatch_ops(Call& call) {
  const std::string wanted = call.arguments().text("namespace");
  call.result(names_where(*dispatcher_for(call, wanted), [&](const OperatorState& op) {
    return op.name.namespace_name() == wanted;
  }));
}

void dispatch_registrations(Call& call) {
  const auto key = key_or_none(call, "key");
  const std::string wanted = call.arguments().text("namespace", "");
  call.result(names_where(*dispatcher_for(call, wanted), [&](const OperatorState& op) {
    if (!wanted.empty() && op.name.namespace_name() != wanted) return false;
    return !key || op.newest_at(*key) != nullptr;
  }));
}

void dispatch_describe(Call& call) {
  const TableView table(operator_argument(call, "op"));
  describe_definition(call, table->state->definition.get());
  call.set("state", dump_state(*table->layout, *table->state));
  call.set("table", dump_table(*table));
}

void dispatch_has_kernel(Call& call) {
  const TableView table(operator_argument(call, "op"));
  if (const auto key = key_or_none(call, "key")) {
    return call.result(Value(table->state->newest_at(*key) != nullptr));
  }
  if (const auto key = key_or_none(call, "computed")) {
    const auto slot = table->layout->slot_of(*key);
    require(!key->is_alias(), [&] {
      return "Alias keys do not have runtime kernel registrations: " + name_of(*key);
    });
    return call.result(Value(slot && table->chosen_at(*slot).is_valid()));
  }
  call.result(Value(has_any(*table, set_argument(call, "any"))));
}

void dispatch_has_fallback(Call& call) {
  call.result(Value(call.dispatcher()->has_fallback(key_argument(call, "key"))));
}

void dispatch_check(Call& call) {
  if (call.has("op")) return check_invariants(*TableView(operator_argument(call, "op")));
  for (const Operator* op : call.dispatcher()->operators()) check_invariants(*TableView(*op));
}

}  // namespace assay::cuda
