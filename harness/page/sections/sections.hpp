// The sections of the page, in order of importance. A section without content is left
// out.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/page/data/comparison.hpp"
#include "harness/page/data/conformance.hpp"
#include "harness/page/data/cost.hpp"
#include "harness/page/data/sources.hpp"

namespace assay::page {

/// Data shared by the sections.
struct PageData {
  const Report& report;
  std::vector<SubjectRun> runs;
  std::vector<FailureGroup> failures;
  FirstFailures first_failures;
  std::vector<BrokenClause> broken;
  std::vector<Bench> benches;
  std::vector<Compared> compared;
  ShortNames short_names;
};

/// The worst verdict, which is the heading of the page.
Markup headline(const PageData& page_data);
/// `3 records · AMD EPYC, 2 cores · 2026-11-24 · assay 0.1.0 at 1234567`
std::string provenance(const Report& report);
/// Without the copies of `--aa`.
std::set<std::string> timed_subjects(const PageData& page_data);
/// 0 is good, 2 is bad.
int badness_of(int exit_code);
/// Rows of a table by subject or record that are shown; others are collapsed.
inline constexpr std::size_t kMostOpenRows = 40;
/// In the given order, unless there are more than fit on a screen.
std::vector<const SubjectRun*> worst_first(const std::vector<SubjectRun>& runs);

/// The most important answers: verdicts, violated clauses, differences, missing numbers.
Markup answers(const PageData& page_data);
/// `12 in bench.json of 126: …`; what several records lack is listed once.
Markup about_missing_numbers(const PageData& page_data);
/// The days until the first waiver expires, counted from the day of its run.
std::optional<std::size_t> days_left(const PageData& page_data);
/// The headline numbers of a record: a call, a launch, the share of the memory's bandwidth.
Markup headlines_of(const Bench& bench);
/// `3 slower, 36 undecided`, each with a mark; a line for each scope if the machines differ.
Markup verdicts_against(const compare::Comparison& comparison, std::size_t column);
/// The notes on a comparison.
Markup notes_of(const PageData& page_data, const compare::Comparison& comparison);
/// The margin, and the error rate of the verdicts.
std::string rules_text(const compare::Comparison& comparison);
/// `host.dispatch_ns × 0.931 (95 %: 0.924 – 0.933), …`
std::string means_against(const compare::Comparison& comparison, std::size_t column);

/// The tested subjects with their verdicts: one row each.
Section verdict_section(const PageData& page_data);
/// A card for each kind of failure of a case.
Section failures_section(const PageData& page_data);
/// Results by area, then by contract.
Section conformance_section(const PageData& page_data);
/// Known differences: reason and end date, and problems of the waivers.
Section waivers_section(const PageData& page_data);
/// What subjects do not support, by reason.
Section unsupported_section(const PageData& page_data);
/// The notes on the numbers, and one ladder per quantity.
Section cost_section(const PageData& page_data);
/// A launch from the call to the end of its work, one row per stage; empty if few were measured.
Markup launch_ladder(const Bench& bench);
/// The launches, copies and waits of each call of a training step.
Section scaler_step_section(const PageData& page_data);
/// Bandwidth as a function of size, with the roof: the largest copy.
Section bandwidth_section(const PageData& page_data);
/// Every measurement with its interval and its processes.
Section distributions_section(const PageData& page_data);
/// Comparisons of benches, or of the subjects of one.
Section comparison_section(const PageData& page_data);
/// All means of a comparison.
Markup means_table(const compare::Comparison& comparison);
/// The numbers in units of each machine, and where the order of subjects depends on the unit.
Markup normalised(const compare::Comparison& comparison);
/// Outcomes of litmus programs with their frequencies.
Section litmus_section(const PageData& page_data);
/// Machines, builds, command lines, and how to repeat a run.
Section environment_section(const PageData& page_data);
/// Every case, by area.
Section cases_section(const PageData& page_data);
/// The texts of the clauses that the cases witness.
Section clauses_section(const PageData& page_data);
/// The samples of each process, batch by batch.
Section samples_section(const PageData& page_data);
/// Larger pages exceed common limits for mail.
inline constexpr std::size_t kMostPageBytes = 5'000'000;
/// The files from which the page was made. For `Embedded::kFitting`, as many as `room_bytes` hold,
/// smallest first. Moves the bytes out of the report, so it must be the last section.
Section records_section(Report& report, std::size_t room_bytes);

}  // namespace assay::page
