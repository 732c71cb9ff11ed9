// Compares key sets by their bits.
#pragma once

#include <cstdint>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/dispatch.hpp"
#include "suites/dispatch/keys/key_lists.hpp"

namespace assay::suites {

inline std::int64_t signed_bits(KeyBits bits) { return static_cast<std::int64_t>(bits); }

inline void expect_set(KeyBits got, KeyBits wanted, Where where = Where::current()) {
  expect_equal(signed_bits(got), signed_bits(wanted), where);
}

}  // namespace assay::suites
