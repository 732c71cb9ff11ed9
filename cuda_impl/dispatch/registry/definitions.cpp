// Operator definitions and their listeners (DSP-406, DSP-418, DSP-805, DSP-806).
#include <utility>

#include "cuda_impl/dispatch/registry/turn.hpp"
#include "cuda_impl/dispatch/schema/difference.hpp"

namespace assay::cuda::dispatch {
namespace {

constexpr std::size_t kMostArguments = 64;

void expect_few_arguments(const Schema& schema) {
  const std::size_t count = schema.arguments().size();
  require(count <= kMostArguments, [&] {
    return "The function schema of " + schema.name().text() + " has " + std::to_string(count) +
           " arguments but this dispatcher only supports " + std::to_string(kMostArguments);
  });
}

}  // namespace

void Dispatcher::expect_definable(const OperatorState& op, const Schema& schema,
                                  const std::string& debug) {
  if (op.has_schema()) {
    throw Error(op.is_forsaken ? ErrorKind::kInternal : ErrorKind::kError,
                "Tried to register an operator (" + schema.text() +
                    ") with the same name and overload name multiple times. It was registered as " +
                    op.definition->schema.text() + " at " + op.definition->debug +
                    ", and again at " + debug);
  }
  expect_few_arguments(schema);
  require_definable(schema, contract_);
  for (const auto& [key, kernels] : op.kernels) {
    for (const RegisteredPtr& one : kernels) {
      if (!one->kernel.is_typed()) continue;
      require_fit(op.name, {schema, debug}, {one->kernel.signature->schema(), one->debug},
                  contract_);
    }
  }
}

Registration Dispatcher::define(const Schema& schema, const DefineOptions& options) {
  const Turn turn(*this);
  if (contract_.is_strict) expect_few_arguments(schema);
  Operator& op = find_or_make(schema.name());
  const StatePtr before = op.table().state;
  OperatorState next = *before;
  try {
    expect_definable(*before, schema, options.debug);
  } catch (...) {
    forsake(op);
    throw;
  }
  next.is_forsaken = false;
  next.definition = std::make_shared<const Definition>(
      Definition{schema, options.debug, options.alias_kind, options.tags});
  publish(op, std::move(next), Slots());
  notify_listeners(op, before);
  return handle([&op](Dispatcher& self) { self.undefine(op); });
}

/// PyTorch leaves the entry of a rejected registration behind (DSP-207).
void Dispatcher::forsake(Operator& op) {
  OperatorState state = *op.table().state;
  if (contract_.is_strict || state.is_alive()) return;
  state.is_forsaken = true;
  publish(op, std::move(state), Slots());
}

void Dispatcher::notify(const std::function<void(const Operator&)>& listener, const Operator& op) {
  if (!listener) return;
  struct Notifying {
    explicit Notifying(std::atomic<std::thread::id>& notifying_thread) : thread(notifying_thread) {
      thread = std::this_thread::get_id();
    }
    ~Notifying() { thread = std::thread::id(); }
    std::atomic<std::thread::id>& thread;
  } const notifying(notifying_);
  listener(op);
}

void Dispatcher::notify_listeners(Operator& op, const StatePtr& before) {
  try {
    for (const ListenerPtr& one : listeners_) notify(one->added, op);
  } catch (...) {
    OperatorState next = contract_.is_strict ? *before : *op.table().state;
    next.is_forsaken = !contract_.is_strict;
    publish(op, std::move(next), Slots());
    throw;
  }
}

void Dispatcher::undefine(Operator& op) {
  for (const ListenerPtr& one : listeners_) {
    try {
      notify(one->removed, op);
    } catch (const std::exception&) {  // removing a registration must not fail
      continue;
    }
  }
  OperatorState next = *op.table().state;
  next.definition = nullptr;
  publish(op, std::move(next), Slots());
}

Registration Dispatcher::add_listener(Listener listener) {
  const Turn turn(*this);
  const auto added = std::make_shared<const Listener>(std::move(listener));
  adopt_the_rest();
  for (const Operator* op : alive()) {
    if (op->table().has_schema) notify(added->added, *op);
  }
  listeners_.push_back(added);
  return handle([added](Dispatcher& self) { std::erase(self.listeners_, added); });
}

}  // namespace assay::cuda::dispatch
