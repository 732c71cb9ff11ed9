// The vectors U01-U48 of `_amp_update_scale_`, in the order of the specification.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "harness/suite/tensors.hpp"

namespace assay::suites {

struct UpdateRow {
  struct Outcome {
    std::uint32_t scale;  ///< bits of a float32, 7fc00000 standing for any NaN
    std::int64_t tracker;
  };

  std::string_view id;
  std::uint32_t scale;
  std::int64_t tracker;
  std::uint32_t found_inf;
  double growth;
  double backoff;
  std::int64_t interval;
  Outcome after;
  std::optional<Outcome> cpu = {};        ///< if it differs: AMP-111
  std::optional<Outcome> unguarded = {};  ///< before 2.1: AMP-106
};

inline constexpr std::int64_t kLeastInt32 = std::numeric_limits<std::int32_t>::min();

// clang-format off
inline constexpr auto kUpdateRows = std::to_array<UpdateRow>({
    {"U01", 0x40800000, 0, 0x00000000, 2.0, 0.25, 2, {0x40800000, 1}},  // first of two
    {"U02", 0x40800000, 1, 0x00000000, 2.0, 0.25, 2, {0x41000000, 0}},  // second: grow
    {"U03", 0x41000000, 0, 0x3f800000, 2.0, 0.25, 2, {0x40000000, 0}},  // skipped
    {"U04", 0x47800000, 1998, 0x00000000, 2.0, 0.5, 2000, {0x47800000, 1999}},  // one short
    {"U05", 0x47800000, 1999, 0x00000000, 2.0, 0.5, 2000, {0x48000000, 0}},  // default growth
    {"U06", 0x47800000, 2000, 0x00000000, 2.0, 0.5, 2000, {0x47800000, 2001}},  // past: no growth
    {"U07", 0x47800000, 5000, 0x00000000, 2.0, 0.5, 2000, {0x47800000, 5001}},  // past: no growth
    {"U08", 0x47800000, 0, 0x00000000, 2.0, 0.5, 1, {0x48000000, 0}},  // interval 1
    {"U09", 0x47800000, 0, 0x00000000, 2.0, 0.5, 0, {0x47800000, 1}},  // interval 0
    {"U10", 0x47800000, -1, 0x00000000, 2.0, 0.5, 0, {0x48000000, 0}},  // interval 0, tracker -1
    {"U11", 0x47800000, -4, 0x00000000, 2.0, 0.5, -3, {0x48000000, 0}},  // negative interval
    {"U12", 0x47800000, -2, 0x00000000, 2.0, 0.5, 1, {0x47800000, -1}},  // negative tracker
    {"U13", 0x47800000, 2147483647, 0x00000000, 2.0, 0.5, 2000, {0x47800000, kLeastInt32}},  // int32 wrap
    {"U14", 0x47800000, 2147483647, 0x00000000, 2.0, 0.5, kLeastInt32, {0x48000000, 0}},  // wrap meets interval
    {"U15", 0x47800000, 0, 0x00000000, 2.0, 0.5, 4294967297, {0x48000000, 0}, UpdateRow::Outcome{0x47800000, 1}},  // 2^32+1
    {"U16", 0x47800000, 2147483647, 0x00000000, 2.0, 0.5, 2147483648, {0x48000000, 0}, UpdateRow::Outcome{0x47800000, kLeastInt32}},  // 2^31
    {"U17", 0x47800000, 7, 0x7fc00000, 2.0, 0.5, 8, {0x47000000, 0}},  // NaN is non-zero
    {"U18", 0x47800000, 7, 0xbf800000, 2.0, 0.5, 8, {0x47000000, 0}},  // negative counts
    {"U19", 0x47800000, 7, 0x80000000, 2.0, 0.5, 8, {0x48000000, 0}},  // -0 is zero
    {"U20", 0x47800000, 7, 0x00000001, 2.0, 0.5, 8, {0x47000000, 0}},  // denormal counts
    {"U21", 0x47800000, 7, 0x40000000, 2.0, 0.5, 8, {0x47000000, 0}},  // sum of two flags
    {"U22", 0x47800000, 7, 0x7f800000, 2.0, 0.5, 8, {0x47000000, 0}},
    {"U23", 0x7e800000, 0, 0x00000000, 2.0, 0.5, 1, {0x7f000000, 0}},  // 2^126 to 2^127
    {"U24", 0x7f000000, 0, 0x00000000, 2.0, 0.5, 1, {0x7f000000, 0}, {}, UpdateRow::Outcome{0x7f800000, 0}},  // guard (<=2.0: 7f800000)
    {"U25", 0x7effffff, 0, 0x00000000, 2.0, 0.5, 1, {0x7f7fffff, 0}},  // exactly FLT_MAX
    {"U26", 0x7f7fffff, 0, 0x00000000, 1.00000002, 0.5, 1, {0x7f7fffff, 0}},  // rounds back to FLT_MAX
    {"U27", 0x7f7fffff, 0, 0x00000000, 1.00000003, 0.5, 1, {0x7f7fffff, 0}, {}, UpdateRow::Outcome{0x7f800000, 0}},  // guard (<=2.0: 7f800000)
    {"U28", 0x7e967699, 0, 0x00000000, 16.0, 0.5, 1, {0x7e967699, 0}, {}, UpdateRow::Outcome{0x7f800000, 0}},  // guard (<=2.0: 7f800000)
    {"U29", 0x7f800000, 0, 0x00000000, 2.0, 0.5, 1, {0x7f800000, 0}},  // inf stays
    {"U30", 0x7f800000, 5, 0x3f800000, 2.0, 0.5, 9, {0x7f800000, 0}},  // backoff cannot rescue inf
    {"U31", 0x7fc00000, 3, 0x3f800000, 2.0, 0.5, 9, {0x7fc00000, 0}},  // any NaN
    {"U32", 0x00800000, 3, 0x3f800000, 2.0, 0.5, 9, {0x00400000, 0}},  // into denormals
    {"U33", 0x00800001, 3, 0x3f800000, 2.0, 0.5, 9, {0x00400000, 0}},  // tie to even
    {"U34", 0x00000003, 3, 0x3f800000, 2.0, 0.5, 9, {0x00000002, 0}},  // tie to even
    {"U35", 0x00000001, 3, 0x3f800000, 2.0, 0.5, 9, {0x00000000, 0}},  // to zero
    {"U36", 0x00000000, 0, 0x00000000, 2.0, 0.5, 1, {0x00000000, 0}},  // zero is absorbing
    {"U37", 0x3f800000, 0, 0x3f800000, 2.0, 4.0, 1, {0x40800000, 0}},  // backoff>1 unchecked in op
    {"U38", 0x7e800000, 0, 0x3f800000, 2.0, 8.0, 1, {0x7f800000, 0}},  // no guard on backoff
    {"U39", 0x47800000, 0, 0x3f800000, 2.0, 0.0, 1, {0x00000000, 0}},
    {"U40", 0x47800000, 0, 0x3f800000, 2.0, -0.5, 1, {0xc7000000, 0}},
    {"U41", 0x40400000, 0, 0x00000000, kNaN, 0.5, 1, {0x40400000, 0}, {}, UpdateRow::Outcome{0x7fc00000, 0}},  // guard also for NaN
    {"U42", 0x40400000, 0, 0x3f800000, 2.0, kNaN, 1, {0x7fc00000, 0}},  // any NaN
    {"U43", 0xc1000000, 0, 0x00000000, 2.0, 0.5, 1, {0xc1800000, 0}},  // negative scale
    {"U44", 0x47800000, 0, 0x00000000, 1.1, 0.7, 1, {0x478ccccd, 0}},
    {"U45", 0x47e2c284, 0, 0x00000000, 1.1, 0.5, 1, {0x47f96f91, 0}},  // float math: 47f96f92
    {"U46", 0x47a66666, 0, 0x00000000, 1.3, 0.5, 1, {0x47d851eb, 0}},  // float math: 47d851ea
    {"U47", 0x47666666, 0, 0x3f800000, 2.0, 0.9, 1, {0x474f5c29, 0}},  // float math: 474f5c28
    {"U48", 0x4675dcc6, 0, 0x3f800000, 2.0, 0.7, 1, {0x462c1a8b, 0}},  // float math: 462c1a8a
});
// clang-format on

}  // namespace assay::suites
