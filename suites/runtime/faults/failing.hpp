// What the cases of failures share: calls that are made to fail, and what must come of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "suites/runtime/support.hpp"

namespace assay::suites {

/// That one call of the driver fails, the first time from now on.
void fail_next(Session& subject, const std::string& call, std::int64_t code, bool after = false);
/// Nothing fails on purpose any more.
void stop_failing(Session& subject);

/// Does the contract's error carry its code? (FLT-004: since 2.8, and wherever it is strict.)
bool has_codes(const Session& subject);
/// `action` must raise `device`, with that code.
void expect_device_error(Session& subject, const std::function<void()>& action, std::int64_t code,
                         const std::vector<std::string>& tokens = {},
                         Where where = Where::current());

/// Calls the driver and ignores what it answers, which stays in the register.
void ignore_a_failure(Session& subject, std::int64_t code);
/// Exactly one warning of the last reply says so.
void expect_cuda_warning(Session& subject, const std::vector<std::string>& tokens = {},
                         Where where = Where::current());

}  // namespace assay::suites
