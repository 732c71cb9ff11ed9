// The dispatcher of a session and its built-in registrations.
#include "reference/dispatch/dispatcher_of.hpp"

#include <list>
#include <mutex>

#include "reference/amp/operators.hpp"
#include "reference/autocast/wrapper.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

/// Registers the operators of all areas.
void add_all_operators(Dispatcher& dispatcher) {
  add_amp_operators(dispatcher);
  add_operators(dispatcher);
  add_autocast(dispatcher);
}

/// An unused dispatcher that sessions copy, since registering hundreds of operators at every reset
/// would be slow.
struct Prototype {
  explicit Prototype(const Contract& contract) : runtime(contract), dispatcher(runtime) {
    add_all_operators(dispatcher);
  }

  Runtime runtime;
  Dispatcher dispatcher;
};

/// One for each contract, never destroyed.
const Dispatcher& prototype_for(const Contract& contract) {
  static std::mutex mutex;
  static auto& made = *new std::list<Prototype>;
  const std::scoped_lock lock(mutex);
  for (const Prototype& prototype : made) {
    if (prototype.runtime.contract() == contract) return prototype.dispatcher;
  }
  return made.emplace_back(contract).dispatcher;
}

struct SessionDispatcher {
  std::once_flag once;
  std::unique_ptr<Dispatcher> dispatcher;
};

}  // namespace

Dispatcher& dispatcher_of(Runtime& runtime) {
  auto& session = runtime.shared<SessionDispatcher>();
  std::call_once(session.once, [&] {
    session.dispatcher = std::make_unique<Dispatcher>(runtime, prototype_for(runtime.contract()));
  });
  return *session.dispatcher;
}

}  // namespace assay::reference
