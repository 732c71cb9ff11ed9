// The sections of the page, in the order in which they are asked for. One without content is left
// out.
#pragma once

#include <vector>

#include "harness/page/material/comparison.hpp"
#include "harness/page/material/conformance.hpp"
#include "harness/page/material/cost.hpp"

namespace assay::page {

/// What sections share.
struct Material {
  const Report& report;
  std::vector<SubjectRun> runs;
  std::vector<FailureGroup> failures;
  std::vector<Bench> benches;
  Compared compared;
};

/// Answers to what is asked first, a sentence each: what differs, what has no number and why, what
/// is waived, how sure it is.
Markup in_short(const Material& material);
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
/// Bytes a second over sizes, beside the roof: the largest copy.
Section bandwidth_section(const Material& material);
/// Every measurement with its interval and its processes.
Section distributions_section(const Material& material);
/// Records of benches beside each other, or the subjects of one.
Section comparison_section(const Material& material);
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
/// The files that the page was made from.
Section records_section(const Material& material);

}  // namespace assay::page
