// The vectors G01-G49, grouped by clause.
#include <algorithm>
#include <initializer_list>

#include "suites/amp/support.hpp"
#include "suites/amp/unscale_vectors.hpp"

namespace assay::suites {
namespace {

/// `G02 (inf)`
std::string label_of(const UnscaleRow& row) {
  return std::string(row.id) + " (" + std::string(row.note) + ")";
}

bool takes(const Contract& contract, Dtype dtype) {
  const auto dtypes = gradient_dtypes(contract);
  return std::find(dtypes.begin(), dtypes.end(), dtype) != dtypes.end();
}

int flag_for(const UnscaleRow& row, const Contract& contract) {
  return contract.cuda() ? row.flag : row.cpu_flag.value_or(row.flag);
}

void expect_row(Session& session, const UnscaleRow& row, Where where) {
  const ScopedTrace at{label_of(row)};
  const auto result = session.amp().unscale(
      {.grads = {from_bits(row.dtype, {row.grad})}, .inv_scale = number(row.inv_scale)});

  expect_bits(result.grads.at(0), from_bits(row.dtype, {row.after}), where);
  expect_bits(result.found_inf, static_cast<float>(flag_for(row, session.contract())), where);
}

/// The same with all tensors on the host, whatever the subject's devices are.
void expect_row_on_host(Session& session, const Device& host, const UnscaleRow& row) {
  const ScopedTrace at{label_of(row)};
  const auto single = [&](float number) { return on(scalar_of(Dtype::kFloat32, number), host); };
  const auto result = session.amp().unscale({.grads = {on(from_bits(row.dtype, {row.grad}), host)},
                                             .found_inf = single(0),
                                             .inv_scale = single(float_of(row.inv_scale))});

  expect_bits(result.grads.at(0), on(from_bits(row.dtype, {row.after}), host));
  expect_bits(result.found_inf, single(static_cast<float>(row.cpu_flag.value_or(row.flag))));
}

/// A case for these rows of the table, as far as the device supports their dtype.
CaseOptions rows_case(std::string_view name, std::vector<std::string> clauses,
                      std::initializer_list<std::string_view> ids, Where where = Where::current()) {
  const std::vector<std::string_view> wanted(ids);
  const auto run = [wanted, where](Session& session) {
    for (const UnscaleRow& row : kUnscaleRows) {
      const bool named = std::find(wanted.begin(), wanted.end(), row.id) != wanted.end();
      if (named && takes(session.contract(), row.dtype)) expect_row(session, row, where);
    }
  };
  return kernel_case(name, std::move(clauses), run, where);
}

}  // namespace

CASES("amp/unscale") {
  rows_case(
      "multiplies_and_flags_single_elements", {"AMP-201"},
      {"G01", "G02", "G03", "G04", "G20", "G21", "G22", "G23", "G24", "G36", "G37", "G38", "G48"})
      .reach(Reach::kWidth)
      .unless(Property::kFlushesSubnormals);
  rows_case("multiplies_in_float_or_double_never_divides", {"AMP-202"},
            {"G17", "G18", "G19", "G29", "G43"});
  rows_case("rounds_twice_for_half_types", {"AMP-203"},
            {"G17", "G18", "G19", "G32", "G33", "G34", "G41", "G42"});
  rows_case("leaves_bits_alone_when_the_inverse_is_one", {"AMP-204"}, {"G11", "G12", "G26", "G35"});
  rows_case("multiplies_non_finite_elements_too", {"AMP-205"}, {"G02", "G03", "G04", "G05"})
      .reach(Reach::kState);
  rows_case("does_not_look_at_its_results", {"AMP-207"},
            {"G07", "G08", "G09", "G10", "G25", "G39"});
  rows_case("takes_degenerate_inverses", {"AMP-208"}, {"G06", "G07", "G08", "G09"});
  rows_case("tests_doubles_as_its_device_does", {"AMP-209"},
            {"G44", "G45", "G46", "G47", "G48", "G49"});
  conformance("of_the_host_follows_every_vector", {"AMP-004", "AMP-201", "AMP-204"},
              [](Session& session) {
                const Device host = host_of(session);
                for (const UnscaleRow& row : kUnscaleRows) expect_row_on_host(session, host, row);
              })
      .reach(Reach::kWidth)
      .unless(Property::kFlushesSubnormals)
      .since(Release::k2_4);
  conformance("of_the_host_looks_at_every_element_and_tensor", {"AMP-004", "AMP-201"},
              [](Session& session) {
                const Device host = host_of(session);
                for (std::size_t bad = 0; bad < 6; ++bad) {
                  std::vector<float> numbers(6, 4);
                  numbers[bad] = kInf;
                  const auto half = [&](std::size_t first) {
                    return on(f32({numbers[first], numbers[first + 1], numbers[first + 2]}), host);
                  };
                  const auto result =
                      session.amp().unscale({.grads = {half(0), half(3)},
                                             .found_inf = on(scalar_of(Dtype::kFloat32, 0), host),
                                             .inv_scale = on(scalar_of(Dtype::kFloat32, 1), host)});
                  expect_bits(result.found_inf, on(scalar_of(Dtype::kFloat32, 1), host));
                }
              })
      .since(Release::k2_4);
  rows_case("keeps_signs_of_zero_and_subnormals", {"AMP-211"},
            {"G06", "G13", "G14", "G15", "G16", "G27", "G28", "G29", "G30", "G31", "G40", "G49"})
      .unless(Property::kFlushesSubnormals);
}

}  // namespace assay::suites
