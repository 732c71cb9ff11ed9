// The common handling of driver calls, and the four schedules.
#include "reference/runtime/device/driver_state.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>

namespace assay::reference {

// The four schedules.

namespace {

std::optional<ItemId> first_of(const std::vector<ItemId>& items) {
  if (items.empty()) return std::nullopt;
  return items.front();
}

std::vector<ItemId> completable_of(const Machine& machine, std::vector<ItemId> items) {
  std::erase_if(items, [&](ItemId item) { return !machine.can_complete(item); });
  return items;
}

}  // namespace

std::optional<ItemId> Scheduler::after_call(const Machine& machine) {
  if (machine.pending_count() == 0) return std::nullopt;
  if (kind_ == ScheduleKind::kEager) return first_of(machine.completable());
  if (kind_ == ScheduleKind::kRandom && toss()) return any(machine.completable());
  return std::nullopt;
}

std::optional<ItemId> Scheduler::after_query(const Machine& machine,
                                             const std::vector<ItemId>& awaited) {
  if (kind_ != ScheduleKind::kLazy) return std::nullopt;
  return first_of(completable_of(machine, machine.needed(awaited)));
}

std::optional<ItemId> Scheduler::for_host(const Machine& machine,
                                          const std::vector<ItemId>& awaited) {
  const std::vector<ItemId> useful = completable_of(machine, machine.needed(awaited));
  if (useful.empty() || kind_ != ScheduleKind::kRandom) return first_of(useful);
  return any(machine.completable());
}

/// Varies the rate of progress, because a fixed rate would produce few of the possible outcomes.
bool Scheduler::toss() {
  if (below(32) == 0) slowness_ = std::size_t{2} << below(8);
  return below(slowness_) == 0;
}

std::optional<ItemId> Scheduler::any(const std::vector<ItemId>& items) {
  if (items.empty()) return std::nullopt;
  return items[below(items.size())];
}

// Driver calls.

namespace {

constexpr std::size_t kLogLimit = std::size_t{1} << 16;

std::string thread_name() {
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

}  // namespace

std::uint64_t thread_number() {
  static std::atomic<std::uint64_t> last{0};
  thread_local const std::uint64_t mine = ++last;
  return mine;
}

std::string stream_text(StreamHandle stream) { return "s" + std::to_string(stream); }
std::string event_text(EventHandle event) { return "e" + std::to_string(event); }

std::string address_text(Address address) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(address));
  return text.data();
}

Code Driver::State::answer(const Call& call, const Effect& effect) {
  std::vector<Work> gone;  // destroyed last, since its destructor may call the driver
  Lock lock(mutex);
  if (is_closing) return Code::kUnloading;
  std::string text = std::string(call.name) + "(" + call.arguments + ")";
  const std::optional<PlannedFault> planned = faults.next(call.name, thread_name());
  if (planned) text += "!" + std::to_string(number_of(planned->code));
  log.push_back(std::move(text));
  if (log.size() > kLogLimit) log.pop_front();

  Code code = Code::kSuccess;
  if (!planned || planned->has_effect) code = run_effect(call, effect, lock);
  if (planned) code = planned->code;
  if (planned && planned->sticky) lost_by_plan = planned->code;
  const bool is_kept = code != Code::kSuccess && !(planned && planned->clears_register);
  if (is_kept && !is_closing) thread_state().last_error = code;
  gone.swap(done);
  return code;
}

void Driver::State::control(const Effect& effect) {
  std::vector<Work> gone;
  Lock lock(mutex);
  if (is_closing) return;
  try {
    effect(lock);
  } catch (const Refusal&) {
    // An invalid stream has no work to advance.
  }
  gone.swap(done);
}

Code Driver::State::run_effect(const Call& call, const Effect& effect, Lock& lock) {
  Code code = Code::kSuccess;
  try {
    check_context(call);
    effect(lock);
  } catch (const Refusal& refusal) {
    code = refusal.code;
  }
  go_on(lock);
  return code;
}

void Driver::State::check_context(const Call& call) {
  if (!shape.has_driver) throw Refusal{Code::kInsufficientDriver};  // FLT-003
  if (!call.touches_device) return;
  if (lost_by_plan) throw Refusal{*lost_by_plan};
  touch(current_device());
}

void Driver::State::touch(int device) {
  contexts.insert(device);
  const auto found = lost.find(device);
  if (found == lost.end()) return;
  const Code code = found->second;
  throw Refusal{code};  // FLT-010
}

int Driver::State::current_device() { return runtime.current_device(); }

Driver::State::Thread& Driver::State::thread_state() { return threads[thread_number()]; }

Driver::State::Stream& Driver::State::legacy_stream(int device) {
  const QueueId queue = static_cast<QueueId>(2 * device + 1);
  const auto [found, is_new] = streams.try_emplace(queue, Stream{queue, device, true});
  if (is_new) machine.add_queue(queue, device, QueueKind::kLegacy);
  return found->second;
}

Driver::State::Stream& Driver::State::thread_stream(int device) {
  const std::uint64_t thread = thread_number();
  QueueId& queue = thread_streams[{thread, device}];
  if (queue == 0) {
    queue = next_thread_stream;
    next_thread_stream += 2;
    streams.emplace(queue, Stream{queue, device});
    machine.add_queue(queue, device, QueueKind::kBlocking);
  }
  return streams.at(queue);
}

Driver::State::Stream& Driver::State::stream(StreamHandle handle) {
  if (handle <= kLegacyStream) return legacy_stream(current_device());
  if (handle == kPerThreadStream) {
    return thread_stream(current_device());  // STR-026
  }
  const auto found = created_streams.find(handle);
  if (found == created_streams.end()) throw Refusal{Code::kInvalidHandle};
  return streams.at(found->second);
}

Driver::State::Stream& Driver::State::usable_stream(StreamHandle handle) {
  Stream& found = stream(handle);
  touch(found.device);
  use_legacy(found);
  return found;
}

std::shared_ptr<Driver::State::Event> Driver::State::event(EventHandle handle) {
  const auto found = events.find(handle);
  if (found == events.end()) throw Refusal{Code::kInvalidHandle};
  return found->second;
}

/// STR-029
bool Driver::State::is_blocked(const Stream& stream) const {
  if (!stream.is_legacy || !captures.any()) return false;
  return std::any_of(streams.begin(), streams.end(), [&](const auto& entry) {
    const Stream& other = entry.second;
    return other.device == stream.device && !other.is_non_blocking && captures.has(other.queue);
  });
}

void Driver::State::use_legacy(const Stream& stream) {
  if (!is_blocked(stream)) return;
  captures.invalidate_if([&](QueueId queue) {
    const Stream& other = streams.at(queue);
    return other.device == stream.device && !other.is_non_blocking;
  });
  throw Refusal{Code::kCaptureImplicit};
}

void Driver::State::check_not_captured(const Stream& stream) {
  if (!captures.has(stream.queue)) return;
  throw Refusal{captures.invalidate(stream.queue)};
}

void Driver::State::check_not_captured(const Event& event) {
  if (!captures.has_event(event.id)) return;
  throw Refusal{captures.invalidate_event(event.id)};
}

void Driver::State::refuse_unsafe() {
  const Code code = captures.refuse_unsafe(thread_number(), thread_state().capture_mode);
  if (code != Code::kSuccess) throw Refusal{code};
}

void Driver::State::shut_down() {
  std::unordered_map<ItemId, Payload> gone;  // destroyed without holding the mutex
  std::vector<Work> over;
  const std::scoped_lock lock(mutex);
  is_closing = true;
  machine = Machine();
  gone.swap(payloads);
  over.swap(done);
  changed.notify_all();
}

}  // namespace assay::reference
