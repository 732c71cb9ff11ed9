// Operator lookup, the registration lock, registration handles, and observers.
#include "cuda_impl/dispatch/registry/dispatcher.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/registry/grace.hpp"
#include "cuda_impl/dispatch/registry/library.hpp"

namespace assay::cuda::dispatch {

Observers::~Observers() { count_observers(-static_cast<int>(held_->size())); }

const Observer* Observers::add(Observer observer) {
  const double probability = observer.probability;
  require(0 <= probability && probability <= 1, [&] {
    return "an observer's probability is between 0 and 1, not " + std::to_string(probability);
  });
  auto added = std::make_shared<const Observer>(std::move(observer));
  const std::scoped_lock lock(mutex_);
  auto list = std::make_shared<List>(*held_);
  list->push_back(added);
  publish(std::move(list));
  count_observers(1);
  return added.get();
}

void Observers::remove(const Observer* observer) {
  const std::scoped_lock lock(mutex_);
  auto list = std::make_shared<List>(*held_);
  const auto removed = std::erase_if(*list, [&](const auto& one) { return one.get() == observer; });
  if (removed == 0) return;
  publish(std::move(list));
  count_observers(-1);
}

void Observers::publish(std::shared_ptr<const List> list) {
  published_.store(list.get(), std::memory_order_release);
  retire(std::exchange(held_, std::move(list)));
}

void Operator::publish(std::shared_ptr<const Table> table) {
  std::shared_ptr<const Table> before = std::exchange(held_, std::move(table));
  table_.store(held_.get(), std::memory_order_release);
  retire(std::move(before));
}

Dispatcher::Dispatcher(Contract contract)
    : contract_(contract), layout_(Layout::of(contract.release)) {}

/// Handles that outlive the dispatcher do nothing (DSP-420).
Dispatcher::~Dispatcher() = default;

std::shared_ptr<Dispatcher> Dispatcher::make(Contract contract) {
  const std::shared_ptr<Dispatcher> made(new Dispatcher(contract));  // NOLINT: it is private
  add_default_fallbacks(*made);
  return made;
}

Dispatcher::Turn::Turn(Dispatcher& dispatcher) : dispatcher_(dispatcher) {
  require(dispatcher.notifying_.load() != std::this_thread::get_id(),
          [] { return "registration from inside a listener"; });
  lock_ = std::unique_lock(dispatcher.mutex_);
}

Dispatcher::Turn::~Turn() {
  while (!dispatcher_.deferred_.empty()) {
    const auto all = std::exchange(dispatcher_.deferred_, {});
    for (const auto& undo : all) undo(dispatcher_);
  }
  lock_.unlock();
  collect();
}

Registration Dispatcher::handle(std::function<void(Dispatcher&)> undo) {
  return {[weak = weak_from_this(), undo = std::move(undo)] {
            if (const auto alive = weak.lock()) alive->undo(undo);
          },
          !contract_.is_strict};
}

void Dispatcher::undo(const std::function<void(Dispatcher&)>& what) {
  if (notifying_.load() == std::this_thread::get_id()) return deferred_.push_back(what);
  const Turn turn(*this);
  what(*this);
}

Operator* Dispatcher::find_any(const OperatorName& name) const {
  const std::size_t bucket = std::hash<std::string>()(name.text()) % kBuckets;
  Operator* op = buckets_[bucket].load(std::memory_order_acquire);
  while (op != nullptr && op->name() != name) op = op->in_bucket;
  return op;
}

std::unique_lock<std::mutex> Dispatcher::lock_for_lookup() {
  if (notifying_.load() == std::this_thread::get_id()) return {};
  return std::unique_lock(mutex_);
}

Operator* Dispatcher::find(const OperatorName& name) {
  Operator* found = find_any(name);
  const Dispatcher* prototype = prototype_.load(std::memory_order_acquire);
  if (found == nullptr && prototype != nullptr && prototype->find_any(name) != nullptr) {
    const auto lock = lock_for_lookup();
    found = find_any(name);
    if (found == nullptr) found = adopted(name);
  }
  return found != nullptr && found->is_alive() ? found : nullptr;
}

Operator& Dispatcher::find_or_make(const OperatorName& name) {
  if (Operator* found = find_any(name)) return *found;
  if (Operator* found = adopted(name)) return *found;
  auto state = std::make_shared<OperatorState>();
  state->name = name;
  return make(name, std::move(state));
}

Operator* Dispatcher::adopted(const OperatorName& name) {
  const Dispatcher* prototype = prototype_.load(std::memory_order_acquire);
  const Operator* model = prototype == nullptr ? nullptr : prototype->find_any(name);
  return model == nullptr ? nullptr : &make(name, model->state());
}

void Dispatcher::adopt_the_rest() {
  const Dispatcher* prototype = prototype_.load(std::memory_order_acquire);
  if (prototype == nullptr) return;
  for (const Operator& model : prototype->operators_) {
    if (find_any(model.name()) == nullptr) make(model.name(), model.state());
  }
}

void Dispatcher::adopt(const Dispatcher& prototype) {
  const Turn turn(*this);
  for (const Operator& op : operators_) {
    require(!op.is_alive() || prototype.find_any(op.name()) == nullptr, [&] {
      return "Tried to register an operator (" + op.text() + ") that is there already";
    });
  }
  prototype_.store(&prototype, std::memory_order_release);
}

/// Readers see the operator once it has a table.
Operator& Dispatcher::make(const OperatorName& name, StatePtr state) {
  Operator& made = operators_.emplace_back(*this, name);
  made.publish(
      make_table({layout_, contract_, &made, std::move(state), fallbacks_}, nullptr, Slots()));
  auto& bucket = buckets_[std::hash<std::string>()(made.text()) % kBuckets];
  made.in_bucket = bucket.load(std::memory_order_relaxed);
  bucket.store(&made, std::memory_order_release);
  made.next = newest_.load(std::memory_order_relaxed);
  newest_.store(&made, std::memory_order_release);
  return made;
}

Operator& Dispatcher::find_schema(const OperatorName& name) {
  Operator* found = find(name);
  if (found != nullptr && found->state()->has_schema()) return *found;
  throw Error(
      "Could not find schema for " + name.name + "." + name.overload +
      (found == nullptr ? "" : " but we found an implementation; did you forget to def()?"));
}

std::vector<const Operator*> Dispatcher::operators() {
  {
    const auto lock = lock_for_lookup();
    adopt_the_rest();
  }
  return alive();
}

std::vector<const Operator*> Dispatcher::alive() const {
  std::vector<const Operator*> all;
  for (const Operator* op = newest_.load(std::memory_order_acquire); op != nullptr; op = op->next) {
    if (op->is_alive()) all.push_back(op);
  }
  std::ranges::sort(all, {}, &Operator::text);
  return all;
}

/// If the operator is new or is being removed, all slots change.
void Dispatcher::publish(Operator& op, OperatorState state, const Slots& changed) {
  const bool was_alive = op.table().is_alive;
  if (!state.is_alive()) state.first = std::nullopt;
  auto shared = std::make_shared<const OperatorState>(std::move(state));
  op.publish(make_table({layout_, contract_, &op, std::move(shared), fallbacks_},
                        was_alive ? &op.table() : nullptr, changed));
}

void Dispatcher::publish_fallbacks(Fallbacks fallbacks, const std::vector<Key>& keys) {
  adopt_the_rest();  // with the fallbacks that it was registered with
  fallbacks_ = std::make_shared<const Fallbacks>(std::move(fallbacks));
  Slots changed;
  for (const Key key : keys) changed |= refreshed_with(layout_, key);
  for (Operator& op : operators_) {
    op.publish(
        make_table({layout_, contract_, &op, op.table().state, fallbacks_}, &op.table(), changed));
  }
}

bool Dispatcher::has_fallback(Key key) const {
  if (notifying_.load() == std::this_thread::get_id()) return fallbacks_->contains(key);
  const std::scoped_lock lock(mutex_);
  return fallbacks_->contains(key);
}

Registration Dispatcher::own_namespace(const std::string& name, const std::string& where) {
  const Turn turn(*this);
  const auto owner = owners_.find(name);
  require(owner == owners_.end(), [&] {
    return "Only a single TORCH_LIBRARY can be used to register the namespace " + name +
           "; it was registered at " + owner->second + ", and again at " + where;
  });
  owners_.emplace(name, where);
  return handle([name](Dispatcher& self) { self.owners_.erase(name); });
}

Registration Dispatcher::add_observer(Observer observer) {
  return {[weak = weak_from_this(), added = observers_.add(std::move(observer))] {
            if (const auto alive = weak.lock()) alive->observers_.remove(added);
          },
          !contract_.is_strict};
}

}  // namespace assay::cuda::dispatch
