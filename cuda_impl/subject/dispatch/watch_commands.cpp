// Area dispatch: listeners and observers.
#include <mutex>

#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {
namespace {

/// Events that have not been queried yet. Thread-safe.
class EventLog {
 public:
  void add(Value event) {
    const std::scoped_lock lock(mutex_);
    events_.items.push_back(std::move(event));
  }
  List take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(events_, {});
  }

 private:
  std::mutex mutex_;
  List events_;
};

/// Dropping it ends the observation.
struct Watching {
  std::shared_ptr<EventLog> log = std::make_shared<EventLog>();
  dispatch::Registration registration;
};

std::string callback_argument(Call& call, std::string_view name) {
  if (!call.has(name)) return {};
  const auto* callable = call.arguments().value(name).get_if<Callable>();
  if (callable == nullptr) throw InvalidArgument("dispatch.listen: not a callable");
  return callable->name;
}

/// Records `+ns::op` or `-ns::op` (except for built-in operators) and calls the client back.
std::function<void(const Operator&)> notice(const std::shared_ptr<EventLog>& log, char sign,
                                            std::string callback) {
  return [log, sign, callback = std::move(callback)](const Operator& op) {
    if (op.name().namespace_name() != "aten") log->add(sign + op.text());
    if (!callback.empty()) Call::current().call_back(callback, {op.text()});
  };
}

Value event(std::string_view what, const dispatch::ObservedCall& seen) {
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
  ObserverOff() { ++dispatch::observed_thread.suspended; }
  void leave() override { --dispatch::observed_thread.suspended; }
};

}  // namespace

void dispatch_listen(Call& call) {
  const auto watching = std::make_shared<Watching>();
  watching->registration = call.dispatcher()->add_listener(
      {.added = notice(watching->log, '+', callback_argument(call, "added")),
       .removed = notice(watching->log, '-', callback_argument(call, "removed"))});
  call.result(Object(watching, "listener"));
}

void dispatch_observe(Call& call) {
  const auto watching = std::make_shared<Watching>();
  const auto writes = [&](std::string_view what) {
    return [what, log = watching->log](const dispatch::ObservedCall& seen) {
      log->add(event(what, seen));
    };
  };
  watching->registration =
      call.dispatcher()->add_observer({.wants_inputs = call.arguments().boolean("inputs", false),
                                       .wants_outputs = call.arguments().boolean("outputs", false),
                                       .probability = call.arguments().real("probability", 1),
                                       .start = writes("start"),
                                       .end = writes("end")});
  call.result(Object(watching, "observer"));
}

void dispatch_observer_off(Call& call) {
  std::shared_ptr<Guard> guard = std::make_shared<ObserverOff>();
  call.result(Object(std::move(guard), "guard"));
}

void dispatch_events(Call& call) {
  call.result(Value(call.held<Watching>("of", "listener or observer")->log->take()));
}

}  // namespace assay::cuda
