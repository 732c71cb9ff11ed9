// Implements observers (DSP-807, DSP-808); keeps the kernel traces of each thread, and prints calls
// to standard error (DSP-709).
#include "reference/dispatch/watch/observer.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

struct ObservedThread {
  int suspensions = 0;  ///< the number of active suspensions
  std::int64_t next_sequence = 0;
};

bool is_sampled(double probability) {
  thread_local std::mt19937_64 random(1);
  return probability >= 1 || std::uniform_real_distribution<double>()(random) < probability;
}

ObservedCall as_seen_by(const Observer& observer, const ObservedCall& call) {
  ObservedCall seen = call;
  if (!observer.wants_inputs) seen.inputs.clear();
  if (!observer.wants_outputs) seen.outputs.clear();
  return seen;
}

}  // namespace

Registration Observers::add(Observer observer) {
  const bool in_range = observer.probability >= 0 && observer.probability <= 1;
  check(in_range, [&] {
    return "the sampling probability must be in [0, 1], not " +
           std::to_string(observer.probability);
  });
  auto held = std::make_shared<const Observer>(std::move(observer));
  const std::scoped_lock lock(mutex_);
  all_.push_back(held);
  return {[observers = weak_from_this(), held] {
            if (const auto alive = observers.lock()) alive->remove(held);
          },
          runtime_.contract().deviations};
}

void Observers::remove(const std::shared_ptr<const Observer>& observer) {
  const std::scoped_lock lock(mutex_);
  std::erase(all_, observer);
}

Observers::List Observers::picked() const {
  List picked;
  {
    const std::scoped_lock lock(mutex_);
    picked = all_;
  }
  if (picked.empty()) return picked;
  if (runtime_.local<ObservedThread>().suspensions > 0) {
    return {};
  }
  std::erase_if(picked, [](const auto& observer) { return !is_sampled(observer->probability); });
  return picked;
}

void suspend_observers(Runtime& runtime, int by) {
  runtime.local<ObservedThread>().suspensions += by;
}

std::int64_t Observers::next_sequence() { return runtime_.local<ObservedThread>().next_sequence++; }

bool is_observed(const OperatorName& name) {
  static constexpr std::array<std::string_view, 8> kExempt{"aten::size",
                                                           "aten::is_leaf",
                                                           "aten::output_nr",
                                                           "aten::_version",
                                                           "aten::is_complex",
                                                           "profiler::_record_function_enter",
                                                           "profiler::_record_function_enter_new",
                                                           "profiler::_record_function_exit"};
  return std::find(kExempt.begin(), kExempt.end(), name.name) == kExempt.end();
}

Observation::Observation(Observers::List observers, ObservedCall call)
    : observers_(std::move(observers)), call_(std::move(call)) {
  for (const auto& observer : observers_) {
    if (observer->start) observer->start(as_seen_by(*observer, call_));
  }
}

Observation::~Observation() {
  for (const auto& observer : observers_) {
    if (observer->end) observer->end(as_seen_by(*observer, call_));
  }
}

bool Observation::wants_outputs() const {
  return std::any_of(observers_.begin(), observers_.end(),
                     [](const auto& observer) { return observer->wants_outputs; });
}

// Kernel traces.

namespace {

struct Watcher {
  const Dispatcher* dispatcher;
  std::shared_ptr<const KernelWatcher> watch;
};

std::vector<Watcher>& watchers() {
  thread_local std::vector<Watcher> here;
  return here;
}

}  // namespace

KernelWatch::KernelWatch(const Dispatcher& dispatcher, KernelWatcher watcher)
    : watcher_(std::make_shared<const KernelWatcher>(std::move(watcher))) {
  watchers().push_back({&dispatcher, watcher_});
}

void KernelWatch::stop() {
  std::erase_if(watchers(), [&](const Watcher& entry) { return entry.watch == watcher_; });
}

bool is_watched(const Dispatcher& dispatcher) {
  for (const Watcher& entry : watchers()) {
    if (entry.dispatcher == &dispatcher) return true;
  }
  return false;
}

void notify_watchers(const KernelStart& start) {
  const std::vector<Watcher> here = watchers();
  for (const Watcher& entry : here) {
    if (entry.dispatcher == &start.op.dispatcher()) (*entry.watch)(start);
  }
}

// Prints of calls.

namespace {

constexpr const char* kVariable = "RT_SHOW_DISPATCH_TRACE";

int& depth() {
  thread_local int here = 0;
  return here;
}

bool read_environment() {
  const char* value = std::getenv(kVariable);
  if (value == nullptr) return false;
  const std::string_view text = value;
  if (text != "0" && text != "1") {
    std::cerr << kVariable << " must be 0 or 1, not '" << text << "'\n";
  }
  return text == "1";
}

}  // namespace

bool shows_calls() {
  static const bool shown = read_environment();
  return shown;
}

ShownCall::ShownCall(const KeyLayout& layout, std::string_view how, const OperatorName& op,
                     KeySet keys) {
  if (!shows_calls()) return;
  const bool indented = layout.release() != Release::k1_13;
  const std::string spaces(indented ? static_cast<std::size_t>(depth()) : 0, ' ');
  std::cerr << spaces + "[" + std::string(how) + "] op=[" + to_text(op) + "], key=[" +
                   name_of(highest_key(layout, keys)) + "]\n";
  ++depth();
}

ShownCall::~ShownCall() {
  if (shows_calls()) --depth();
}

}  // namespace assay::reference
