// The benches of a report: how much of each a page shows, its measurements by quantity and case,
// and the titles, anchors and notes.
#include "harness/page/data/cost.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace assay::page {

// How much of each bench a page shows.

namespace {

/// Without copies of subjects, which serve only the noise floor.
std::size_t numbers_in(const Bench& bench) {
  return static_cast<std::size_t>(std::ranges::count_if(
      bench.record->measurements,
      [&](const auto& measured) { return measured.center && !is_copy(bench, measured.subject); }));
}

/// The approximate size in a page: one row per process, one number per sample.
std::size_t weight_of_samples(const Bench& bench) {
  constexpr std::size_t kRow = 180, kSample = 8;
  std::size_t weight = 0;
  for (const auto& measured : bench.record->measurements) {
    for (const auto& process : measured.processes)
      weight += kRow + kSample * process.samples.size();
  }
  return weight;
}

}  // namespace

std::vector<Bench> benches_of(const Report& report) {
  // A row takes half a kilobyte to a kilobyte; the page is limited to five megabytes.
  constexpr std::size_t kMostAtLength = 1500, kMostBriefly = 3500, kMostOfSamples = 1'800'000;
  std::vector<Bench> benches;
  for (const Source& source : report.sources) {
    if (source.bench) benches.push_back({&source, &*source.bench, benches.size()});
  }
  std::size_t numbers = 0, samples = 0;
  for (Bench& bench : benches) {
    numbers += numbers_in(bench);
    samples += weight_of_samples(bench);
    bench.is_whole = bench.number == 0 || numbers <= kMostBriefly;
  }
  for (Bench& bench : benches) {
    bench.is_brief = numbers > kMostAtLength;
    bench.shows_samples = samples <= kMostOfSamples;
  }
  return benches;
}

// Groups measurements by quantity and case, and selects representative ones.

namespace {

using report::BenchMeasurement;

bool is_of_launches(std::string_view quantity) {
  constexpr std::array<std::string_view, 4> kAll{"host.launch_ns", "host.submit_ns",
                                                 "graph.node_ns", "e2e.sync_ns"};
  return std::ranges::find(kAll, quantity) != kAll.end();
}

double order_of(const CostRow& row) {
  for (const BenchMeasurement* measured : row.of_subject) {
    if (measured != nullptr && measured->center) return *measured->center;
  }
  return std::numeric_limits<double>::infinity();
}

/// True for a measurement with these axes; other axes are ignored.
bool is_of(const BenchMeasurement& measured, std::string_view name) {
  const std::string full = report::full_name(measured.case_name, measured.axes);
  return full.starts_with(name) && (full.size() == name.size() || full[name.size()] == '/');
}

}  // namespace

std::string title_of(const Quantity& quantity) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kTitles{{
      {"host.loop_ns", "The loop alone"},
      {"host.dispatch_ns", "Calls through the dispatcher"},
      {"host.call_ns", "Calls that do their work"},
      {"device.exec_ns", "Work on the device"},
      {"instr.count", "Instructions of a call"},
  }};
  if (is_of_launches(quantity.measurements.front()->quantity))
    return "Launches, from the call to the end of the work";
  for (const auto& [name, title] : kTitles) {
    if (quantity.name == name) return title;
  }
  return quantity.name;
}

std::vector<Quantity> quantities_of(const Bench& bench) {
  std::vector<Quantity> quantities;
  for (const BenchMeasurement& measured : bench.record->measurements) {
    const bool launches = is_of_launches(measured.quantity);
    const auto is_it = [&](const Quantity& quantity) {
      const std::string& first = quantity.measurements.front()->quantity;
      return (first == measured.quantity || (launches && is_of_launches(first))) &&
             quantity.unit == measured.unit;
    };
    auto found = std::ranges::find_if(quantities, is_it);
    if (found == quantities.end()) {
      const bool higher = measured.better == "higher";
      found = quantities.insert(found, {measured.quantity, measured.unit, higher, {}});
    }
    if (found->name.find(measured.quantity) == std::string::npos)
      found->name += ", " + measured.quantity;
    found->measurements.push_back(&measured);
  }
  return quantities;
}

std::vector<CostRow> rows_of(const Bench& bench, const Quantity& quantity) {
  const auto& subjects = bench.record->subjects;
  std::vector<CostRow> rows;
  for (const BenchMeasurement* measured : quantity.measurements) {
    const std::string name = report::full_name(measured->case_name, measured->axes);
    const auto is_it = [&](const CostRow& row) {
      return row.name == name && row.quantity == measured->quantity;
    };
    auto row = std::ranges::find_if(rows, is_it);
    if (row == rows.end()) {
      row = rows.insert(row, {name, measured->quantity, {}});
      row->of_subject.resize(subjects.size(), nullptr);
    }
    const auto place = std::ranges::find(subjects, measured->subject, &report::BenchSubject::id);
    if (place == subjects.end()) continue;
    row->of_subject[static_cast<std::size_t>(place - subjects.begin())] = measured;
  }
  std::erase_if(rows, [](const CostRow& row) { return std::isinf(order_of(row)); });
  std::ranges::stable_sort(rows, {}, order_of);
  return rows;
}

const BenchMeasurement* first_of(const Bench& bench, std::string_view subject,
                                 std::string_view quantity, std::string_view name) {
  for (const BenchMeasurement& measured : bench.record->measurements) {
    if (measured.subject == subject && measured.quantity == quantity && measured.center &&
        is_of(measured, name))
      return &measured;
  }
  return nullptr;
}

// Titles, anchors and notes of benches.

namespace {

/// A warning with the records that have it.
struct WarningRecords {
  const report::BenchWarning* warning;
  std::vector<std::string> records;
};

/// The longer side of the interval, as a share of the number.
double reach_of(const BenchMeasurement& measured) {
  if (!measured.center || !measured.interval || !(*measured.center > 0)) return 0;
  const double center = *measured.center;
  return std::max(measured.interval->high - center, center - measured.interval->low) / center;
}

Markup remark(const char* kind, const Markup& content) {
  return element("p", {{"class", kind}}, content);
}

std::string reason_of(const BenchMeasurement& measured) {
  if (measured.status == report::BenchStatus::kSimulated)
    return "the device is simulated: its times say nothing about a GPU";
  const std::string reason = measured.reason.value_or("");
  return reason.empty() ? "no reason given" : reason;
}

Markup status_mark(const BenchMeasurement& measured) {
  const bool is_bad = measured.status == report::BenchStatus::kFailed;
  const std::string words = fmt::format("{} {}", is_bad ? "✗" : "–", name_of(measured.status));
  return element("span", {{"class", is_bad ? "bad" : "quiet"}}, words);
}

std::string floor_text(const report::BenchRecord& record) {
  if (report::has_counts_only(record)) return "Counts: they do not depend on the machine's load.";
  if (!record.noise_floor) {
    return "Noise floor: not measured (assay bench --aa). Without it, small differences mean "
           "nothing.";
  }
  return fmt::format(
      "Noise floor: identical programs differed by {:.1f} % in this run (95th percentile of {}).",
      record.noise_floor->relative * 100, counted(record.noise_floor->pairs.size(), "pair"));
}

}  // namespace

std::string title_of(const Bench& bench) {
  const auto& devices = bench.record->environment.devices;
  return (devices.size() == 1 ? devices.front().name + ", " : "") + bench.source->name;
}

bool has_a_number(const report::BenchRecord& record) {
  return std::ranges::any_of(record.measurements, [](const BenchMeasurement& measured) {
    return measured.center.has_value();
  });
}

bool is_copy(const Bench& bench, const std::string& subject) {
  const auto found = std::ranges::find(bench.record->subjects, subject, &report::BenchSubject::id);
  return found != bench.record->subjects.end() && found->copy_of;
}

std::size_t series_of(const Bench& bench, std::string_view subject) {
  const auto& subjects = bench.record->subjects;
  const auto own = std::ranges::find(subjects, subject, &report::BenchSubject::id);
  if (own != subjects.end() && own->copy_of) subject = *own->copy_of;
  std::size_t series = 0;
  for (const report::BenchSubject& other : subjects) {
    if (other.id == subject) return series;
    if (!other.copy_of) ++series;
  }
  return series;
}

std::vector<Missing> missing_of(const Bench& bench) {
  std::vector<Missing> all;
  for (const BenchMeasurement& measured : bench.record->measurements) {
    if (measured.center || is_copy(bench, measured.subject)) continue;
    const std::string reason = reason_of(measured);
    const auto found = std::ranges::find_if(all, [&](const Missing& one) {
      return one.subject == measured.subject && one.reason == reason;
    });
    const std::string name = report::full_name(measured.case_name, measured.axes);
    if (found != all.end()) {
      found->names.push_back(name);
    } else {
      const bool failed = measured.status == report::BenchStatus::kFailed;
      all.push_back({measured.subject, reason, failed, status_mark(measured), {name}});
    }
  }
  std::ranges::stable_sort(all, std::greater{}, [](const Missing& missing) {
    return std::pair(missing.failed, missing.names.size());
  });
  return all;
}

std::string anchor_of_missing(const Bench& bench) {
  return fmt::format("missing-{}", bench.number + 1);
}

bool is_of_steps(const BenchMeasurement& measured) {
  return measured.quantity.starts_with("step.");
}

std::string number_text(const BenchMeasurement& measured) {
  return measured.exact ? count_text(*measured.center) : figure(*measured.center);
}

std::string counted_processes(std::int64_t count) {
  return fmt::format("{} fresh process{}", count, count == 1 ? "" : "es");
}

std::string title_of(const report::BenchSubject& subject) {
  if (subject.version.empty()) return subject.id;
  return fmt::format("{} {}", subject.id, subject.version);
}

std::string anchor_of_bench(const Bench& bench) {
  return fmt::format("bench-{}", bench.number + 1);
}

std::string anchor_of_measurement(const Bench& bench, const BenchMeasurement& measured) {
  return anchor_of(
      fmt::format("cost-{}", bench.number + 1),
      fmt::format("{} {} {}", measured.quantity,
                  report::full_name(measured.case_name, measured.axes), measured.subject));
}

std::string anchor_of_samples(const Bench& bench, const BenchMeasurement& measured) {
  if (!bench.shows_samples) return fmt::format("samples-{}", bench.number + 1);
  return fmt::format("samples-{}-{}", bench.number + 1,
                     &measured - bench.record->measurements.data() + 1);
}

Markup link_to_bench(const Bench& bench, const Markup& content) {
  return bench.is_whole ? link_to(anchor_of_bench(bench), content) : content;
}

Markup link_to_measurement(const Bench& bench, const BenchMeasurement& measured,
                           const Markup& content) {
  return bench.is_whole ? link_to(anchor_of_measurement(bench, measured), content) : content;
}

std::string interval_text(double center, const std::optional<report::BenchInterval>& interval) {
  if (!interval) return "";
  return fmt::format("{} – {}", figure_like(interval->low, center),
                     figure_like(interval->high, center));
}

Markup lacking(const BenchMeasurement& measured) {
  const Markup mark = status_mark(measured);
  return mark + ": " + cut(reason_of(measured), 200);
}

bool is_unsteady(const BenchMeasurement& measured) {
  constexpr double kMost = 0.05;
  return reach_of(measured) > kMost;
}

std::string reach_text(const BenchMeasurement& measured) {
  return fmt::format("± {:.1f} %", reach_of(measured) * 100);
}

Markup warnings_of(const std::vector<Bench>& benches) {
  std::vector<WarningRecords> said;
  for (const Bench& bench : benches) {
    for (const report::BenchWarning& warning : bench.record->warnings) {
      const auto is_it = [&](const WarningRecords& one) {
        return one.warning->kind == warning.kind && one.warning->text == warning.text;
      };
      auto found = std::ranges::find_if(said, is_it);
      if (found == said.end()) found = said.insert(found, {&warning, {}});
      found->records.push_back(bench.source->name);
    }
  }
  std::ranges::stable_sort(said, {}, [](const WarningRecords& one) { return one.warning->kind; });
  Markup content;
  for (const WarningRecords& one : said) {
    Markup line = element("b", "! " + one.warning->kind) + ": " + one.warning->text;
    if (benches.size() > 1) line += fmt::format(" ({})", fmt::join(one.records, ", "));
    content += remark("warning", line);
  }
  return content.empty() ? content : element("div", {{"id", kWarningsAnchor}}, content);
}

Markup remarks_on(const Bench& bench) {
  Markup content;
  if (bench.record->synthetic) {
    content += remark("warning", "! Synthetic record: no machine measured these numbers.");
  }
  std::string kinds;
  for (const report::BenchWarning& warning : bench.record->warnings)
    kinds += (kinds.empty() ? "" : ", ") + warning.kind;
  if (!has_a_number(*bench.record)) return content;
  Markup line = floor_text(*bench.record);
  if (!kinds.empty())
    line += Markup(" ") + link_to(kWarningsAnchor, "!\u00a0Warnings: " + kinds, "odd");
  return content + remark("under", line);
}

}  // namespace assay::page
