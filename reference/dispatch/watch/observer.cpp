// Implements observers (DSP-807, DSP-808).
#include "reference/dispatch/watch/observer.hpp"

#include <algorithm>
#include <array>
#include <random>

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

}  // namespace assay::reference
