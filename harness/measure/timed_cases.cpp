// All timed cases: each family with every combination of its axes.
#include "harness/measure/timed_cases.hpp"

#include "harness/measure/families.hpp"

namespace assay::measure {

std::span<const CaseFamily> all_families() {
  static const std::vector<CaseFamily> families = [] {
    std::vector<CaseFamily> all = host_families();
    for (const auto& theme : {launch_families(), device_families()}) {
      all.insert(all.end(), theme.begin(), theme.end());
    }
    return all;
  }();
  return families;
}

std::vector<TimedCase> cases_of(const CaseFamily& family, const std::vector<Axis>& axes) {
  std::vector<TimedCase> cases;
  for (Axes& values : combinations(axes)) {
    LoopCall call = family.call(values);
    TimedCase made{family.name, std::move(values), family.quantity, std::move(call)};
    if (family.bytes) made.bytes = family.bytes(made.call);
    cases.push_back(std::move(made));
  }
  return cases;
}

std::vector<TimedCase> all_timed_cases() {
  std::vector<TimedCase> all;
  for (const CaseFamily& family : all_families()) {
    for (TimedCase& timed : cases_of(family, family.axes)) all.push_back(std::move(timed));
  }
  return all;
}

}  // namespace assay::measure
