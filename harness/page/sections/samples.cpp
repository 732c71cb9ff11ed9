// Raw samples of each process, batch by batch.
#include <fmt/format.h>

#include <algorithm>

#include "harness/page/data/cost.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

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

/// A count that is the same in every process needs no table.
bool is_constant(const report::BenchMeasurement& measured) {
  return measured.exact && std::ranges::all_of(measured.processes, [&](const auto& process) {
           const auto is_it = [&](double sample) { return sample == measured.center; };
           return process.checksum_ok && process.median == measured.center &&
                  std::ranges::all_of(process.samples, is_it);
         });
}

Markup constant_of(const Bench& bench, const report::BenchMeasurement& measured) {
  const std::string name = report::full_name(measured.case_name, measured.axes);
  std::size_t samples = 0;
  for (const auto& process : measured.processes) samples += process.samples.size();
  const std::string text = fmt::format(
      " {}, {}: {} in {} of {}, ", measured.subject, measured.quantity, number_text(measured),
      samples == 1 ? "the one sample" : fmt::format("each of {} samples", samples),
      counted_processes(static_cast<std::int64_t>(measured.processes.size())));
  return element(
      "p", {{"id", anchor_of_samples(bench, measured)}},
      element("b", name) + text + link_to(anchor_of_measurement(bench, measured), "back"));
}

/// The samples of each measurement or, if there are too many, the target of the links to them.
Markup part_of(const Bench& bench) {
  const Markup summary =
      element("b", bench.source->name) + fmt::format(": {} samples", samples_in(bench));
  if (!bench.shows_samples) {
    return element("li", {{"id", anchor_of_samples(bench, bench.record->measurements.front())}},
                   summary);
  }
  Markup part;
  for (const auto& measured : bench.record->measurements) {
    if (measured.processes.empty()) continue;
    part += is_constant(measured) ? constant_of(bench, measured) : samples_of(bench, measured);
  }
  return foldable(summary, part);
}

}  // namespace

Section samples_section(const PageData& page_data) {
  std::size_t count = 0;
  bool shown = true;
  Markup content;
  for (const Bench& bench : page_data.benches) {
    const std::size_t samples = samples_in(bench);
    count += samples;
    if (!bench.is_whole || samples == 0) continue;
    shown = bench.shows_samples;
    content += part_of(bench);
  }
  if (!shown)
    content = element("p", "There are too many to be shown; the records have them.") +
              element("ul", content);
  return {"samples", "Raw samples", std::to_string(count), count == 0 ? Markup() : content};
}

}  // namespace assay::page
