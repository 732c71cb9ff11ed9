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
  std::string_view note;
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
    {"U01", "first of two", 0x40800000, 0, 0x00000000, 2.0, 0.25, 2, {0x40800000, 1}},
    {"U02", "second: grow", 0x40800000, 1, 0x00000000, 2.0, 0.25, 2, {0x41000000, 0}},
    {"U03", "skipped", 0x41000000, 0, 0x3f800000, 2.0, 0.25, 2, {0x40000000, 0}},
    {"U04", "one short", 0x47800000, 1998, 0x00000000, 2.0, 0.5, 2000, {0x47800000, 1999}},
    {"U05", "default growth", 0x47800000, 1999, 0x00000000, 2.0, 0.5, 2000, {0x48000000, 0}},
    {"U06", "past: no growth", 0x47800000, 2000, 0x00000000, 2.0, 0.5, 2000, {0x47800000, 2001}},
    {"U07", "past: no growth", 0x47800000, 5000, 0x00000000, 2.0, 0.5, 2000, {0x47800000, 5001}},
    {"U08", "interval 1", 0x47800000, 0, 0x00000000, 2.0, 0.5, 1, {0x48000000, 0}},
    {"U09", "interval 0", 0x47800000, 0, 0x00000000, 2.0, 0.5, 0, {0x47800000, 1}},
    {"U10", "interval 0, tracker -1", 0x47800000, -1, 0x00000000, 2.0, 0.5, 0, {0x48000000, 0}},
    {"U11", "negative interval", 0x47800000, -4, 0x00000000, 2.0, 0.5, -3, {0x48000000, 0}},
    {"U12", "negative tracker", 0x47800000, -2, 0x00000000, 2.0, 0.5, 1, {0x47800000, -1}},
    {"U13", "int32 wrap", 0x47800000, 2147483647, 0x00000000, 2.0, 0.5, 2000, {0x47800000, kLeastInt32}},
    {"U14", "wrap meets interval", 0x47800000, 2147483647, 0x00000000, 2.0, 0.5, kLeastInt32, {0x48000000, 0}},
    {"U15", "2^32+1", 0x47800000, 0, 0x00000000, 2.0, 0.5, 4294967297, {0x48000000, 0}, UpdateRow::Outcome{0x47800000, 1}},
    {"U16", "2^31", 0x47800000, 2147483647, 0x00000000, 2.0, 0.5, 2147483648, {0x48000000, 0}, UpdateRow::Outcome{0x47800000, kLeastInt32}},
    {"U17", "NaN is non-zero", 0x47800000, 7, 0x7fc00000, 2.0, 0.5, 8, {0x47000000, 0}},
    {"U18", "negative counts", 0x47800000, 7, 0xbf800000, 2.0, 0.5, 8, {0x47000000, 0}},
    {"U19", "-0 is zero", 0x47800000, 7, 0x80000000, 2.0, 0.5, 8, {0x48000000, 0}},
    {"U20", "denormal counts", 0x47800000, 7, 0x00000001, 2.0, 0.5, 8, {0x47000000, 0}},
    {"U21", "sum of two flags", 0x47800000, 7, 0x40000000, 2.0, 0.5, 8, {0x47000000, 0}},
    {"U22", "infinity counts", 0x47800000, 7, 0x7f800000, 2.0, 0.5, 8, {0x47000000, 0}},
    {"U23", "2^126 to 2^127", 0x7e800000, 0, 0x00000000, 2.0, 0.5, 1, {0x7f000000, 0}},
    {"U24", "guard (<=2.0: 7f800000)", 0x7f000000, 0, 0x00000000, 2.0, 0.5, 1, {0x7f000000, 0}, {}, UpdateRow::Outcome{0x7f800000, 0}},
    {"U25", "exactly FLT_MAX", 0x7effffff, 0, 0x00000000, 2.0, 0.5, 1, {0x7f7fffff, 0}},
    {"U26", "rounds back to FLT_MAX", 0x7f7fffff, 0, 0x00000000, 1.00000002, 0.5, 1, {0x7f7fffff, 0}},
    {"U27", "guard (<=2.0: 7f800000)", 0x7f7fffff, 0, 0x00000000, 1.00000003, 0.5, 1, {0x7f7fffff, 0}, {}, UpdateRow::Outcome{0x7f800000, 0}},
    {"U28", "guard (<=2.0: 7f800000)", 0x7e967699, 0, 0x00000000, 16.0, 0.5, 1, {0x7e967699, 0}, {}, UpdateRow::Outcome{0x7f800000, 0}},
    {"U29", "inf stays", 0x7f800000, 0, 0x00000000, 2.0, 0.5, 1, {0x7f800000, 0}},
    {"U30", "backoff cannot rescue inf", 0x7f800000, 5, 0x3f800000, 2.0, 0.5, 9, {0x7f800000, 0}},
    {"U31", "any NaN", 0x7fc00000, 3, 0x3f800000, 2.0, 0.5, 9, {0x7fc00000, 0}},
    {"U32", "into denormals", 0x00800000, 3, 0x3f800000, 2.0, 0.5, 9, {0x00400000, 0}},
    {"U33", "tie to even", 0x00800001, 3, 0x3f800000, 2.0, 0.5, 9, {0x00400000, 0}},
    {"U34", "tie to even", 0x00000003, 3, 0x3f800000, 2.0, 0.5, 9, {0x00000002, 0}},
    {"U35", "to zero", 0x00000001, 3, 0x3f800000, 2.0, 0.5, 9, {0x00000000, 0}},
    {"U36", "zero is absorbing", 0x00000000, 0, 0x00000000, 2.0, 0.5, 1, {0x00000000, 0}},
    {"U37", "backoff>1 unchecked in op", 0x3f800000, 0, 0x3f800000, 2.0, 4.0, 1, {0x40800000, 0}},
    {"U38", "no guard on backoff", 0x7e800000, 0, 0x3f800000, 2.0, 8.0, 1, {0x7f800000, 0}},
    {"U39", "backoff 0", 0x47800000, 0, 0x3f800000, 2.0, 0.0, 1, {0x00000000, 0}},
    {"U40", "negative backoff", 0x47800000, 0, 0x3f800000, 2.0, -0.5, 1, {0xc7000000, 0}},
    {"U41", "guard also for NaN", 0x40400000, 0, 0x00000000, kNaN, 0.5, 1, {0x40400000, 0}, {}, UpdateRow::Outcome{0x7fc00000, 0}},
    {"U42", "any NaN", 0x40400000, 0, 0x3f800000, 2.0, kNaN, 1, {0x7fc00000, 0}},
    {"U43", "negative scale", 0xc1000000, 0, 0x00000000, 2.0, 0.5, 1, {0xc1800000, 0}},
    {"U44", "growth 1.1", 0x47800000, 0, 0x00000000, 1.1, 0.7, 1, {0x478ccccd, 0}},
    {"U45", "float math: 47f96f92", 0x47e2c284, 0, 0x00000000, 1.1, 0.5, 1, {0x47f96f91, 0}},
    {"U46", "float math: 47d851ea", 0x47a66666, 0, 0x00000000, 1.3, 0.5, 1, {0x47d851eb, 0}},
    {"U47", "float math: 474f5c28", 0x47666666, 0, 0x3f800000, 2.0, 0.9, 1, {0x474f5c29, 0}},
    {"U48", "float math: 462c1a8a", 0x4675dcc6, 0, 0x3f800000, 2.0, 0.7, 1, {0x462c1a8b, 0}},
});
// clang-format on

}  // namespace assay::suites
