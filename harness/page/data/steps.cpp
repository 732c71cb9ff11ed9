// Reads the axes of a step: optimizer, mode, tensors, overflow, and the call.
#include "harness/page/data/steps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::page {
namespace {

using report::BenchMeasurement;

std::string axis_of(const BenchMeasurement& measured, std::string_view name) {
  for (const auto& [axis, value] : measured.axes) {
    if (axis != name) continue;
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr ? std::to_string(*number) : std::get<std::string>(value);
  }
  return "";
}

std::string name_of_step(const BenchMeasurement& measured) {
  const std::string tensors = axis_of(measured, "tensors");
  std::string name = fmt::format("{}, {}, {} tensor{}", axis_of(measured, "optimizer"),
                                 axis_of(measured, "mode"), tensors, tensors == "1" ? "" : "s");
  if (axis_of(measured, "overflow") == "yes") name += ", overflow";
  return name;
}

template <std::size_t kSize>
std::size_t place_in(const std::array<const char*, kSize>& all, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(all, name) - all.begin());
}

}  // namespace

double TrainingStep::all(std::string_view count) const {
  const std::size_t place = place_in(kStepCounts, count);
  double sum = 0;
  for (const auto& call : counts) {
    if (call[place] != nullptr) sum += *call[place]->center;
  }
  return sum;
}

bool TrainingStep::has(std::string_view count) const {
  const std::size_t place = place_in(kStepCounts, count);
  return std::ranges::any_of(counts, [&](const auto& call) { return call[place] != nullptr; });
}

std::vector<TrainingStep> steps_of(const Bench& bench) {
  std::vector<TrainingStep> steps;
  for (const BenchMeasurement& measured : bench.record->measurements) {
    if (!is_of_steps(measured) || !measured.center) continue;
    const std::size_t call = place_in(kStepCalls, axis_of(measured, "call"));
    const std::size_t count = place_in(kStepCounts, measured.quantity.substr(5));
    if (call == kStepCalls.size() || count == kStepCounts.size()) continue;
    const std::string name = name_of_step(measured);
    auto step = std::ranges::find_if(steps, [&](const TrainingStep& one) {
      return one.name == name && one.subject == measured.subject;
    });
    if (step == steps.end()) step = steps.insert(step, {measured.subject, name, {}});
    step->counts[call][count] = &measured;
  }
  return steps;
}

}  // namespace assay::page
