// Area dispatch: keys and key sets.
#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/keys.hpp"

namespace assay::libtorch {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;

bool is_runtime_key(DispatchKey key) {
  return c10::toBackendComponent(key) != c10::BackendComponent::InvalidBit;
}

std::string_view kind_of_key(DispatchKey key) {
  if (key == DispatchKey::Undefined) return "undefined";
  if (c10::isAliasDispatchKey(key)) return "alias";
  if (c10::isPerBackendFunctionalityKey(key)) return "block";
  return is_runtime_key(key) ? "runtime" : "plain";
}

/// The autograd key of a backend key; None for other keys.
Value autograd_of(DispatchKey key) {
  const bool is_backend =
      key != DispatchKey::Undefined && !c10::isAliasDispatchKey(key) &&
      !c10::isPerBackendFunctionalityKey(key) &&
      (c10::isBackendDispatchKey(key) || c10::toFunctionalityKey(key) == DispatchKey::NestedTensor);
  if (!is_backend) return {};
  return name_of(c10::getAutogradKeyFromBackend(c10::toBackendComponent(key)));
}

DispatchKeySet outcome(Call& call, DispatchKeySet a) {
  const std::string operation = call.arguments().text("operation");
  if (operation == "or") return a | set_argument(call, "b");
  if (operation == "and") return a & set_argument(call, "b");
  if (operation == "xor") return a ^ set_argument(call, "b");
  if (operation == "minus") return a - set_argument(call, "b");
  const DispatchKey b = key_named(call.arguments().text("b"));
  if (operation == "add") return a.add(b);
  if (operation == "remove") return a.remove(b);
  if (operation == "remove_backend") return a.remove_backend(c10::toBackendComponent(b));
  throw NotSupported("no operation '" + operation + "' on sets of keys");
}

DispatchKeySet set_named(Call& call, const std::string& name) {
  if (name == "full") return DispatchKeySet(DispatchKeySet::FULL);
  if (name == "after_autograd") return c10::after_autograd_keyset;
  if (name == "after_ADInplaceOrView") return c10::after_ADInplaceOrView_keyset;
  if (name == "after_functionalize") return c10::after_func_keyset;
  if (name == "full_after") {
    return {DispatchKeySet::FULL_AFTER, key_named(call.arguments().text("key"))};
  }
  throw NotSupported("no set of keys '" + name + "'");
}

}  // namespace

void dispatch_keys(Call& call) {
  call.set("backends", names_value(backends()));
  call.set("functionalities", names_value(functionality_keys()));
  call.set("per_backend", names_value(per_backend_keys()));
  call.set("aliases", names_value(alias_keys()));
  call.set("slots", static_cast<std::int64_t>(c10::num_runtime_entries));
  call.set("full", bits_value(DispatchKeySet(DispatchKeySet::FULL)));
}

void dispatch_key(Call& call) {
  const DispatchKey asked = key_named(call.arguments().text("key"));
  const bool has_slot =
      !c10::isAliasDispatchKey(asked) && !c10::isPerBackendFunctionalityKey(asked);
  call.set("kind", kind_of_key(asked));
  call.set("slot", has_slot ? Value(c10::getDispatchTableIndexForDispatchKey(asked)) : Value());
  call.set("set", bits_value(DispatchKeySet(asked)));
  call.set("autograd", autograd_of(asked));
}

void dispatch_members(Call& call) {
  const DispatchKey alias = key_named(call.arguments().text("key"));
  std::vector<DispatchKey> found;
  for (const DispatchKey key : keys_with_slots()) {
    if (key != DispatchKey::Undefined && c10::isIncludedInAlias(key, alias)) found.push_back(key);
  }
  call.result(names_value(found));
}

void dispatch_parse_key(Call& call) {
  call.result(Value(name_of(c10::parseDispatchKey(call.arguments().text("text")))));
}

void dispatch_set(Call& call) {
  DispatchKeySet made = set_argument(call, "a");
  if (call.has("operation")) made = outcome(call, made);
  std::vector<DispatchKey> yielded;
  for (const DispatchKey key : made) yielded.push_back(key);
  call.set("set", bits_value(made));
  call.set("empty", made.empty());
  call.set("highest", name_of(made.highestPriorityTypeId()));
  call.set("slot", made.getDispatchTableIndexForDispatchKeySet());
  call.set("keys", names_value(yielded));
  call.set("text", c10::toString(made));
  call.set("backend_key", name_of(c10::highestPriorityBackendTypeId(made)));
}

void dispatch_has(Call& call) {
  const DispatchKeySet asked = set_argument(call, "set");
  if (call.has("all")) return call.result(Value(asked.has_all(set_argument(call, "all"))));
  if (call.has("any")) return call.result(Value(asked.has_any(set_argument(call, "any"))));
  call.result(Value(asked.has(key_named(call.arguments().text("key")))));
}

void dispatch_named_set(Call& call) {
  call.result(bits_value(set_named(call, call.arguments().text("name"))));
}

}  // namespace assay::libtorch
