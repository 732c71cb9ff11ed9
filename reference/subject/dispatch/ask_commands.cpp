// Area dispatch: inspection of registrations.
#include <algorithm>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/registry/missing_kernel.hpp"
#include "reference/dispatch/watch/dump.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {
namespace {

/// Sorted names of the operators that satisfy `wanted`.
template <typename Wanted>
List names_where(Call& call, const Wanted& wanted) {
  std::vector<std::string> names;
  for (const auto& entry : dispatcher_of(call).registry().entries()) {
    const OperatorStatePtr state = entry->state();
    if (wanted(*state)) names.push_back(to_text(state->name));
  }
  std::sort(names.begin(), names.end());
  List list;
  for (std::string& name : names) list.items.emplace_back(std::move(name));
  return list;
}

bool has_any(const Table& table, KeySet keys) {
  return std::any_of(table.op->kernels.begin(), table.op->kernels.end(), [&](const auto& entry) {
    return !is_alias(entry.first) && has(table.layout, keys, entry.first);
  });
}

}  // namespace

void dispatch_find(Call& call) {
  const OperatorName name = parse_name(operator_name_argument(call, "op"), call.contract());
  const bool need_schema = call.arguments().boolean("need_schema", false);
  const auto found = dispatcher_of(call).find(name);
  call.result(found.has_value() && (!need_schema || found->has_schema()));
}

void dispatch_find_or_throw(Call& call) {
  OperatorName name;
  name.name = call.arguments().text("name");
  name.overload = call.arguments().text("overload");
  const OperatorHandle found = dispatcher_of(call).find_or_throw(name);
  auto made = std::make_shared<NamedHandle>(NamedHandle{found, std::nullopt});
  call.result(Object(std::move(made), "handle"));
}

void dispatch_dangling(Call& call) {
  call.result(Value(names_where(call, [](const OperatorState& op) { return !op.has_schema(); })));
}

void dispatch_ops(Call& call) {
  const std::string wanted = call.arguments().text("namespace");
  call.result(Value(
      names_where(call, [&](const OperatorState& op) { return op.name.name_space() == wanted; })));
}

void dispatch_registrations(Call& call) {
  const auto key = key_or_none(call, "key");
  const std::string name_space = call.arguments().text("namespace", "");
  call.result(Value(names_where(call, [&](const OperatorState& op) {
    if (!name_space.empty() && op.name.name_space() != name_space) return false;
    return !key || op.newest_at(*key) != nullptr;
  })));
}

void dispatch_describe(Call& call) {
  const OperatorHandle op = operator_argument(call, "op");
  const Table table = dispatcher_of(call).table_of(op);
  const Definition* definition = table.op->definition.get();
  List tags;
  if (definition != nullptr) {
    for (const std::string& tag : definition->tags) tags.items.emplace_back(tag);
  }
  call.set("has_schema", definition != nullptr);
  call.set("schema", definition == nullptr ? Value() : Value(to_text(definition->schema)));
  call.set("debug", definition == nullptr ? std::string() : definition->debug);
  call.set("alias_kind",
           definition == nullptr ? Value("") : Value(name_of(definition->alias_kind)));
  call.set("tags", std::move(tags));
  call.set("state", dump_state(table.layout, *table.op));
  call.set("table", dump_table(table));
}

void dispatch_has_kernel(Call& call) {
  const Table table = dispatcher_of(call).table_of(operator_argument(call, "op"));
  if (const auto key = key_or_none(call, "key")) {
    return call.result(table.op->newest_at(*key) != nullptr);
  }
  if (const auto key = key_or_none(call, "computed")) {
    check(!is_alias(*key),
          [&] { return "Alias keys do not have runtime kernel registrations: " + name_of(*key); });
    return call.result(table.entry(*key).is_valid());
  }
  call.result(has_any(table, set_argument(call, "any")));
}

void dispatch_has_fallback(Call& call) {
  const auto fallbacks = dispatcher_of(call).registry().fallbacks();
  call.result(fallbacks->contains(key_from(call, call.arguments().text("key"))));
}

void dispatch_check(Call& call) {
  Dispatcher& dispatcher = dispatcher_of(call);
  if (call.has("op")) {
    return check_invariants(dispatcher.table_of(operator_argument(call, "op")));
  }
  for (const auto& entry : dispatcher.registry().entries()) {
    check_invariants(dispatcher.registry().table_of(entry->state()));
  }
}

}  // namespace assay::reference
