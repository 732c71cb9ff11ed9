// Serializes registrations (DSP-801, DSP-806); operators, definitions and listeners.
#include "reference/dispatch/registry/registry.hpp"

#include <algorithm>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/registry/registration_checks.hpp"
#include "reference/dispatch/registry/table.hpp"

namespace assay::reference {
namespace {

class Notifying {
 public:
  explicit Notifying(std::atomic<std::thread::id>& thread) : thread_(thread) {
    thread_ = std::this_thread::get_id();
  }
  ~Notifying() { thread_ = std::thread::id{}; }
  Notifying(const Notifying&) = delete;
  Notifying& operator=(const Notifying&) = delete;

 private:
  std::atomic<std::thread::id>& thread_;
};

}  // namespace

void RegistrationQueue::notify(const std::function<void()>& run) {
  const Notifying notifying(notifying_);
  run();
}

RegistrationTurn::RegistrationTurn(RegistrationQueue& queue) : queue_(queue) {
  check(!queue.is_notifying(), [] { return "registration from inside a listener"; });
  queue_.mutex_.lock();
}

RegistrationTurn::~RegistrationTurn() {
  while (!queue_.deferred_.empty()) {
    const auto deferred = std::exchange(queue_.deferred_, {});
    for (const auto& later : deferred) later(*this);
  }
  const auto retired = std::exchange(queue_.retired_, {});
  queue_.mutex_.unlock();
}

// Operators, definitions and listeners.

Registry::Registry(Dispatcher& dispatcher, Runtime& runtime)
    : dispatcher_(dispatcher),
      runtime_(runtime),
      layout_(KeyLayout::of(runtime.contract().release)) {}

Registry::EntryPtr Registry::find(const OperatorName& name) const {
  const std::scoped_lock lock(names_mutex_);
  const auto found = names_.find(to_text(name));
  return found == names_.end() ? nullptr : found->second;
}

std::vector<Registry::EntryPtr> Registry::entries() const {
  const std::scoped_lock lock(names_mutex_);
  std::vector<EntryPtr> all;
  for (const auto& [name, entry] : names_) all.push_back(entry);
  return all;
}

std::shared_ptr<const Fallbacks> Registry::fallbacks() const {
  const std::scoped_lock lock(names_mutex_);
  return fallbacks_;
}

bool Registry::keeps_table() const { return !strict(); }

Registration Registry::handle(Undo undo) {
  return {[registry = weak_from_this(), undo = std::move(undo)] {
            if (const auto alive = registry.lock()) alive->run(undo);  // DSP-420
          },
          runtime_.contract().deviations};
}

void Registry::run(const Undo& undo) {
  if (queue_.is_notifying()) {
    return queue_.defer([this, undo](RegistrationTurn& turn) { undo(*this, turn); });
  }
  RegistrationTurn turn(queue_);
  if (!closed_) undo(*this, turn);
}

void Registry::copy_from(const Registry& other) {
  const std::scoped_lock lock(names_mutex_, other.names_mutex_);
  fallbacks_ = other.fallbacks_;
  for (const auto& [name, entry] : other.names_) {
    names_.emplace_hint(names_.end(), name,
                        std::make_shared<OperatorEntry>(dispatcher_, entry->state()));
  }
}

void Registry::close() {
  RegistrationTurn turn(queue_);
  closed_ = true;
  for (const EntryPtr& entry : entries()) {
    auto dead = std::make_shared<OperatorState>();
    dead->name = entry->state()->name;
    dead->alive = false;
    turn.retire(entry->replace(std::move(dead)));
  }
}

Registry::EntryPtr Registry::find_or_make(const OperatorName& name) {
  if (EntryPtr found = find(name)) return found;
  auto state = std::make_shared<OperatorState>();
  state->name = name;
  if (keeps_table()) {
    fill_stale_table(layout_, *state, *fallbacks());
  }
  auto made = std::make_shared<OperatorEntry>(dispatcher_, std::move(state));
  if (!strict()) list(made);  // PyTorch keeps the entry if the registration fails
  return made;
}

void Registry::list(const EntryPtr& entry) {
  const std::scoped_lock lock(names_mutex_);
  names_.emplace(to_text(entry->state()->name), entry);
}

void Registry::publish(RegistrationTurn& turn, const EntryPtr& entry, OperatorState next) {
  const bool in_use = next.has_schema() || !next.kernels.empty();
  next.alive = in_use;
  const std::string name = to_text(next.name);
  turn.retire(entry->replace(std::make_shared<const OperatorState>(std::move(next))));
  if (in_use) return list(entry);
  const std::scoped_lock lock(names_mutex_);
  names_.erase(name);
}

Registration Registry::define(const FunctionSchema& schema, const DefineOptions& options) {
  RegistrationTurn turn(queue_);
  if (strict()) expect_few_arguments(schema);
  const EntryPtr entry = find_or_make(schema.name);
  const OperatorStatePtr before = entry->state();
  expect_definable(*before, schema, options.debug);

  OperatorState next = *before;
  next.definition = std::make_shared<const Definition>(
      Definition{schema, options.debug, options.alias_kind, options.tags});
  publish(turn, entry, std::move(next));
  notify_listeners(turn, entry, before);
  return handle(
      [entry](Registry& self, RegistrationTurn& its_turn) { self.undefine(its_turn, entry); });
}

void Registry::expect_definable(const OperatorState& op, const FunctionSchema& schema,
                                const std::string& debug) const {
  expect_undefined(op, debug);
  expect_few_arguments(schema);
  for (const auto& [key, kernels] : op.kernels) {
    for (const RegisteredPtr& kernel : kernels) expect_schema(op, schema, debug, *kernel);
  }
}

void Registry::notify_listeners(RegistrationTurn& turn, const EntryPtr& entry,
                                const OperatorStatePtr& before) {
  try {
    for (const ListenerPtr& listener : listeners_) {
      if (!listener->added) continue;
      queue_.notify([&] { listener->added(OperatorHandle(entry)); });
    }
  } catch (...) {  // DSP-806
    OperatorState next = strict() ? *before : *entry->state();
    next.lost_definition = !strict();
    publish(turn, entry, std::move(next));
    throw;
  }
}

void Registry::undefine(RegistrationTurn& turn, const EntryPtr& entry) {
  for (const ListenerPtr& listener : listeners_) {
    if (!listener->removed) continue;
    try {
      queue_.notify([&] { listener->removed(OperatorHandle(entry)); });
    } catch (...) {  // removing a registration must not fail
      continue;
    }
  }
  OperatorState next = *entry->state();
  next.definition = nullptr;
  publish(turn, entry, std::move(next));
}

Registration Registry::own_namespace(const std::string& name, const std::string& where) {
  RegistrationTurn turn(queue_);
  const auto owner = owners_.find(name);
  check(owner == owners_.end(), [&] {
    return "Only a single TORCH_LIBRARY can be used to register the namespace " + name +
           "; it was registered at " + owner->second + ", and again at " + where;
  });
  owners_[name] = where;
  return handle([name](Registry& self, RegistrationTurn&) { self.owners_.erase(name); });
}

Registration Registry::add_listener(Listener listener) {
  RegistrationTurn turn(queue_);
  const auto held = std::make_shared<const Listener>(std::move(listener));
  for (const EntryPtr& entry : entries()) {
    if (!held->added || !entry->state()->has_schema()) continue;
    queue_.notify([&] { held->added(OperatorHandle(entry)); });
  }
  listeners_.push_back(held);
  return handle([held](Registry& self, RegistrationTurn& its_turn) {
    std::erase(self.listeners_, held);
    its_turn.retire(held);
  });
}

}  // namespace assay::reference
