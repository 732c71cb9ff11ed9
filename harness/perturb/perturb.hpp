// Sends the programs of cases again with what must not matter changed.
#pragma once

#include "harness/suite/runner/runner.hpp"

namespace assay {

/// For a case that passed: sends its program again with every change that it bears, and expects the
/// replies of the first time. If they differ, `result` becomes a failure that names the change that
/// matters; but not if the subject also replies otherwise to the unchanged program. Then sends it
/// once more with driver calls that fail (failures.hpp), and with callables that raise
/// (failures.hpp).
void perturb(CaseResult& result, const SubjectInfo& info, const RunAgain& again);

}  // namespace assay
