// Area dispatch: queries on registrations, listeners and observers, and native entries.
#include <algorithm>
#include <mutex>

#include "cuda_impl/dispatch/registry/library.hpp"
#include "cuda_impl/dispatch/registry/table.hpp"
#include "cuda_impl/subject/call.hpp"
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
  const Operator* found = call.dispatcher()->find(name);
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
  call.result(names_where(*call.dispatcher(), [&](const OperatorState& op) {
    return op.name.namespace_name() == wanted;
  }));
}

void dispatch_registrations(Call& call) {
  const auto key = key_or_none(call, "key");
  const std::string wanted = call.arguments().text("namespace", "");
  call.result(names_where(*call.dispatcher(), [&](const OperatorState& op) {
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

// Listeners and observers.

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

// Native entries.

namespace {

/// Splits `CPU, CUDA` into two words.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string word(text.substr(begin, end - begin));
    std::erase(word, ' ');
    words.push_back(std::move(word));
    begin = end + 1;
  }
  return words;
}

void read_dispatch(Call& call, dispatch::NativeEntry& entry) {
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
  dispatch::NativeEntry entry{
      .func = call.arguments().text("func"),
      .dispatch = {},
      .is_structured = call.arguments().boolean("structured", false),
      .structured_delegate = call.arguments().text("structured_delegate", ""),
      .checks_device = call.arguments().text("device_check", "ExactSame") != "NoCheck"};
  expect_variants(call.arguments().text("variants", "function"));
  read_dispatch(call, entry);
  auto made = std::make_shared<dispatch::NativeOperator>(register_entry(*call.dispatcher(), entry));
  List ops;
  for (const std::string& op : made->ops) ops.items.emplace_back(op);
  call.set("ops", std::move(ops));
  call.result(Object(std::move(made), "registrations"));
}

}  // namespace assay::cuda
