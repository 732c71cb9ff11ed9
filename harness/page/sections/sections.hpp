// The sections of the page, in the order in which they are asked for. One without content is left
// out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/page/material/comparison.hpp"
#include "harness/page/material/conformance.hpp"
#include "harness/page/material/cost.hpp"
#include "harness/page/material/short_names.hpp"

namespace assay::page {

/// What sections share.
struct Material {
  const Report& report;
  std::vector<SubjectRun> runs;
  std::vector<FailureGroup> failures;
  FirstFailures first_failures;
  std::vector<BrokenClause> broken;
  std::vector<Bench> benches;
  std::vector<Compared> compared;
  ShortNames short_names;
};

/// The worst verdict, as the heading of the page.
Markup headline(const Material& material);
/// `3 records · AMD EPYC, 2 cores · 2026-11-24 · assay 0.1.0 at 1234567`
std::string provenance(const Report& report);
/// 0 is good, 2 is bad.
int badness_of(int exit_code);
/// Of a table with a row a subject or a record; others are folded.
inline constexpr std::size_t kMostOpenRows = 40;
/// As they are, unless there are more than can be seen at once.
std::vector<const SubjectRun*> worst_first(const std::vector<SubjectRun>& runs);

/// Answers to what is asked first: verdicts, broken rules, what differs, what has no number.
Markup answers(const Material& material);
/// `12 in bench.json of 126: …`; what many records lack is said once.
Markup about_missing_numbers(const Material& material);
/// How many days the first waiver to end had left on the day of its run.
std::optional<std::size_t> days_left(const Material& material);
/// The few numbers that stand for a record: a call, a launch, how near the memory's limit.
Markup headlines_of(const Bench& bench);
/// `3 slower, 36 undecided`, each marked.
Markup verdicts_against(const compare::Comparison& comparison, std::size_t column);
/// What qualifies all of a comparison.
Markup notes_of(const Material& material, const compare::Comparison& comparison);
/// What counts as the same, and how sure the verdicts are.
std::string rules_text(const compare::Comparison& comparison);
/// `host.dispatch_ns × 0.931 (95 %: 0.924 – 0.933), …`
std::string means_against(const compare::Comparison& comparison, std::size_t column);

/// Who was asked, and what came of it: a row a subject.
Section verdict_section(const Material& material);
/// A card for each way in which a case went wrong.
Section failures_section(const Material& material);
/// By area, then by contract.
Section conformance_section(const Material& material);
/// Known differences: why, until when, and what is wrong with the waivers.
Section waivers_section(const Material& material);
/// What subjects do not have, by reason.
Section unsupported_section(const Material& material);
/// What stands beside the numbers, and a ladder a quantity.
Section cost_section(const Material& material);
/// A launch from the call to the end of its work, a row a stage; empty where too few were measured.
Markup launch_ladder(const Bench& bench);
/// What each call of a training step launches, copies and waits for.
Section scaler_step_section(const Material& material);
/// Bytes a second over sizes, beside the roof: the largest copy.
Section bandwidth_section(const Material& material);
/// Every measurement with its interval and its processes.
Section distributions_section(const Material& material);
/// Records of benches beside each other, or the subjects of one.
Section comparison_section(const Material& material);
/// The same means, all of them.
Markup means_table(const compare::Comparison& comparison);
/// Its numbers in units of each machine's own, and where the order changes with the unit.
Markup normalised(const compare::Comparison& comparison);
/// What litmus programs showed: how often each outcome was seen.
Section litmus_section(const Material& material);
/// Machines, builds, command lines, and how to run it again.
Section environment_section(const Material& material);
/// Every case, by area.
Section cases_section(const Material& material);
/// The texts of the clauses that the cases witness.
Section clauses_section(const Material& material);
/// What each process gave, batch by batch.
Section samples_section(const Material& material);
/// A page of more cannot be mailed everywhere.
inline constexpr std::size_t kMostPageBytes = 5'000'000;
/// The files that the page was made from. Of `Embedded::kFitting` as many as `room_bytes` hold, the
/// smallest first. Takes the bytes of all: it is the last section to be made.
Section records_section(Report& report, std::size_t room_bytes);

}  // namespace assay::page
