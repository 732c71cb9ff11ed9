// The causes of a run's failures, as text.
#pragma once

#include <string>
#include <vector>

#include "harness/diagnosis/diagnosis.hpp"
#include "harness/show/failures.hpp"

namespace assay {

/// `1 cause explains 18 of 20 failures`, with each cause's sentence, its clause, and the line that
/// repeats its shortest case; empty unless several cases fail.
std::string cause_list(const Diagnosis& diagnosis, const std::vector<CaseResult>& results,
                       const FailureListOptions& options);

}  // namespace assay
