// Area dispatch: listeners and observers.
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <ATen/record_function.h>

#include <array>
#include <mutex>

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/names.hpp"

namespace assay::libtorch {
namespace {

/// Recorded events, until they are queried. Written by any thread.
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

/// A listener or an observer, removed by dropping it.
struct Watching {
  std::shared_ptr<EventLog> log = std::make_shared<EventLog>();
  std::optional<c10::RegistrationHandleRAII> listener;
  std::shared_ptr<void> observer;
};

/// The callback's name; empty if there is none.
std::string callable_argument(Call& call, std::string_view name) {
  if (!call.has(name)) return {};
  const auto* callable = call.arguments().value(name).get_if<Callable>();
  if (callable == nullptr) throw InvalidArgument("dispatch.listen: not a callable");
  return callable->name;
}

class Listener final : public c10::OpRegistrationListener {
 public:
  Listener(std::shared_ptr<EventLog> log, std::string added, std::string removed)
      : log_(std::move(log)), added_(std::move(added)), removed_(std::move(removed)) {}

  void onOperatorRegistered(const c10::OperatorHandle& op) override { note('+', op, added_); }
  void onOperatorDeregistered(const c10::OperatorHandle& op) override { note('-', op, removed_); }

 private:
  void note(char sign, const c10::OperatorHandle& op, const std::string& callback) {
    const std::string name = c10::toString(op.operator_name());
    if (!is_built_in(op.operator_name())) log_->add(sign + name);
    if (!callback.empty()) Call::current().call_back(callback, {name});
  }

  std::shared_ptr<EventLog> log_;
  std::string added_;
  std::string removed_;
};

/// Data passed from the start to the end of a call, where the inputs are no longer available.
struct Started final : at::ObserverContext {
  explicit Started(std::int64_t count) : inputs(count) {}
  std::int64_t inputs;
};

Value event(std::string_view what, const at::RecordFunction& seen, std::int64_t inputs) {
  Dict event;
  event.items.emplace_back("event", what);
  event.items.emplace_back(
      "op", seen.operator_name() ? c10::toString(*seen.operator_name()) : std::string(seen.name()));
  event.items.emplace_back("sequence", seen.seqNr());
  event.items.emplace_back("inputs", inputs);
  event.items.emplace_back("outputs", static_cast<std::int64_t>(seen.outputs().size()));
  event.items.emplace_back("schema", seen.operator_schema().has_value());
  return event;
}

/// PyTorch's observers are plain functions, so each of ours uses one of these slots.
constexpr std::size_t kPlaces = 8;
std::array<std::shared_ptr<EventLog>, kPlaces>& places() {
  static std::array<std::shared_ptr<EventLog>, kPlaces> logs;
  return logs;
}

template <std::size_t I>
struct Observer {
  static std::unique_ptr<at::ObserverContext> start(const at::RecordFunction& seen) {
    const auto inputs =
        seen.needsInputs() ? static_cast<std::int64_t>(seen.inputs().size()) : std::int64_t{0};
    if (const auto log = places()[I]) log->add(event("start", seen, inputs));
    return std::make_unique<Started>(inputs);
  }
  static void end(const at::RecordFunction& seen, at::ObserverContext* context) {
    const std::int64_t inputs = static_cast<const Started*>(context)->inputs;
    if (const auto log = places()[I]) log->add(event("end", seen, inputs));
  }
};

template <std::size_t... I>
at::RecordFunctionCallback callback_at(std::size_t place, std::index_sequence<I...>) {
  constexpr std::array<at::RecordFunctionCallback::StartCallback, kPlaces> kStarts{
      &Observer<I>::start...};
  constexpr std::array<at::RecordFunctionCallback::EndCallback, kPlaces> kEnds{
      &Observer<I>::end...};
  return at::RecordFunctionCallback(kStarts[place], kEnds[place]);
}

std::size_t free_place() {
  for (std::size_t i = 0; i < kPlaces; ++i) {
    if (places()[i] == nullptr) return i;
  }
  throw NotSupported("so many observers at the same time");
}

}  // namespace

void dispatch_listen(Call& call) {
  const auto watching = std::make_shared<Watching>();
  auto listener = std::make_unique<Listener>(watching->log, callable_argument(call, "added"),
                                             callable_argument(call, "removed"));
  watching->listener.emplace(
      c10::Dispatcher::singleton().addRegistrationListener(std::move(listener)));
  call.result(Object(watching, "listener"));
}

void dispatch_observe(Call& call) {
  const auto watching = std::make_shared<Watching>();
  const std::size_t place = free_place();
  at::RecordFunctionCallback callback =
      callback_at(place, std::make_index_sequence<kPlaces>())
          .needsInputs(call.arguments().boolean("inputs", false))
          .needsOutputs(call.arguments().boolean("outputs", false))
          .samplingProb(call.arguments().real("probability", 1))
          .scopes({at::RecordScope::FUNCTION});
  places()[place] = watching->log;
  const at::CallbackHandle handle = at::addGlobalCallback(callback);
  watching->observer = std::shared_ptr<void>(nullptr, [handle, place](void*) {
    at::removeCallback(handle);
    places()[place] = nullptr;
  });
  call.result(Object(watching, "observer"));
}

void dispatch_observer_off(Call& call) { call.give_guard<at::DisableRecordFunctionGuard>(); }

void dispatch_events(Call& call) {
  call.result(Value(call.held<Watching>("of", "listener or observer")->log->take()));
}

}  // namespace assay::libtorch
