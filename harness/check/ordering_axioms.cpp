// Numbers a litmus program, and implements ORD-A1 to ORD-A6 and ORD-A8, one function each: the
// edges that a new call adds.
#include "harness/check/ordering_axioms.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace assay::litmus {

bool HappensBefore::add(std::size_t first, std::size_t second) {
  if (first == second || before(second, first)) return false;
  if (before(first, second)) return true;
  for (std::size_t point = 0; point < points_; ++point) {
    if (point != first && !before(point, first)) continue;
    std::uint64_t* const row = &after_[point * words_];
    for (std::size_t word = 0; word < words_; ++word) row[word] |= after_[second * words_ + word];
    row[second / 64] |= std::uint64_t{1} << (second % 64);
  }
  return true;
}

// Converts a litmus program to its numbered form.

namespace {

/// Builds a NumberedProgram.
class Numbering {
 public:
  Numbering(const Program& program, NumberedProgram& numbered) : numbered_(numbered) {
    for (const Operation* operation : program.operations()) declare(*operation);
    for (const Thread& thread : program.threads) add(thread);
  }

 private:
  void declare(const Operation& operation) {
    if (operation.verb == Verb::kAlias) aliases_.emplace(operation.stream.name, operation.other);
    if (operation.verb != Verb::kPinned && operation.verb != Verb::kPageable) return;
    pageable_[operation.buffer] = operation.verb == Verb::kPageable;
    numbered_.initial[host(operation)] = operation.value;
  }

  void add(const Thread& thread) {
    const std::size_t number = numbered_.threads.size();
    CallOrder& calls = numbered_.threads.emplace_back();
    for (const Operation& operation : thread.operations) {
      if (operation.declares()) continue;
      Item item{.operation = &operation, .thread = number};
      if (!calls.empty()) item.before = calls.back();
      item.device = operation.device;
      item.waits = waits(operation);
      if (!operation.stream.name.empty()) resolve(item, thread.name);
      calls.push_back(numbered_.items.size());
      numbered_.items.push_back(item);
      list_accesses(operation);
    }
  }

  /// ORD-A3: two names of one handle are one queue. STR-026: each thread has its own default
  /// stream.
  void resolve(Item& item, const std::string& thread) {
    const Stream* stream = &item.operation->stream;
    for (std::size_t i = 0; i <= aliases_.size(); ++i) {
      const auto alias = aliases_.find(stream->name);
      if (alias == aliases_.end()) break;
      stream = &alias->second;
    }
    const bool own = stream->kind == StreamKind::kPerThread;
    const bool legacy = stream->kind == StreamKind::kLegacy;
    std::string key = legacy ? "L" : own ? "P of " + thread : stream->name;
    if (legacy || own) key += "@" + std::to_string(stream->device);
    item.queue = queues_.emplace(key, queues_.size()).first->second;
    item.kind = stream->kind;
    item.device = stream->device;
  }

  bool waits(const Operation& operation) const {
    switch (operation.verb) {
      case Verb::kSyncEvent:
      case Verb::kSyncStream:
      case Verb::kSyncDevice:
      case Verb::kAwait:
      case Verb::kCopyIn:
      case Verb::kCopyOut:
        return true;
      case Verb::kCopyOutAsync:
        return pageable_.at(operation.buffer);  // STR-033: filled when the call returns
      default:
        return false;
    }
  }

  void list_accesses(const Operation& operation) {
    const std::size_t item = numbered_.items.size() - 1;
    switch (operation.verb) {
      case Verb::kStore:
        numbered_.writes.push_back({item, device(operation)});
        return;
      case Verb::kLoad:
        numbered_.reads.push_back({item, device(operation)});
        return;
      case Verb::kSet:
        numbered_.writes.push_back({item, host(operation), true});
        return;
      case Verb::kGet:
        numbered_.reads.push_back({item, host(operation), true});
        return;
      case Verb::kCopyIn:
      case Verb::kCopyInAsync:  // STR-033: a pageable source is staged when the call returns
        numbered_.reads.push_back({item, host(operation), pageable_.at(operation.buffer)});
        numbered_.writes.push_back({item, device(operation)});
        return;
      case Verb::kCopyOut:
      case Verb::kCopyOutAsync:
        numbered_.reads.push_back({item, device(operation)});
        numbered_.writes.push_back({item, host(operation)});
        return;
      default:
        return;
    }
  }

  std::size_t device(const Operation& operation) {
    return location("device " + operation.location);
  }
  std::size_t host(const Operation& operation) { return location("host " + operation.buffer); }
  std::size_t location(const std::string& key) {
    const auto [found, is_new] = locations_.emplace(key, locations_.size());
    if (is_new) numbered_.initial.push_back(0);
    return found->second;
  }

  NumberedProgram& numbered_;
  std::map<std::string, Stream> aliases_;
  std::map<std::string, bool> pageable_;
  std::map<std::string, std::size_t> queues_;
  std::map<std::string, std::size_t> locations_;
};

}  // namespace

NumberedProgram::NumberedProgram(const Program& program) { Numbering(program, *this); }

// The axioms.

namespace {

bool blocking(const Item& item) {
  return item.kind == StreamKind::kBlocking || item.kind == StreamKind::kPerThread;
}

/// ORD-A3 for one queue; ORD-A5 for the legacy stream and a blocking stream of the same device.
bool in_order(const Item& left, const Item& right) {
  if (left.queue == right.queue) return true;
  const bool legacy_left = left.kind == StreamKind::kLegacy && blocking(right);
  const bool legacy_right = right.kind == StreamKind::kLegacy && blocking(left);
  return left.device == right.device && (legacy_left || legacy_right);
}

/// `signal` releases a thread that awaits it, as `open` releases a gate.
bool holds(const Operation& operation) {
  return operation.verb == Verb::kGate || operation.verb == Verb::kAwait;
}
bool releases(const Operation& key, const Operation& held) {
  const Verb wanted = held.verb == Verb::kGate ? Verb::kOpen : Verb::kSignal;
  return key.verb == wanted && key.object == held.object;
}

}  // namespace

FixedOrder::FixedOrder(const NumberedProgram& program, const CallOrder& calls)
    : FixedOrder(program) {
  for (const std::size_t item : calls) add_call(item);
}

void FixedOrder::add_call(std::size_t item) {
  calls_.push_back(item);
  host_order();
  stream_order();
  event_edge();
  host_wait();
  gate();
  key();
}

// ORD-A1: each call follows the return of the thread's previous call; all calls are ordered.
void FixedOrder::host_order() {
  const std::size_t here = calls_.back();
  const Item& newest = program_->items[here];
  if (newest.waits) add(points().call(here), points().returned(here));
  if (newest.before) add(points().returned(*newest.before), points().call(here));
  if (calls_.size() > 1) add(points().call(calls_[calls_.size() - 2]), points().call(here));
}

// ORD-A2, ORD-A3, ORD-A5: nothing completes before it is submitted or before its stream's order.
void FixedOrder::stream_order() {
  const std::size_t here = calls_.back();
  const Item& newest = program_->items[here];
  if (!newest.operation->on_device()) return;
  add(points().call(here), points().done(here));
  for (std::size_t earlier = calls_.size() - 1; earlier-- > 0;) {
    if (!item(earlier).operation->on_device()) continue;
    if (in_order(item(earlier), newest)) add(points().done(calls_[earlier]), points().done(here));
  }
}

// ORD-A4: a wait refers to the latest record of the event before the wait was called.
void FixedOrder::event_edge() {
  const std::size_t here = calls_.back();
  if (program_->items[here].operation->verb != Verb::kWait) return;
  if (const auto version = captured(calls_.size() - 1)) {
    add(points().done(*version), points().done(here));
  }
}

// ORD-A6, and STR-033 for copies that block the host.
void FixedOrder::host_wait() {
  const std::size_t here = calls_.back();
  const Item& newest = program_->items[here];
  if (!newest.waits) return;
  const Verb verb = newest.operation->verb;
  const auto waits_for = [&](std::size_t other) {
    add(points().done(other), points().returned(here));
  };

  if (newest.operation->on_device()) waits_for(here);
  if (verb == Verb::kSyncEvent || verb == Verb::kSyncStream) {
    if (const auto what = captured(calls_.size() - 1)) waits_for(*what);
  }
  for (std::size_t earlier = 0; verb == Verb::kSyncDevice && earlier + 1 < calls_.size();
       ++earlier) {
    const bool there = item(earlier).device == newest.device;
    if (there && item(earlier).operation->on_device()) waits_for(calls_[earlier]);
  }
}

// ORD-A8: a gate waits until it is opened, which may have happened before.
void FixedOrder::gate() {
  const std::size_t here = calls_.back();
  const Operation& newest = *program_->items[here].operation;
  if (!holds(newest)) return;
  for (std::size_t earlier = 0; earlier + 1 < calls_.size(); ++earlier) {
    if (!releases(*item(earlier).operation, newest)) continue;
    add(points().call(calls_[earlier]),
        newest.on_device() ? points().done(here) : points().returned(here));
    return;
  }
  held_.push_back(here);
}

void FixedOrder::key() {
  const std::size_t here = calls_.back();
  std::erase_if(held_, [&](std::size_t held) {
    const Operation& waiting = *program_->items[held].operation;
    if (!releases(*program_->items[here].operation, waiting)) return false;
    add(points().call(here), waiting.on_device() ? points().done(held) : points().returned(held));
    return true;
  });
}

bool FixedOrder::comes(std::size_t point) const {
  return std::ranges::none_of(held_, [&](std::size_t held) {
    const bool gate = program_->items[held].operation->on_device();
    const std::size_t missing = gate ? points().done(held) : points().returned(held);
    return missing == point || order_.before(missing, point);
  });
}

std::optional<std::size_t> FixedOrder::captured(std::size_t place) const {
  const Operation& asked = *item(place).operation;
  const bool stream = asked.verb == Verb::kQueryStream || asked.verb == Verb::kSyncStream;
  for (std::size_t earlier = place; earlier-- > 0;) {
    const Operation& operation = *item(earlier).operation;
    const bool last = stream && operation.on_device() && item(earlier).queue == item(place).queue;
    const bool newest =
        !stream && operation.verb == Verb::kRecord && operation.object == asked.object;
    if (last || newest) return calls_[earlier];
  }
  return std::nullopt;
}

void FixedOrder::one_after_another() {
  for (std::size_t place = 1; place < calls_.size(); ++place) {
    add(points().returned(calls_[place - 1]), points().call(calls_[place]));
  }
}

}  // namespace assay::litmus
