// Expected digests of the sweeps, made with MPFR (scripts/digests).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/protocol/embedded.hpp"

namespace assay::suites {

struct ExpectedDigests {
  std::uint64_t block = 0;
  std::vector<std::uint32_t> crc;
};

/// A sweep from one of the embedded files; throws std::logic_error if it is missing.
ExpectedDigests digests_in(std::span<const EmbeddedFile> files, std::string_view file,
                           std::string_view sweep);

}  // namespace assay::suites
