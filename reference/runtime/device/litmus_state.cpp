// Applies calls and completions to a litmus program.
#include "reference/runtime/device/litmus_state.hpp"

namespace assay::reference {
namespace {

std::uint64_t bit(int number) { return std::uint64_t{1} << number; }

}  // namespace

LitmusState::LitmusState(const LitmusProgram& program)
    : threads_(program.threads.size()),
      places_(program.places),
      seen_(static_cast<std::size_t>(program.observations)) {
  for (const auto& queue : program.queues) machine_.add_queue(queue.id, queue.device, queue.kind);
  std::size_t items = 1;  // numbered from 1
  for (const auto& thread : program.threads) items += thread.size();
  staged_.resize(items);
}

bool LitmusState::can_call(std::size_t thread, const LitmusStep& step) const {
  const bool is_held = step.verb == LitmusVerb::kAwait && (signals_ & bit(step.signal)) == 0;
  return !is_held && machine_.are_complete(threads_[thread].awaited);
}

void LitmusState::call(std::size_t thread, const LitmusStep& step) {
  Position& position = threads_[thread];
  position.next += 1;
  position.awaited = awaited_by(step);
  switch (step.verb) {
    case LitmusVerb::kSubmit:
      return submit(position, step);
    case LitmusVerb::kRecord:
      return machine_.record(step.item, step.queue, step.event);
    case LitmusVerb::kWait:
      return machine_.wait(step.item, step.queue, step.event);
    case LitmusVerb::kOpen:
      return machine_.open(step.gate);
    case LitmusVerb::kSignal:
      signals_ |= bit(step.signal);
      return;
    case LitmusVerb::kHostWrite:
      place(step.to) = step.value;
      return;
    case LitmusVerb::kHostRead:
      return see(step, place(step.from));
    case LitmusVerb::kQueryEvent:
    case LitmusVerb::kQueryQueue:
      return see(step, answer(step) ? 1 : 0);
    case LitmusVerb::kAwait:
    case LitmusVerb::kSyncEvent:
    case LitmusVerb::kSyncQueue:
    case LitmusVerb::kSyncDevice:
      return;
  }
}

/// Determined at the time of the call (ORD-A6).
std::vector<ItemId> LitmusState::awaited_by(const LitmusStep& step) const {
  if (step.verb == LitmusVerb::kSyncEvent) return machine_.version_of(step.event);
  if (step.verb == LitmusVerb::kSyncQueue) return machine_.work_of_queue(step.queue);
  if (step.verb == LitmusVerb::kSyncDevice) return machine_.work_of_device(step.device);
  return {};
}

void LitmusState::submit(Position& position, const LitmusStep& step) {
  machine_.submit(step.item, step.queue, step.gate);
  if (step.is_sync) position.awaited = {step.item};
  if (step.source == LitmusStep::Source::kPlaceAtCall) staged_[step.item] = place(step.from);
}

bool LitmusState::answer(const LitmusStep& step) const {
  return step.verb == LitmusVerb::kQueryEvent ? machine_.is_event_ready(step.event)
                                              : machine_.is_queue_idle(step.queue);
}

void LitmusState::complete(const LitmusStep& step) {
  std::int64_t value = step.value;
  if (step.source == LitmusStep::Source::kPlace) value = place(step.from);
  if (step.source == LitmusStep::Source::kPlaceAtCall) value = staged_[step.item];
  if (step.to >= 0) place(step.to) = value;
  see(step, value);
  staged_[step.item] = 0;
  machine_.complete(step.item);
}

void LitmusState::see(const LitmusStep& step, std::int64_t value) {
  if (step.seen_as >= 0) seen_[static_cast<std::size_t>(step.seen_as)] = value;
}

std::string LitmusState::key() const {
  std::vector<std::uint64_t> words;
  for (const Position& position : threads_) {
    words.push_back(position.next);
    for (const ItemId item : position.awaited) {
      if (!machine_.is_complete(item)) words.push_back(bit(63) | item);
    }
  }
  words.push_back(signals_);
  machine_.describe(words);
  for (const auto* values : {&places_, &staged_, &seen_}) {
    for (const std::int64_t value : *values) words.push_back(static_cast<std::uint64_t>(value));
  }
  const auto* bytes = reinterpret_cast<const char*>(words.data());
  return {bytes, words.size() * sizeof(std::uint64_t)};
}

}  // namespace assay::reference
