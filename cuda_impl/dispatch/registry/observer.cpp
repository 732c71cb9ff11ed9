// Observers.
#include "cuda_impl/dispatch/registry/observer.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <utility>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/registry/grace.hpp"

namespace assay::cuda::dispatch {
namespace {

struct ObservedThread {
  int suspensions = 0;
  std::int64_t next_sequence = 0;
};
ObservedThread& observed_thread() {
  thread_local ObservedThread mine;
  return mine;
}

bool is_sampled(double probability) {
  if (probability >= 1) return true;
  thread_local std::mt19937_64 random(std::random_device{}());
  return std::uniform_real_distribution<double>()(random) < probability;
}

ObservedCall as_wanted(const Observer& observer, const ObservedCall& call) {
  ObservedCall seen = call;
  if (!observer.wants_inputs) seen.inputs.clear();
  if (!observer.wants_outputs) seen.outputs.clear();
  return seen;
}

}  // namespace

Observers::~Observers() {
  if (!all_.empty()) count_observers(-static_cast<int>(all_.size()));
}

ObserverPtr Observers::add(Observer observer) {
  require(observer.probability >= 0 && observer.probability <= 1, [&] {
    return "the sampling probability must lie in [0, 1], not " +
           std::to_string(observer.probability);
  });
  auto made = std::make_shared<const Observer>(std::move(observer));
  const std::scoped_lock lock(mutex_);
  all_.push_back(made);
  count_observers(1);
  return made;
}

void Observers::remove(const ObserverPtr& observer) {
  const std::scoped_lock lock(mutex_);
  if (std::erase(all_, observer) > 0) count_observers(-1);
}

std::vector<ObserverPtr> Observers::picked() {
  if (observed_thread().suspensions > 0) return {};
  std::vector<ObserverPtr> all;
  {
    const std::scoped_lock lock(mutex_);
    all = all_;
  }
  std::erase_if(all, [](const ObserverPtr& one) { return !is_sampled(one->probability); });
  return all;
}

void suspend_observers(int by) { observed_thread().suspensions += by; }

std::int64_t next_sequence() { return observed_thread().next_sequence++; }
void reset_sequence() { observed_thread().next_sequence = 0; }

bool is_observed(const std::string& op) {
  static constexpr std::array<std::string_view, 8> kExempt = {
      "aten::size",
      "aten::is_leaf",
      "aten::output_nr",
      "aten::_version",
      "aten::is_complex",
      "profiler::_record_function_enter",
      "profiler::_record_function_enter_new",
      "profiler::_record_function_exit"};
  const std::string_view name = std::string_view(op).substr(0, op.find('.'));
  return std::ranges::find(kExempt, name) == kExempt.end();
}

Observation::Observation(std::vector<ObserverPtr> observers, ObservedCall call)
    : observers_(std::move(observers)), call_(std::move(call)) {
  for (const ObserverPtr& one : observers_) {
    if (one->start) one->start(as_wanted(*one, call_));
  }
}

Observation::~Observation() {
  for (const ObserverPtr& one : observers_) {
    if (one->end) one->end(as_wanted(*one, call_));
  }
}

}  // namespace assay::cuda::dispatch
