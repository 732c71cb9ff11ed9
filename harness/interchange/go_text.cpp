// Writes golang.org/design/14313-benchmark-format: configuration lines, then one line per result.
#include <fmt/format.h>

#include <cctype>

#include "harness/interchange/formats.hpp"
#include "harness/interchange/names.hpp"

namespace assay::interchange {
namespace {

using report::BenchMeasurement;

/// The name of a result begins with `Benchmark`, not followed by a lower-case letter.
std::string go_name(const BenchMeasurement& measurement) {
  std::string name = name_of(measurement, '=');
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  const bool is_letter = std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  return (is_letter ? "Benchmark" : "Benchmark_") + name;
}

/// A line break would start another line of the file.
std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

std::string configuration_of(const report::BenchRecord& record) {
  return fmt::format("goos: linux\npkg: assay\ncpu: {}\nassay-revision: {}\nassay-started: {}\n",
                     on_one_line(record.environment.cpu), on_one_line(record.meta.build.revision),
                     on_one_line(record.meta.started)) +
         (record.synthetic ? "assay-synthetic: true\n" : "") + "\n";
}

}  // namespace

Exported to_go_text(const report::BenchRecord& record) {
  Exported made{configuration_of(record), {}};
  for (const BenchMeasurement& measurement : record.measurements) {
    if (!measurement.center) {
      made.left_out.push_back(left_out(measurement, measurement.reason.value_or("no number")));
      continue;
    }
    const std::string name = go_name(measurement);
    for (const report::BenchProcess& process : measurement.processes) {
      made.text += fmt::format("{} {} {} {}/op\n", name, process.iterations, process.median,
                               on_one_line(measurement.unit));
    }
  }
  return made;
}

}  // namespace assay::interchange
