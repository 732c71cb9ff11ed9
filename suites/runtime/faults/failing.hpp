// Helpers for cases of failures: making calls fail, and expected effects.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/device_error.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {

/// Makes the next such driver call fail.
void fail_next(Session& subject, const std::string& call, std::int64_t code, bool after = false);
/// Clears all planned failures.
void stop_failing(Session& subject);

/// Makes a failing driver call and ignores its result, which stays in the error register.
void ignore_a_failure(Session& subject, std::int64_t code);
/// Exactly one warning of the last reply matches.
void expect_cuda_warning(Session& subject, const std::vector<std::string>& tokens = {},
                         Where where = Where::current());

}  // namespace assay::suites
