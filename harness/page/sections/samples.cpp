// Raw samples: what each process gave, batch by batch.
#include <fmt/format.h>

#include "harness/page/material/cost.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

/// More would make the page too large to be mailed; the records inside it have all.
constexpr std::size_t kMostSamples = 200'000;

std::size_t samples_in(const Bench& bench) {
  std::size_t count = 0;
  for (const auto& measured : bench.record->measurements) {
    for (const auto& process : measured.processes) count += process.samples.size();
  }
  return count;
}

TableRow process_row(const report::BenchProcess& process, bool exact) {
  std::string samples;
  for (const double sample : process.samples)
    samples += fmt::format("{}{:.6g}", samples.empty() ? "" : " ", sample);
  const std::string load = process.load ? fmt::format("{:.2f}", *process.load) : "";
  const Markup sum = process.checksum_ok ? Markup("✓") : element("span", {{"class", "bad"}}, "✗");
  return {{{std::to_string(process.index), {}},
           number(static_cast<double>(process.order), std::to_string(process.order)),
           {load, {}, true},
           number(static_cast<double>(process.iterations), std::to_string(process.iterations)),
           {sum, {}},
           number(process.median, exact ? count_text(process.median) : figure(process.median)),
           {samples, {}}},
          ""};
}

Markup samples_of(const Bench& bench, const report::BenchMeasurement& measured) {
  const std::string name = report::full_name(measured.case_name, measured.axes);
  Table table{fmt::format("{} of {} on {}, in {}", measured.quantity, name, measured.subject,
                          measured.unit),
              {"Process", "Order", "Load", "Iterations", "Checksum", "Median", "Samples"},
              {},
              false};
  for (const auto& process : measured.processes)
    table.rows.push_back(process_row(process, measured.exact));
  const Markup back = link_to(anchor_of_measurement(bench, measured), "back to the measurement");
  return foldable(element("b", name) + " " + measured.subject,
                  to_markup(table) + element("p", back), anchor_of_samples(bench, measured));
}

/// Where the table would be too large, the place that links lead to.
Markup place_of(const Bench& bench, const report::BenchMeasurement& measured) {
  const std::string name = report::full_name(measured.case_name, measured.axes);
  return element("li", {{"id", anchor_of_samples(bench, measured)}}, name + " " + measured.subject);
}

}  // namespace

Section samples_section(const Material& material) {
  std::size_t count = 0;
  for (const Bench& bench : material.benches) count += samples_in(bench);
  const bool all = count <= kMostSamples;
  Markup content;
  for (const Bench& bench : material.benches) {
    Markup part;
    for (const auto& measured : bench.record->measurements) {
      if (measured.processes.empty()) continue;
      part += all ? samples_of(bench, measured) : place_of(bench, measured);
    }
    if (part.empty()) continue;
    content +=
        foldable(element("b", bench.source->name) + fmt::format(": {} samples", samples_in(bench)),
                 all ? part : element("ul", part));
  }
  if (!all)
    content =
        element("p", "There are too many to be shown; the records below have them.") + content;
  return {"samples", "Raw samples", std::to_string(count), count == 0 ? Markup() : content};
}

}  // namespace assay::page
