// Area dispatch: inspection of registrations, listeners and observers, and native entries
// (DSP-422).
#include <algorithm>
#include <mutex>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/registry/native_entry.hpp"
#include "reference/dispatch/watch/dump.hpp"
#include "reference/subject/call.hpp"
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

// Listeners and observers.

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

// Native entries (DSP-422).

namespace {

/// `CPU, CUDA` consists of two keys.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    words.push_back(std::move(word));
    begin = end + 1;
  }
  return words;
}

void read_dispatch(Call& call, NativeEntry& entry) {
  if (!call.has("dispatch")) return;
  const auto* dict = call.arguments().value("dispatch").get_if<Dict>();
  if (dict == nullptr) throw InvalidArgument("dispatch.entry: 'dispatch' must be a dict");
  for (const auto& [keys, kernel] : dict->items) {
    const auto* texts = keys.get_if<std::string>();
    const auto* name = kernel.get_if<std::string>();
    if (texts == nullptr || name == nullptr) {
      throw InvalidArgument("dispatch.entry: 'dispatch' maps texts to texts");
    }
    for (const std::string& key : words_of(*texts)) {
      entry.dispatch.emplace_back(key_from(call, key), *name);
    }
  }
}

void expect_variants(const std::string& variants) {
  for (const std::string& word : words_of(variants)) {
    if (word == "function" || word == "method") continue;
    throw InvalidArgument("dispatch.entry: there is no variant '" + word + "'");
  }
}

}  // namespace

void dispatch_entry(Call& call) {
  NativeEntry entry;
  entry.func = call.arguments().text("func");
  entry.structured = call.arguments().boolean("structured", false);
  entry.structured_delegate = call.arguments().text("structured_delegate", "");
  entry.device_check = call.arguments().text("device_check", "ExactSame") != "NoCheck";
  expect_variants(call.arguments().text("variants", "function"));
  read_dispatch(call, entry);

  auto made = std::make_shared<NativeOperator>(register_entry(dispatcher_of(call), entry));
  List ops;
  for (const std::string& op : made->ops) ops.items.emplace_back(op);
  call.set("ops", std::move(ops));
  call.result(Object(std::move(made), "registrations"));
}

}  // namespace assay::reference
