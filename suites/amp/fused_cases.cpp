// Unscale and update in one call: bit for bit the same as two calls.
#include "harness/suite/clients/runtime.hpp"
#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

struct FusedCall {
  std::vector<TensorValue> grads;
  float inv_scale = 0.5f;
  float flag_before = 0;
  float scale = 8;
  std::int64_t tracker = 4;
  double growth = 2;
  double backoff = 0.5;
  std::int64_t interval = 5;  ///< grows now unless an element is not finite
};

/// Makes the two calls on one set of tensors and the fused call on another, and compares them.
void expect_like_two_calls(Session& session, const FusedCall& call,
                           Where where = Where::current()) {
  const std::vector<Value> grads(call.grads.begin(), call.grads.end());
  const auto unscaled = session.amp().unscale(
      {.grads = grads, .found_inf = call.flag_before, .inv_scale = call.inv_scale});
  const auto updated = session.amp().update_scale({.scale = call.scale,
                                                   .tracker = call.tracker,
                                                   .found_inf = unscaled.found_inf,
                                                   .growth = call.growth,
                                                   .backoff = call.backoff,
                                                   .interval = call.interval});

  const auto both = session.amp().unscale_and_update({.grads = grads,
                                                      .found_inf = call.flag_before,
                                                      .inv_scale = call.inv_scale,
                                                      .scale = call.scale,
                                                      .tracker = call.tracker,
                                                      .growth = call.growth,
                                                      .backoff = call.backoff,
                                                      .interval = call.interval});

  expect_bits(both.found_inf, unscaled.found_inf, where);
  expect_bits(both.scale, updated.scale, where);
  expect_equal(both.tracker, updated.tracker, where);
  expect_equal(static_cast<int>(both.grads.size()), static_cast<int>(call.grads.size()), where);
  for (std::size_t i = 0; i < call.grads.size(); ++i)
    expect_bits(both.grads[i], unscaled.grads.at(i), where);
}

/// `count` tensors of `length` elements, all finite except for a given one.
struct FiniteTensors {
  std::size_t count;
  std::int64_t length;
  Dtype dtype = Dtype::kFloat32;
};
std::vector<TensorValue> finite(const FiniteTensors& many) {
  return std::vector<TensorValue>(many.count, ramp(many.dtype, many.length));
}
std::vector<TensorValue> with_bad(const FiniteTensors& many, std::size_t tensor,
                                  std::int64_t element) {
  std::vector<TensorValue> grads = finite(many);
  grads[tensor].set_bits(static_cast<std::size_t>(element), non_finite_bits(many.dtype).front());
  return grads;
}

/// The state that an optimizer keeps between steps.
struct State {
  std::string scale;
  std::string tracker;
  std::string flag;
};
State make_state(Session& session) {
  return {named(session, scalar_of(Dtype::kFloat32, 8)),
          named(session, scalar_of(Dtype::kInt32, 0)),
          named(session, scalar_of(Dtype::kFloat32, 0))};
}
UnscaleAndUpdateArguments arguments_on(const State& state, const std::vector<Value>& grads) {
  return {.grads = grads,
          .found_inf = Ref{state.flag},
          .inv_scale = 0.5f,
          .scale = Ref{state.scale},
          .tracker = Ref{state.tracker},
          .interval = 2};
}

}  // namespace

CASES("amp/unscale_and_update") {
  kernel_case("is_the_two_calls_for_every_dtype", {"AMP-601"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      for (const std::int64_t length : {1, 2, 7, 8, 9, 500, 5000}) {
        const ScopedTrace at(std::string(name_of(dtype)) + ", " + std::to_string(length) +
                             " elements");
        const FiniteTensors many = {3, length, dtype};
        expect_like_two_calls(session, {.grads = finite(many)});
        expect_like_two_calls(session, {.grads = with_bad(many, 2, length - 1)});
        expect_like_two_calls(session, {.grads = with_bad(many, 0, 0), .inv_scale = 1.0f});
      }
    }
  });

  kernel_case("is_the_two_calls_for_lists_of_many_kinds", {"AMP-601"}, [](Session& session) {
    for (const double value : {3.0, double{kInf}}) {
      const TensorValue matrix = shaped(f32({1, 2, 3, 4, 5, value}), {2, 3});
      const TensorValue gaps = strided(f32({value, 2}), {3});
      const std::vector<std::vector<TensorValue>> lists = {{matrix},
                                                           {strided(matrix, {1, 2}), f32({1})},
                                                           {gaps},
                                                           {f32({1}), gaps},
                                                           {f32({1}), f16({value}), f64({2})},
                                                           {f16({1}), f64({value}), gaps, f16({2})},
                                                           {f32({}), matrix, f32({})},
                                                           {scalar_of(Dtype::kFloat16, value)}};
      for (const auto& grads : lists) expect_like_two_calls(session, {.grads = grads});
    }
  });

  kernel_case("updates_when_there_is_nothing_to_unscale", {"AMP-601"}, [](Session& session) {
    for (const std::vector<Value>& grads :
         {std::vector<Value>{}, {f32({})}, {f16({}), f32({}), f64({})}}) {
      for (const float flag : {0.0f, 1.0f}) {
        const auto result = session.amp().unscale_and_update(
            {.grads = grads, .found_inf = flag, .scale = 8.0f, .tracker = 4, .interval = 5});

        expect_bits(result.scale, flag == 0 ? 16.0f : 4.0f);
        expect_equal(result.tracker, 0);
        expect_bits(result.found_inf, flag);
      }
    }
  });

  kernel_case("is_the_two_calls_at_the_edges_of_the_scale", {"AMP-601"},
              [](Session& session) {
                for (const float scale : {0x1p127f, 0x1p-149f, 0.0f, kInf, -8.0f, 65536.0f}) {
                  for (const std::int64_t tracker : {0, 4, 5, 2147483647}) {
                    const ScopedTrace at("scale " + std::to_string(scale) + ", tracker " +
                                         std::to_string(tracker));
                    expect_like_two_calls(
                        session, {.grads = {f32({4, 8})}, .scale = scale, .tracker = tracker});
                    expect_like_two_calls(
                        session, {.grads = {f32({4, kInf})}, .scale = scale, .tracker = tracker});
                  }
                }
                expect_like_two_calls(session, {.grads = {f32({4})}, .growth = 1.1, .interval = 5});
                expect_like_two_calls(session, {.grads = {f32({kNaN})}, .backoff = 0.7});
              })
      .reach(Reach::kState)
      .unless(Property::kFlushesSubnormals);

  kernel_case(
      "counts_a_flag_that_was_raised_before", {"AMP-601"},
      [](Session& session) {
        for (const float before : {1.0f, 0.5f, -1.0f, kNaN, kInf, -0.0f, 0x1p-149f}) {
          const ScopedTrace at("found_inf " + std::to_string(before));
          expect_like_two_calls(session, {.grads = {f32({4, 8})}, .flag_before = before});
          expect_like_two_calls(session, {.grads = {f32({4, kInf})}, .flag_before = before});
        }
      })
      .reach(Reach::kArguments)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kBoolFlag);

  kernel_case("takes_the_scale_for_its_flag", {"AMP-601"}, [](Session& session) {
    for (const double value : {3.0, double{kInf}}) {
      const std::string scale = named(session, scalar_of(Dtype::kFloat32, 4));

      session.amp().unscale_and_update({.grads = {f32({value, 2})},
                                        .found_inf = Ref{scale},
                                        .inv_scale = 0.5f,
                                        .scale = Ref{scale}});

      expect_bits(read(session, scale), scalar_of(Dtype::kFloat32, value == 3.0 ? 2 : 0.5));
    }
  }).reach(Reach::kArguments);

  kernel_case("updates_in_the_default_stream_of_a_thread", {"AMP-601"}, [](Session& session) {
    const auto stream = session.runtime().external_stream(2, session.device());
    const State state = make_state(session);
    session.runtime().set_current_stream(stream);

    for (int i = 0; i < 3; ++i) {
      session.amp().unscale_and_update(arguments_on(state, {f32({4, 8})}));
    }

    stream.synchronize();
    session.runtime().set_current_stream(session.runtime().default_stream());
    expect_bits(read(session, state.scale), scalar_of(Dtype::kFloat32, 16));
    expect_bits(read(session, state.tracker), scalar_of(Dtype::kInt32, 1));
  }).only(DeviceRules::kCuda);

  kernel_case("fails_where_unscale_fails_and_does_nothing", {"AMP-601"}, [](Session& session) {
    const State state = make_state(session);
    const std::string grad = named(session, f32({4, kInf}));
    UnscaleAndUpdateArguments wrong = arguments_on(state, {Ref{grad}});
    wrong.inv_scale = f32({1, 2});

    expect_error([&] { session.amp().unscale_and_update(wrong); }, ErrorKind::kError,
                 {"inv_scale", "1-element"});

    expect_bits(read(session, grad), f32({4, kInf}));
    expect_bits(read(session, state.scale), scalar_of(Dtype::kFloat32, 8));
    expect_bits(read(session, state.tracker), scalar_of(Dtype::kInt32, 0));
  }).reach(Reach::kArguments);

  kernel_case("fails_where_the_update_fails_after_it_unscaled", {"AMP-601"}, [](Session& session) {
    const State state = make_state(session);
    const std::string grad = named(session, f32({4, kInf}));
    UnscaleAndUpdateArguments wrong = arguments_on(state, {Ref{grad}});
    wrong.tracker = i64({0});

    expect_error([&] { session.amp().unscale_and_update(wrong); }, ErrorKind::kError,
                 {"growth_tracker", "int"});

    expect_bits(read(session, grad), f32({2, kInf}));
    expect_bits(read(session, state.flag), scalar_of(Dtype::kFloat32, 1));
    expect_bits(read(session, state.scale), scalar_of(Dtype::kFloat32, 8));
  }).reach(Reach::kArguments);

  kernel_case("updates_once_for_a_list_of_any_length", {"AMP-601", "AMP-603"},
              [](Session& session) {
                constexpr std::size_t kCount = 2100;
                expect_like_two_calls(session, {.grads = finite({kCount, 1}), .interval = 1});
                for (const std::size_t bad : {std::size_t{0}, kCount - 1}) {
                  const ScopedTrace at("bad " + std::to_string(bad));
                  expect_like_two_calls(session, {.grads = with_bad({kCount, 1}, bad, 0)});
                }
              });

  kernel_case("sees_a_bad_element_of_any_tensor", {"AMP-603"}, [](Session& session) {
    for (const std::size_t count : {2u, 5u, 110u, 111u, 131u}) {
      for (const std::size_t bad :
           {std::size_t{0}, std::size_t{1}, count / 2, count - 2, count - 1}) {
        const ScopedTrace at(std::to_string(count) + " tensors, bad " + std::to_string(bad));
        expect_like_two_calls(session, {.grads = with_bad({count, 3}, bad, 2)});
      }
      expect_like_two_calls(session, {.grads = finite({count, 3})});
    }
  });

  kernel_case("sees_a_bad_element_of_any_chunk", {"AMP-603"}, [](Session& session) {
    constexpr std::int64_t kLength = 65537;
    for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{4095}, std::int64_t{4096},
                                   kLength / 2, kLength - 4097, kLength - 2, kLength - 1}) {
      const ScopedTrace at("bad element " + std::to_string(bad));
      expect_like_two_calls(session, {.grads = with_bad({1, kLength}, 0, bad)});
    }
    expect_like_two_calls(session, {.grads = finite({1, kLength})});
  });

  kernel_case("sees_a_bad_element_of_any_launch", {"AMP-603"}, [](Session& session) {
    for (std::size_t bad = 0; bad < 6; ++bad) {
      const ScopedTrace at("bad tensor " + std::to_string(bad));
      std::vector<TensorValue> grads;
      for (std::size_t i = 0; i < 6; ++i) {
        const TensorValue grad =
            tensor_of(i % 3 == 1 ? Dtype::kFloat16 : Dtype::kFloat32, {i == bad ? kInf : 3.0, 7});
        grads.push_back(i == 4 ? strided(grad, {2}) : grad);
      }
      expect_like_two_calls(session, {.grads = grads});
    }
  });

  kernel_case("leaves_nothing_behind_for_the_next_call", {"AMP-603"}, [](Session& session) {
    const State state = make_state(session);
    const std::vector<double> scales = {8, 16, 8, 8, 16, 16, 32, 16};
    const std::vector<bool> is_bad = {false, false, true, false, false, false, false, true};
    for (std::size_t step = 0; step < scales.size(); ++step) {
      const ScopedTrace at("step " + std::to_string(step));
      std::vector<TensorValue> grads = finite({7, 4099});
      if (is_bad[step]) grads = with_bad({7, 4099}, step % 7, 4098);
      session.send("core.fill_", {{"tensor", Ref{state.flag}}, {"value", 0.0}});

      session.amp().unscale_and_update(arguments_on(state, {grads.begin(), grads.end()}));

      expect_bits(read(session, state.scale), scalar_of(Dtype::kFloat32, scales[step]));
    }
  });

  kernel_case("reads_nothing_back_and_allocates_nothing", {"AMP-602"}, [](Session& session) {
    const State state = make_state(session);
    const std::string grad = named(session, f32({4, kInf}));
    const std::string other = named(session, f16({4, 8}));
    session.count();

    session.amp().unscale_and_update(arguments_on(state, {Ref{grad}, Ref{other}}));

    expect_equal(session.counted("host_reads"), std::int64_t{0});
    expect_equal(session.counted("allocations"), std::int64_t{0});
    expect_equal(session.counted("copies"), std::int64_t{0});
  });

  kernel_case("needs_at_most_one_launch_more_than_unscale", {"AMP-602"}, [](Session& session) {
    for (const std::vector<Value>& grads :
         {std::vector<Value>{}, {f32({1})}, {f32({1}), f16({2}), strided(f32({1, 2}), {3})}}) {
      session.count();
      session.amp().unscale({.grads = grads, .inv_scale = 0.5f});
      const std::int64_t unscale_alone = session.counted("launches");
      session.count();
      session.amp().unscale_and_update({.grads = grads, .inv_scale = 0.5f});
      const std::int64_t both = session.counted("launches");

      expect_true(both <= unscale_alone + 1, std::to_string(both) + " launches are at most " +
                                                 std::to_string(unscale_alone + 1));
    }
  }).only(DeviceRules::kCuda);
}

}  // namespace assay::suites
