// The vectors U01-U48, grouped by clause.
#include <algorithm>
#include <initializer_list>
#include <stdexcept>

#include "suites/amp/support.hpp"
#include "suites/amp/update_vectors.hpp"

namespace assay::suites {
namespace {

/// `U23 (2^126 to 2^127)`
std::string label_of(const UpdateRow& row) {
  return std::string(row.id) + " (" + std::string(row.note) + ")";
}

UpdateRow::Outcome outcome_for(const UpdateRow& row, const Contract& contract, bool on_host) {
  if (row.cpu && (on_host || !contract.cuda())) return *row.cpu;
  if (row.unguarded && contract.release == Release::k1_13) return *row.unguarded;
  return row.after;
}

UpdateScaleArguments arguments_of(const UpdateRow& row) {
  return {.scale = number(row.scale),
          .tracker = row.tracker,
          .found_inf = number(row.found_inf),
          .growth = row.growth,
          .backoff = row.backoff,
          .interval = row.interval};
}

void expect_row(Session& session, const UpdateRow& row, Where where) {
  const ScopedTrace at{label_of(row)};
  const auto wanted = outcome_for(row, session.contract(), false);

  const auto result = session.amp().update_scale(arguments_of(row));

  expect_bits(result.scale, number(wanted.scale), where);
  expect_equal(result.tracker, wanted.tracker, where);
  expect_bits(result.found_inf, number(row.found_inf), where);
}

/// The same with the three scalars as host tensors, whatever the subject's devices are.
void expect_row_on_host(Session& session, const Device& host, const UpdateRow& row) {
  const ScopedTrace at{label_of(row)};
  const auto wanted = outcome_for(row, session.contract(), true);
  const auto single = [&](std::uint32_t bits) {
    return on(from_bits(Dtype::kFloat32, {bits}), host);
  };
  UpdateScaleArguments given = arguments_of(row);
  given.scale = single(row.scale);
  given.tracker = on(scalar_of(Dtype::kInt32, static_cast<double>(row.tracker)), host);
  given.found_inf = single(row.found_inf);

  const auto result = session.amp().update_scale(given);

  expect_bits(result.scale, single(wanted.scale));
  expect_bits(result.tracker,
              on(scalar_of(Dtype::kInt32, static_cast<double>(wanted.tracker)), host));
}

const UpdateRow& row_named(std::string_view id) {
  const auto found = std::find_if(kUpdateRows.begin(), kUpdateRows.end(),
                                  [&](const UpdateRow& row) { return row.id == id; });
  if (found == kUpdateRows.end()) throw std::logic_error("no vector " + std::string(id));
  return *found;
}

/// A case for these rows of the table.
CaseOptions rows_case(std::string_view name, std::vector<std::string> clauses,
                      std::initializer_list<std::string_view> ids, Where where = Where::current()) {
  const std::vector<std::string_view> wanted(ids);
  const auto run = [wanted, where](Session& session) {
    for (const std::string_view id : wanted) expect_row(session, row_named(id), where);
  };
  return kernel_case(name, std::move(clauses), run, where);
}

}  // namespace

CASES("amp/update_scale") {
  rows_case("runs_exactly_one_of_its_three_branches", {"AMP-101"}, {"U01", "U02", "U03"});
  rows_case("backs_off_for_any_flag_but_zero", {"AMP-102"},
            {"U17", "U18", "U19", "U20", "U21", "U22"})
      .reach(Reach::kArguments)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kBoolFlag);
  rows_case("backs_off_in_double_and_rounds_once", {"AMP-103"},
            {"U03", "U32", "U33", "U34", "U35", "U37", "U38", "U39", "U40", "U42", "U47", "U48"})
      .reach(Reach::kWidth)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kDoubleScale);
  rows_case("counts_a_clean_step", {"AMP-104"}, {"U01", "U04"});
  rows_case("grows_in_double_and_rounds_once", {"AMP-105"},
            {"U02", "U05", "U23", "U43", "U44", "U45", "U46"})
      .reach(Reach::kWidth)
      .unless(Property::kDoubleScale);
  rows_case("grows_only_to_a_finite_float", {"AMP-106"},
            {"U23", "U24", "U25", "U26", "U27", "U28", "U41"})
      .reach(Reach::kWidth)
      .unless(Property::kDoubleScale);
  rows_case("grows_only_when_the_count_equals_the_interval", {"AMP-108"}, {"U06", "U07"});
  rows_case("takes_intervals_of_one_zero_and_less", {"AMP-109"},
            {"U08", "U09", "U10", "U11", "U12"});
  rows_case("wraps_the_tracker", {"AMP-110"}, {"U13", "U14", "U16"});
  rows_case("reads_wide_intervals_as_its_device_does", {"AMP-111"}, {"U15", "U16"});
  rows_case("leaves_zero_infinity_and_nan_where_they_are", {"AMP-112"},
            {"U29", "U30", "U31", "U36"});
  rows_case("does_not_flush_subnormal_scales", {"AMP-113"}, {"U32", "U33", "U34", "U35"})
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kDoubleScale);
  conformance("of_the_host_follows_every_vector", {"AMP-004", "AMP-101", "AMP-103"},
              [](Session& session) {
                const Device host = host_of(session);
                for (const UpdateRow& row : kUpdateRows) expect_row_on_host(session, host, row);
              })
      .reach(Reach::kWidth)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kBoolFlag)
      .unless(Property::kDoubleScale)
      .since(Release::k2_4);
  rows_case("uses_any_factor_as_it_is", {"AMP-114"},
            {"U37", "U38", "U39", "U40", "U41", "U42", "U43"})
      .unless(Property::kDoubleScale);
}

}  // namespace assay::suites
