// Groups measurements by case, axes and bytes.
#include "harness/page/data/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace assay::page {
namespace {

using report::BenchMeasurement;

std::string text_of(const report::BenchAxes& axes, std::string_view name) {
  for (const auto& [axis, value] : axes) {
    if (axis == name)
      return std::visit([](const auto& plain) { return fmt::format("{}", plain); }, value);
  }
  return "";
}

/// Without the axes for size and cache, which are represented separately.
report::BenchAxes other_axes(const BenchMeasurement& measured) {
  report::BenchAxes axes = measured.axes;
  std::erase_if(axes, [](const auto& axis) { return axis.first == "N" || axis.first == "l2"; });
  return axes;
}

Family& family_of(std::vector<Family>& families, const BenchMeasurement& measured) {
  const bool is_between = report::is_between_memories(measured);
  const std::string name = is_between ? "copies between host and device" : measured.case_name;
  auto found = std::ranges::find(families, name, &Family::name);
  if (found == families.end()) found = families.insert(found, {name, is_between, {}});
  return *found;
}

MovedAt& point_of(Series& series, std::int64_t bytes) {
  auto found = std::ranges::find(series.points, bytes, &MovedAt::bytes);
  if (found == series.points.end()) found = series.points.insert(found, {bytes});
  return *found;
}

/// Names series by the axes that differ within the family, and different cases by their last words.
void name_briefly(Family& family, const std::vector<const BenchMeasurement*>& firsts) {
  std::set<std::string> cases;
  for (const BenchMeasurement* first : firsts) cases.insert(first->case_name);
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    std::string& text = family.series[i].short_name;
    const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
    const std::string& name = firsts[i]->case_name;
    if (cases.size() > 1) add(name.substr(name.rfind('/') + 1));
    for (const auto& [axis, value] : other_axes(*firsts[i])) {
      const std::string own = text_of(firsts[i]->axes, axis);
      const bool differs = std::ranges::any_of(firsts, [&, &axis = axis](const auto* other) {
        return text_of(other->axes, axis) != own;
      });
      if (differs) add(axis == "dtype" ? own : axis + "=" + own);
    }
    if (text.empty()) text = name.substr(name.rfind('/') + 1);
  }
}

const BenchMeasurement* any_of(const Series& series) {
  const MovedAt& point = series.points.front();
  return point.hot != nullptr ? point.hot : point.cold;
}

}  // namespace

bool Family::has_cold() const {
  return std::ranges::any_of(series, [](const Series& one) {
    return std::ranges::any_of(one.points,
                               [](const MovedAt& point) { return point.cold != nullptr; });
  });
}

std::vector<Family> families_of(const Bench& bench, const report::BenchSubject& subject) {
  std::vector<Family> families;
  if (subject.copy_of) return families;
  for (const BenchMeasurement& measured : bench.record->measurements) {
    if (measured.subject != subject.id || !report::bandwidth_of(measured)) continue;
    Family& family = family_of(families, measured);
    const std::string name = report::full_name(measured.case_name, other_axes(measured));
    auto series = std::ranges::find(family.series, name, &Series::name);
    if (series == family.series.end()) series = family.series.insert(series, {name, "", {}});
    MovedAt& point = point_of(*series, *measured.bytes);
    (text_of(measured.axes, "l2") == "cold" ? point.cold : point.hot) = &measured;
  }
  for (Family& family : families) {
    std::vector<const BenchMeasurement*> firsts;
    for (Series& series : family.series) {
      std::ranges::sort(series.points, {}, &MovedAt::bytes);
      firsts.push_back(any_of(series));
    }
    name_briefly(family, firsts);
  }
  return families;
}

}  // namespace assay::page
