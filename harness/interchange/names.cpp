// Builds one unambiguous name from the keys of a measurement.
#include "harness/interchange/names.hpp"

#include <fmt/format.h>

namespace assay::interchange {

std::string name_of(const report::BenchMeasurement& measurement, char separator) {
  std::string name = measurement.case_name;
  const auto add = [&](const std::string& key, const auto& value) {
    name += fmt::format("/{}{}{}", key, separator, value);
  };
  for (const auto& [axis, value] : measurement.axes) {
    std::visit([&](const auto& plain) { add(axis, plain); }, value);
  }
  add("subject", measurement.subject);
  add("quantity", measurement.quantity);
  for (char& c : name) {
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  }
  return name;
}

std::string left_out(const report::BenchMeasurement& measurement, const std::string& reason) {
  return fmt::format("{} {} ({}): {}", measurement.subject,
                     report::full_name(measurement.case_name, measurement.axes),
                     measurement.quantity, reason);
}

}  // namespace assay::interchange
