// The dispatcher: registration and lookup.
#include "reference/dispatch/dispatcher.hpp"

#include "reference/core/types/error.hpp"
#include "reference/dispatch/registry/default_fallbacks.hpp"
#include "reference/dispatch/registry/registration_checks.hpp"

namespace assay::reference {

Dispatcher::Dispatcher(Runtime& runtime)
    : runtime_(runtime),
      registry_(std::make_shared<Registry>(*this, runtime)),
      observers_(std::make_shared<Observers>(runtime)) {
  add_default_fallbacks(*this);
  set_autograd_fallback(default_autograd_fallback(runtime.contract()));
}

Dispatcher::Dispatcher(Runtime& runtime, const Dispatcher& prototype)
    : runtime_(runtime),
      registry_(std::make_shared<Registry>(*this, runtime)),
      observers_(std::make_shared<Observers>(runtime)) {
  registry_->copy_from(*prototype.registry_);
}

Dispatcher::~Dispatcher() { registry_->close(); }

void Dispatcher::set_autograd_fallback(AutogradFallback mode) {
  put_autograd_fallback(*this, mode);
}

Registration Dispatcher::define(std::string_view schema, const DefineOptions& options) {
  return registry_->define(parse_schema(schema, runtime_.contract()), options);
}

Registration Dispatcher::impl(std::string_view name, std::optional<DispatchKey> key,
                              const Kernel& kernel, const std::string& debug) {
  return registry_->impl(parse_name(name, runtime_.contract()), key, kernel, debug);
}

Registration Dispatcher::fallback(DispatchKey key, const Kernel& kernel, const std::string& debug) {
  return registry_->fallback(key, kernel, debug);
}

void Dispatcher::keep(Registration registration) { kept_.push_back(std::move(registration)); }

std::optional<OperatorHandle> Dispatcher::find(const OperatorName& name) const {
  auto entry = registry_->find(name);
  if (entry == nullptr) return std::nullopt;
  return OperatorHandle(std::move(entry));
}

OperatorHandle Dispatcher::find_or_throw(const OperatorName& name) const {
  const auto found = find(name);
  if (found && found->has_schema()) return *found;
  const std::string hint =
      found ? " but we found an implementation; did you forget to def() the operator?" : "";
  throw Error("Could not find schema for " + name.name + "." + name.overload + hint);
}

OperatorHandle Dispatcher::op(std::string_view name) const {
  return find_or_throw(parse_name(name, runtime_.contract()));
}

Table Dispatcher::table_of(const OperatorHandle& op) const {
  return registry_->table_of(op.live_state());
}

TypedHandle Dispatcher::typed(const OperatorHandle& op, const CppSignature& signature) const {
  const OperatorStatePtr state = op.live_state();
  expect_called_as(*state, signature);
  if (runtime_.contract().strict() && state->has_schema()) {
    expect_schema_called_as(*state, signature);
  }
  return {op, signature};
}

}  // namespace assay::reference
