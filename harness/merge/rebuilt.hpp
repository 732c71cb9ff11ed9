// Results and rules of a run, read back from its record.
#pragma once

#include <memory>
#include <vector>

#include "harness/report/record.hpp"
#include "harness/run/run_subject.hpp"

namespace assay {

/// Cases without a body, which the results of a record point to.
using RebuiltCases = std::vector<std::unique_ptr<Case>>;

/// A result as it was before waivers. The case is added to `cases`; it names a file of recordings
/// only if `is_recorded`. The conversation has its length, without its contents. Throws
/// std::runtime_error if the record contradicts itself.
CaseResult result_of(const report::CaseRecord& record, bool is_recorded, RebuiltCases& cases);

/// The subject, its contracts and its rules, without results. Throws std::runtime_error.
SubjectRun without_results(const report::SubjectRecord& record, const report::Basis& basis);

/// The verdict that a shard must have by its own cases, as they are recorded.
Tally tally_of(const report::SubjectRecord& record, const report::Basis& basis);

}  // namespace assay
