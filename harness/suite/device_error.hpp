// Checks errors of the driver as the contract defines them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/suite/expect.hpp"
#include "harness/suite/session.hpp"

namespace assay {

/// True if the contract's errors carry a code (FLT-004: since 2.8, and always under strict).
bool has_codes(const Session& subject);

/// `action` must raise a `device` error, with this code if the contract's errors carry one.
void expect_device_error(Session& subject, const std::function<void()>& action, std::int64_t code,
                         const std::vector<std::string>& tokens = {},
                         Where where = Where::current());

}  // namespace assay
