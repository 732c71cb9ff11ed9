// Area dispatch: listeners and observers.
#include <mutex>

#include "reference/core/types/error.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {
namespace {

/// Recorded events that have not been requested yet. Any thread may add some.
class EventLog {
 public:
  void add(Value event) {
    const std::scoped_lock lock(mutex_);
    events_.push_back(std::move(event));
  }
  List take() {
    const std::scoped_lock lock(mutex_);
    return List{std::exchange(events_, {})};
  }

 private:
  std::mutex mutex_;
  std::vector<Value> events_;
};

/// A listener or observer; dropping it removes it.
struct Watching {
  std::shared_ptr<EventLog> log = std::make_shared<EventLog>();
  Registration registration;
};

void give(Call& call, const std::shared_ptr<Watching>& watching, std::string_view kind) {
  call.result(Object(watching, kind));
}

/// Whether the operator is one of the runtime's own.
bool is_built_in(const std::string& op) { return op.starts_with("aten::"); }

/// Records `+ns::op` or `-ns::op`, and runs the client's callback if there is one.
std::function<void(const OperatorHandle&)> notice(Call& call, const std::shared_ptr<EventLog>& log,
                                                  std::string_view name, char sign) {
  std::string callback;
  if (call.has(name)) {
    const auto* callable = call.arguments().value(name).get_if<Callable>();
    if (callable == nullptr) throw InvalidArgument("dispatch.listen: not a callable");
    callback = callable->name;
  }
  return [log, callback, sign](const OperatorHandle& op) {
    if (!is_built_in(op.name())) log->add(sign + op.name());
    if (!callback.empty()) Call::current().call_back(callback, {op.name()});
  };
}

Value event(std::string_view what, const ObservedCall& seen) {
  Dict event;
  event.items.emplace_back("event", what);
  event.items.emplace_back("op", seen.op);
  event.items.emplace_back("sequence", seen.sequence);
  event.items.emplace_back("inputs", static_cast<std::int64_t>(seen.inputs.size()));
  event.items.emplace_back("outputs", static_cast<std::int64_t>(seen.outputs.size()));
  event.items.emplace_back("schema", seen.has_schema);
  return event;
}

class ObserverOff final : public Guard {
 public:
  explicit ObserverOff(Runtime& runtime) : runtime_(runtime) { suspend_observers(runtime, 1); }
  void leave() override { suspend_observers(runtime_, -1); }

 private:
  Runtime& runtime_;
};

}  // namespace

void dispatch_listen(Call& call) {
  const auto watching = std::make_shared<Watching>();
  Listener listener;
  listener.added = notice(call, watching->log, "added", '+');
  listener.removed = notice(call, watching->log, "removed", '-');
  watching->registration = dispatcher_of(call).registry().add_listener(std::move(listener));
  give(call, watching, "listener");
}

void dispatch_observe(Call& call) {
  const auto watching = std::make_shared<Watching>();
  Observer observer;
  observer.wants_inputs = call.arguments().boolean("inputs", false);
  observer.wants_outputs = call.arguments().boolean("outputs", false);
  observer.probability = call.arguments().real("probability", 1);
  observer.start = [log = watching->log](const ObservedCall& seen) {
    log->add(event("start", seen));
  };
  observer.end = [log = watching->log](const ObservedCall& seen) { log->add(event("end", seen)); };
  watching->registration = dispatcher_of(call).observers().add(std::move(observer));
  give(call, watching, "observer");
}

void dispatch_observer_off(Call& call) {
  std::shared_ptr<Guard> guard = std::make_shared<ObserverOff>(call.runtime());
  call.result(Object(std::move(guard), "guard"));
}

void dispatch_events(Call& call) {
  call.result(Value(call.held<Watching>("of", "listener or observer")->log->take()));
}

}  // namespace assay::reference
