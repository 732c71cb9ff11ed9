// Errors of the driver: what a contract says of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/suite/expect.hpp"
#include "harness/suite/session.hpp"

namespace assay {

/// Does the contract's error carry its code? (FLT-004: since 2.8, and wherever it is strict.)
bool has_codes(const Session& subject);

/// `action` must raise `device`, with that code where the contract's errors carry one.
void expect_device_error(Session& subject, const std::function<void()>& action, std::int64_t code,
                         const std::vector<std::string>& tokens = {},
                         Where where = Where::current());

}  // namespace assay
