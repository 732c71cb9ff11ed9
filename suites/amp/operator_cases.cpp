// The operators as a whole: schemas, functional forms, arguments of the binding, and both routes to
// the kernel.
#include <algorithm>

#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

constexpr std::string_view kUpdateSchema =
    "aten::_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, float "
    "scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor(a!)";
constexpr std::string_view kUnscaleSchema =
    "aten::_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) found_inf, "
    "Tensor inv_scale) -> ()";

bool any_schema(const std::vector<std::string>& schemas, std::string_view begin,
                std::string_view end) {
  return std::any_of(schemas.begin(), schemas.end(), [&](const std::string& schema) {
    return schema.starts_with(begin) && schema.ends_with(end);
  });
}

/// Values that are not valid for a numeric parameter.
const std::vector<Value> kNoNumbers = {None{}, "2", List{{2}}, Dtype::kFloat32};

}  // namespace

CASES("amp/operators") {
  conformance("have_these_schemas", {"AMP-001"}, [](Session& session) {
    const auto schemas = session.amp().schemas();

    for (const std::string_view wanted : {kUpdateSchema, kUnscaleSchema}) {
      const bool found = std::find(schemas.begin(), schemas.end(), wanted) != schemas.end();
      expect_true(found, "there is " + std::string(wanted));
    }
  });

  conformance("have_functional_and_out_overloads", {"AMP-001", "AMP-002"}, [](Session& session) {
    const auto schemas = session.amp().schemas();

    expect_true(
        any_schema(schemas, "aten::_amp_update_scale(", "-> (Tensor, Tensor growth_tracker_out)"),
        "update_scale is functional");
    expect_true(any_schema(schemas, "aten::_amp_foreach_non_finite_check_and_unscale(",
                           "-> (Tensor[] self_out, Tensor found_inf_out)"),
                "unscale is functional");
    expect_true(any_schema(schemas, "aten::_amp_update_scale.out(", ""), "update_scale has out");
    expect_true(any_schema(schemas, "aten::_amp_foreach_non_finite_check_and_unscale.out(", ""),
                "unscale has out");
  });

  kernel_case("leave_their_inputs_alone_when_functional", {"AMP-002"}, [](Session& session) {
    for (const float flag : {0.0f, 1.0f}) {
      const TensorValue scale = scalar_of(Dtype::kFloat32, 8);
      const TensorValue tracker = scalar_of(Dtype::kInt32, 4);

      const auto result = session.amp().update_scale({.scale = scale,
                                                      .tracker = tracker,
                                                      .found_inf = scalar_of(Dtype::kFloat32, flag),
                                                      .interval = 5,
                                                      .variant = "functional"});

      expect_bits(result.scale, scale);
      expect_bits(result.tracker, tracker);
      expect_bits(result.found_inf, scalar_of(Dtype::kFloat32, flag));
      expect_bits(result.result, scalar_of(Dtype::kFloat32, flag == 0 ? 16 : 4));
      expect_bits(result.result_tracker, scalar_of(Dtype::kInt32, 0));
      expect_false(result.same(), "the result is a new tensor");
    }
  });

  kernel_case("count_when_functional", {"AMP-002"}, [](Session& session) {
    const auto result = session.amp().update_scale({.scale = scalar_of(Dtype::kFloat32, 8),
                                                    .tracker = scalar_of(Dtype::kInt32, 4),
                                                    .variant = "functional"});

    expect_bits(result.result, scalar_of(Dtype::kFloat32, 8));
    expect_bits(result.result_tracker, scalar_of(Dtype::kInt32, 5));
    expect_bits(result.tracker, scalar_of(Dtype::kInt32, 4));
  });

  kernel_case("unscale_copies_when_functional", {"AMP-002"}, [](Session& session) {
    for (const float bad : {3.0f, kInf}) {
      const std::vector<TensorValue> before = {f32({4, bad}), f16({8, 6}), f32({10})};
      const TensorValue flag = scalar_of(Dtype::kFloat32, 0);

      const auto result = session.amp().unscale({.grads = {before.begin(), before.end()},
                                                 .found_inf = flag,
                                                 .inv_scale = scalar_of(Dtype::kFloat32, 0.5),
                                                 .variant = "functional"});

      expect_equal(static_cast<int>(result.result.size()), 3);
      for (std::size_t i = 0; i < before.size(); ++i) {
        expect_bits(result.grads.at(i), before[i]);
        expect_bits(result.result.at(i), unscaled(before[i], 0.5f));
      }
      expect_bits(result.found_inf, flag);
      expect_bits(result.result_found_inf, scalar_of(Dtype::kFloat32, bad == kInf ? 1 : 0));
    }
  });

  kernel_case("keep_an_earlier_flag_when_functional", {"AMP-002", "AMP-206"}, [](Session& session) {
    const auto result = session.amp().unscale({.grads = {f32({4})},
                                               .found_inf = scalar_of(Dtype::kFloat32, 0.5),
                                               .inv_scale = scalar_of(Dtype::kFloat32, 0.5),
                                               .variant = "functional"});

    expect_bits(result.result_found_inf, scalar_of(Dtype::kFloat32, 0.5));
  });

  kernel_case("write_to_out_and_not_to_their_input", {"AMP-002"}, [](Session& session) {
    const TensorValue grad = f32({4, kInf});
    const auto updated = session.amp().update_scale(
        {.scale = scalar_of(Dtype::kFloat32, 8), .found_inf = 1.0f, .variant = "out"});
    const auto result =
        session.amp().unscale({.grads = {grad}, .inv_scale = 0.5f, .variant = "out"});

    expect_bits(updated.result, scalar_of(Dtype::kFloat32, 4));
    expect_bits(updated.scale, scalar_of(Dtype::kFloat32, 8));
    expect_bits(result.result.at(0), unscaled(grad, 0.5f));
    expect_bits(result.grads.at(0), grad);
  });

  // The schemas declare both as mutable. PyTorch 2.11 drops these results.
  kernel_case("write_tracker_and_flag_beside_out", {"AMP-001", "AMP-002"}, [](Session& session) {
    const bool strict = session.contract().strict();
    const auto updated = session.amp().update_scale({.tracker = 4, .variant = "out"});
    const auto result =
        session.amp().unscale({.grads = {f32({kInf})}, .inv_scale = 0.5f, .variant = "out"});

    expect_equal(updated.tracker, strict ? 5 : 4);
    expect_bits(result.found_inf, strict ? 1.0f : 0.0f);
  });

  kernel_case("return_fresh_tensors_when_functional", {"AMP-002"}, [](Session& session) {
    const std::string scale = named(session, scalar_of(Dtype::kFloat32, 8));
    const std::string tracker = named(session, scalar_of(Dtype::kInt32, 4));

    session.amp().update_scale(
        {.scale = Ref{scale}, .tracker = Ref{tracker}, .found_inf = 1.0f, .variant = "functional"});

    expect_bits(read(session, scale), scalar_of(Dtype::kFloat32, 8));
    expect_bits(read(session, tracker), scalar_of(Dtype::kInt32, 4));
  });

  kernel_case("do_the_same_past_the_dispatcher", {"AMP-003"}, [](Session& session) {
    for (const std::string route : {"dispatch", "kernel"}) {
      const ScopedTrace at(route);
      const auto updated =
          session.amp().update_scale({.scale = 8.0f, .tracker = 4, .interval = 5, .route = route});
      auto result = session.amp().unscale(
          {.grads = {f32({4, kInf}), f16({6})}, .inv_scale = 0.5f, .route = route});

      expect_bits(updated.scale, 16.0f);
      expect_equal(updated.tracker, 0);
      expect_true(updated.same(), "the scale itself is returned");
      expect_bits(result.grads.at(0), f32({2, kInf}));
      expect_bits(result.grads.at(1), f16({3}));
      expect_bits(result.found_inf, 1.0f);
    }
  });

  kernel_case("run_in_place_on_named_tensors", {"AMP-003", "AMP-101"}, [](Session& session) {
    const std::string scale = named(session, f32({8}));
    const std::string tracker = named(session, i32({4}));
    const std::string view = view_of(session, scale, {{}, {}, 0});

    const auto result = session.amp().update_scale(
        {.scale = Ref{scale}, .tracker = Ref{tracker}, .found_inf = 1.0f});

    expect_true(result.same(), "the scale itself is returned");
    expect_bits(read(session, scale), f32({4}));
    expect_bits(read(session, tracker), i32({0}));
    expect_bits(read(session, view), scalar_of(Dtype::kFloat32, 4));
  });
}

CASES("amp/binding") {
  kernel_case("takes_ints_and_bools_for_factors", {"AMP-007"}, [](Session& session) {
    const auto by_int = session.amp().update_scale({.scale = 8.0f, .growth = 3, .interval = 1});
    const auto by_true = session.amp().update_scale({.scale = 8.0f, .growth = true, .interval = 1});
    const auto by_false =
        session.amp().update_scale({.scale = 8.0f, .found_inf = 1.0f, .backoff = false});

    expect_bits(by_int.scale, 24.0f);
    expect_bits(by_true.scale, 8.0f);
    expect_bits(by_false.scale, 0.0f);
  });

  kernel_case("takes_0_dim_tensors_for_numbers", {"AMP-007"}, [](Session& session) {
    const auto growth = session.amp().update_scale(
        {.scale = 8.0f, .growth = scalar_of(Dtype::kFloat64, 1.5), .interval = 1});
    const auto interval =
        session.amp().update_scale({.scale = 8.0f, .interval = scalar_of(Dtype::kInt64, 1)});

    expect_bits(growth.scale, 12.0f);
    expect_bits(interval.scale, 16.0f);
  });

  conformance("refuses_what_is_no_interval", {"AMP-007"}, [](Session& session) {
    std::vector<Value> wrong = kNoNumbers;
    wrong.insert(wrong.end(), {2.0, 2.5, true, i64({1})});
    for (const Value& interval : wrong) {
      const ScopedTrace at("interval of kind " + std::string(kind_of(interval)));
      expect_error([&] { session.amp().update_scale({.interval = interval}); }, ErrorKind::kType,
                   {"growth_interval", "position 6"});
    }
  });

  conformance("refuses_what_is_no_factor", {"AMP-007"}, [](Session& session) {
    std::vector<Value> wrong = kNoNumbers;
    wrong.emplace_back(f64({2}));
    for (const Value& factor : wrong) {
      const ScopedTrace at("factor of kind " + std::string(kind_of(factor)));
      expect_error([&] { session.amp().update_scale({.growth = factor}); }, ErrorKind::kType,
                   {"scale_growth_factor", "position 4"});
      expect_error([&] { session.amp().update_scale({.backoff = factor}); }, ErrorKind::kType,
                   {"scale_backoff_factor", "position 5"});
    }
  });

  conformance("refuses_what_is_no_tensor", {"AMP-007"}, [](Session& session) {
    for (const Value& wrong : {Value(None{}), Value("x"), Value(List{{1.0}})}) {
      const ScopedTrace at("argument of kind " + std::string(kind_of(wrong)));
      expect_error([&] { session.amp().update_scale({.tracker = wrong}); }, ErrorKind::kType,
                   {"growth_tracker", "position 2"});
      expect_error([&] { session.amp().update_scale({.found_inf = wrong}); }, ErrorKind::kType,
                   {"found_inf", "position 3"});
      expect_error([&] { session.amp().update_scale({.scale = wrong}); }, ErrorKind::kType,
                   {"position 1"});
      expect_error([&] { session.amp().unscale({.grads = {f32({1})}, .inv_scale = wrong}); },
                   ErrorKind::kType, {"inv_scale", "position 3"});
    }
  });

  conformance("refuses_lists_that_hold_no_tensors", {"AMP-007"}, [](Session& session) {
    for (const Value& item : {Value(None{}), Value("x"), Value(1.5), Value(2)}) {
      const ScopedTrace at("item of kind " + std::string(kind_of(item)));
      expect_error([&] { session.amp().unscale({.grads = {f32({1}), item}}); }, ErrorKind::kType);
    }
    expect_error([&] { session.amp().unscale({.in_place_of_grads = Value("x")}); },
                 ErrorKind::kType, {"position 1"});
  });

  conformance("refuses_scalars_that_want_a_gradient", {"AMP-007"}, [](Session& session) {
    const std::string factor = session.fresh_name("factor");
    session.send("core.tensor", {{"value", scalar_of(Dtype::kFloat32, 2)}, {"requires_grad", true}},
                 factor);

    expect_error([&] { session.amp().update_scale({.growth = Ref{factor}}); }, ErrorKind::kType,
                 {"scale_growth_factor"});
  });

  conformance("refuses_before_anything_is_dispatched", {"AMP-007"}, [](Session& session) {
    expect_error(
        [&] {
          session.amp().update_scale({.tracker = scalar_of(Dtype::kInt64, 0), .interval = 2.5});
        },
        ErrorKind::kType, {"growth_interval"});
  });
}

}  // namespace assay::suites
