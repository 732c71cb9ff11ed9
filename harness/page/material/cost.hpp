// The benches of a report, arranged for reading: by quantity, case and subject.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/page/markup/parts.hpp"
#include "harness/page/material/sources.hpp"

namespace assay::page {

struct Bench {
  const Source* source;
  const report::BenchRecord* record;
  std::size_t number;  ///< over all records of benches
  /// What would make the page too large to be mailed is left out. The verdict on a record and its
  /// place in a comparison are always there; its own tables only of one that is `whole`, and in
  /// them drawings of each row and rows of copies unless it is `brief`.
  bool is_whole = true, is_brief = false;
  bool shows_samples = true;  ///< one by one; the records inside the page have them
};

std::vector<Bench> benches_of(const Report& report);

/// The record's name; before it the device's, where there is one: `H100, bench.json`.
std::string title_of(const Bench& bench);

/// What was measured in one unit, of one record. Launches are one quantity, whose ladder leads from
/// the call to the end of its work.
struct Quantity {
  std::string name;  ///< `host.dispatch_ns`, or several
  std::string unit;
  bool higher_is_better;
  std::vector<const report::BenchMeasurement*> measurements;

  bool is_of_many() const { return name.find(',') != std::string::npos; }
};

/// What people call it: `Calls through the dispatcher`.
std::string title_of(const Quantity& quantity);

/// In the order of the record.
std::vector<Quantity> quantities_of(const Bench& bench);

/// Everything of one case, a place for each subject of the record; null where it has none.
struct CostRow {
  std::string name;      ///< `dispatch/typed/tensors=1`
  std::string quantity;  ///< `host.dispatch_ns`
  std::vector<const report::BenchMeasurement*> of_subject;
};

/// From the cheapest to the dearest of the first subject that has a number; those where none has
/// one are left out.
std::vector<CostRow> rows_of(const Bench& bench, const Quantity& quantity);

/// The first of the subject that has a number; `name` is the case with the axes that matter,
/// whatever others there are. Null where there is none.
const report::BenchMeasurement* first_of(const Bench& bench, std::string_view subject,
                                         std::string_view quantity, std::string_view name);

/// `libtorch 1.13.0`, or the id alone where it says the same.
std::string title_of(const report::BenchSubject& subject);

std::string anchor_of_bench(const Bench& bench);
/// Of the row with the number, and of its raw samples: by its name, and, as only this page leads
/// there, by its place in the record.
std::string anchor_of_measurement(const Bench& bench, const report::BenchMeasurement& measured);
std::string anchor_of_samples(const Bench& bench, const report::BenchMeasurement& measured);

/// The same where they are on the page; else the content alone.
Markup link_to_bench(const Bench& bench, const Markup& content);
Markup link_to_measurement(const Bench& bench, const report::BenchMeasurement& measured,
                           const Markup& content);

/// `1.390 – 1.422`, with the digits of `center`; empty without an interval.
std::string interval_text(double center, const std::optional<report::BenchInterval>& interval);

/// Was anything measured or counted?
bool has_a_number(const report::BenchRecord& record);

/// Copies of subjects are there for the noise floor.
bool is_copy(const Bench& bench, const std::string& subject);

/// Its colour and mark: its place among the subjects without their copies; a copy has its
/// subject's.
std::size_t series_of(const Bench& bench, std::string_view subject);

/// Measurements without a number for one reason, of all subjects but copies.
struct Missing {
  std::string subject, reason;
  bool failed;  ///< wrong, or dead
  Markup mark;  ///< `– unsupported`
  std::vector<std::string> names;
};
/// Those that failed first, then what most lack.
std::vector<Missing> missing_of(const Bench& bench);
std::string anchor_of_missing(const Bench& bench);

/// A count of a call of a training step, which belongs beside the step's other calls.
bool is_of_steps(const report::BenchMeasurement& measured);

/// The number, a count without digits that say nothing: `1.399`, `82`.
std::string number_text(const report::BenchMeasurement& measured);

/// `12 fresh processes`
std::string counted_processes(std::int64_t count);

/// Why there is no number: `– unsupported`, with the reason behind it.
Markup lacking(const report::BenchMeasurement& measured);

/// Does the interval reach further from the number than most differences that people look for?
bool is_unsteady(const report::BenchMeasurement& measured);
/// `± 7.3 %`
std::string reach_text(const report::BenchMeasurement& measured);

/// Where `warnings_of` stands.
inline constexpr const char* kWarningsAnchor = "warnings";

/// The warnings of all records, each text once with the records that have it. Empty where there are
/// none.
Markup warnings_of(const std::vector<Bench>& benches);

/// What must be read beside the record's numbers: that they are imaginary, which of the warnings
/// hold, the noise floor.
Markup remarks_on(const Bench& bench);

}  // namespace assay::page
