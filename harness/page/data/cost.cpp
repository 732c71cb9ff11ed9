// Titles, anchors and notes of benches.
#include "harness/page/data/cost.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace assay::page {
namespace {

using report::BenchMeasurement;

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
