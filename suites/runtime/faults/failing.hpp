// What the cases of failures share: calls that are made to fail, and what must come of it.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/device_error.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {

/// That one call of the driver fails, the first time from now on.
void fail_next(Session& subject, const std::string& call, std::int64_t code, bool after = false);
/// Nothing fails on purpose any more.
void stop_failing(Session& subject);

/// Calls the driver and ignores what it answers, which stays in the register.
void ignore_a_failure(Session& subject, std::int64_t code);
/// Exactly one warning of the last reply says so.
void expect_cuda_warning(Session& subject, const std::vector<std::string>& tokens = {},
                         Where where = Where::current());

}  // namespace assay::suites
