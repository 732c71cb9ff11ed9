// The benches of a report, grouped by quantity, case and subject.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/page/data/sources.hpp"
#include "harness/page/markup/parts.hpp"

namespace assay::page {

struct Bench {
  const Source* source;
  const report::BenchRecord* record;
  std::size_t number;  ///< counted over all records of benches
  /// Limits the size of the page. The verdict on a record and its comparison are always shown;
  /// its own tables only if `is_whole`, without drawings in rows and rows of copies if
  /// `is_brief`.
  bool is_whole = true, is_brief = false;
  bool shows_samples = true;  ///< individually; the records in the page contain them
};

std::vector<Bench> benches_of(const Report& report);

/// The record's name, after the device's if there is one: `H100, bench.json`.
std::string title_of(const Bench& bench);

/// The measurements of one record in one unit. All launch quantities form one group, whose ladder
/// leads from the call to the end of its work.
struct Quantity {
  std::string name;  ///< `host.dispatch_ns`, or several quantities
  std::string unit;
  bool higher_is_better;
  std::vector<const report::BenchMeasurement*> measurements;

  bool is_of_many() const { return name.find(',') != std::string::npos; }
};

/// The quantity's title: `Calls through the dispatcher`.
std::string title_of(const Quantity& quantity);

/// In the order of the record.
std::vector<Quantity> quantities_of(const Bench& bench);

/// The measurements of one case, one entry per subject of the record; null if not measured.
struct CostRow {
  std::string name;      ///< `dispatch/typed/tensors=1`
  std::string quantity;  ///< `host.dispatch_ns`
  std::vector<const report::BenchMeasurement*> of_subject;
};

/// Sorted by cost for the first subject that has a number. Cases without any number are left
/// out.
std::vector<CostRow> rows_of(const Bench& bench, const Quantity& quantity);

/// The subject's first measurement with a number; `name` is the case with the axes that matter, and
/// other axes are ignored. Null if there is none.
const report::BenchMeasurement* first_of(const Bench& bench, std::string_view subject,
                                         std::string_view quantity, std::string_view name);

/// `libtorch 1.13.0`, or only the id if it says the same.
std::string title_of(const report::BenchSubject& subject);

std::string anchor_of_bench(const Bench& bench);
/// The anchors of the row and of its raw samples. The former uses its name; the latter, which only
/// this page links to, its position in the record.
std::string anchor_of_measurement(const Bench& bench, const report::BenchMeasurement& measured);
std::string anchor_of_samples(const Bench& bench, const report::BenchMeasurement& measured);

/// A link if the samples are on the page; else the content alone.
Markup link_to_bench(const Bench& bench, const Markup& content);
Markup link_to_measurement(const Bench& bench, const report::BenchMeasurement& measured,
                           const Markup& content);

/// `1.390 – 1.422`, with as many decimals as `center`; empty without an interval.
std::string interval_text(double center, const std::optional<report::BenchInterval>& interval);

/// True if anything was measured or counted.
bool has_a_number(const report::BenchRecord& record);

/// Copies of subjects serve only the noise floor.
bool is_copy(const Bench& bench, const std::string& subject);

/// The series of a subject, which selects colour and mark: its position among the subjects without
/// copies. A copy has the series of its subject.
std::size_t series_of(const Bench& bench, std::string_view subject);

/// Measurements without a number for the same reason, except those of copies.
struct Missing {
  std::string subject, reason;
  bool failed;  ///< wrong or dead
  Markup mark;  ///< `– unsupported`
  std::vector<std::string> names;
};
/// Failures first, then the most frequent reasons.
std::vector<Missing> missing_of(const Bench& bench);
std::string anchor_of_missing(const Bench& bench);

/// A count of one call of a training step, which is shown with the step's other calls.
bool is_of_steps(const report::BenchMeasurement& measured);

/// The number without meaningless digits: `1.399`, `82`.
std::string number_text(const report::BenchMeasurement& measured);

/// `12 fresh processes`
std::string counted_processes(std::int64_t count);

/// Why there is no number: `– unsupported`, followed by the reason.
Markup lacking(const report::BenchMeasurement& measured);

/// True if the interval is wider than most differences of interest.
bool is_unsteady(const report::BenchMeasurement& measured);
/// `± 7.3 %`
std::string reach_text(const report::BenchMeasurement& measured);

/// The anchor of `warnings_of`.
inline constexpr const char* kWarningsAnchor = "warnings";

/// The warnings of all records, each text once with its records. Empty if there are
/// none.
Markup warnings_of(const std::vector<Bench>& benches);

/// Notes on the record's numbers: that they are synthetic, which warnings apply, the noise
/// floor.
Markup remarks_on(const Bench& bench);

}  // namespace assay::page
