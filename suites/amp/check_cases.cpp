// Argument checks: which arguments are rejected, which error is raised first, and the state after
// an error.
#include <algorithm>
#include <functional>

#include "harness/suite/itself.hpp"
#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

/// A tensor argument with up to two defects.
struct Spoiled {
  bool count = false;
  bool dtype = false;
};

TensorValue scalar(Dtype right, Dtype wrong, const Spoiled& spoiled, std::int64_t wrong_count) {
  const Dtype dtype = spoiled.dtype ? wrong : right;
  return spoiled.count ? filled(dtype, wrong_count, 1) : scalar_of(dtype, 1);
}

/// A check: the argument that it rejects, and the text that identifies its message.
struct Check {
  int argument;
  bool of_count;
  std::vector<std::string> tokens;
};

const std::vector<Check> kUpdateChecks = {
    {0, true, {"growth_tracker", "1-element"}}, {1, true, {"current_scale", "1-element"}},
    {2, true, {"found_inf", "1-element"}},      {0, false, {"growth_tracker", "int"}},
    {1, false, {"current_scale", "float"}},     {2, false, {"found_inf", "float"}}};

const std::vector<Check> kUnscaleChecks = {{0, true, {"inv_scale", "1-element"}},
                                           {1, true, {"found_inf", "1-element"}},
                                           {0, false, {"inv_scale", "float"}},
                                           {1, false, {"found_inf", "float"}}};

std::vector<Spoiled> spoil(std::size_t arguments, const std::vector<Check>& checks) {
  std::vector<Spoiled> spoiled(arguments);
  for (const Check& check : checks) {
    Spoiled& argument = spoiled[static_cast<std::size_t>(check.argument)];
    (check.of_count ? argument.count : argument.dtype) = true;
  }
  return spoiled;
}

UpdateScaleArguments update_with(const std::vector<Spoiled>& spoiled, Dtype wrong,
                                 std::int64_t wrong_count) {
  const Dtype wrong_tracker = wrong == Dtype::kInt32 ? Dtype::kInt64 : wrong;
  return {.scale = scalar(Dtype::kFloat32, wrong, spoiled[1], wrong_count),
          .tracker = scalar(Dtype::kInt32, wrong_tracker, spoiled[0], wrong_count),
          .found_inf = scalar(Dtype::kFloat32, wrong, spoiled[2], wrong_count)};
}

UnscaleArguments unscale_with(const std::vector<Spoiled>& spoiled, Dtype wrong,
                              std::int64_t wrong_count) {
  return {.grads = {f32({4, 8})},
          .found_inf = scalar(Dtype::kFloat32, wrong, spoiled[1], wrong_count),
          .inv_scale = scalar(Dtype::kFloat32, wrong, spoiled[0], wrong_count)};
}

using Call = std::function<void(const std::vector<Spoiled>&)>;

/// Tests each check alone, then each pair: the earlier check must raise the error.
void expect_checks_in_order(const std::vector<Check>& checks, std::size_t arguments,
                            const Call& call, Where where = Where::current()) {
  for (std::size_t first = 0; first < checks.size(); ++first) {
    for (std::size_t second = first; second < checks.size(); ++second) {
      const ScopedTrace at("checks " + std::to_string(first) + " and " + std::to_string(second));
      const auto spoiled = spoil(arguments, {checks[first], checks[second]});
      expect_error([&] { call(spoiled); }, ErrorKind::kError, checks[first].tokens, where);
    }
  }
}

const std::vector<Dtype> kWrongDtypes = {Dtype::kFloat64, Dtype::kFloat16, Dtype::kBfloat16,
                                         Dtype::kInt64,   Dtype::kInt32,   Dtype::kBool};

/// `name` is the upper-case dtype name in messages.
struct RefusedDtype {
  Dtype dtype;
  std::string name;
};

std::vector<RefusedDtype> refused_dtypes(const Contract& contract) {
  std::vector<RefusedDtype> refused = {{Dtype::kInt64, "Long"},  {Dtype::kInt32, "Int"},
                                       {Dtype::kInt16, "Short"}, {Dtype::kInt8, "Char"},
                                       {Dtype::kUint8, "Byte"},  {Dtype::kBool, "Bool"}};
  if (contract.cuda()) refused.push_back({Dtype::kBfloat16, "BFloat16"});
  return refused;
}

std::string kernel_suffix(const Contract& contract) { return contract.cuda() ? "_cuda" : "_cpu"; }

}  // namespace

CASES("amp/checks") {
  kernel_case("of_update_scale_come_in_order", {"AMP-116"}, [](Session& session) {
    for (const std::int64_t count : {0, 2}) {
      expect_checks_in_order(kUpdateChecks, 3, [&](const std::vector<Spoiled>& spoiled) {
        session.amp().update_scale(update_with(spoiled, Dtype::kFloat64, count));
      });
    }
  });

  kernel_case("of_update_scale_refuse_every_other_dtype", {"AMP-116"}, [](Session& session) {
    for (const Dtype wrong : kWrongDtypes) {
      const ScopedTrace at{std::string(name_of(wrong))};
      for (const Check& check : kUpdateChecks) {
        if (check.of_count) continue;
        expect_error([&] { session.amp().update_scale(update_with(spoil(3, {check}), wrong, 2)); },
                     ErrorKind::kError, check.tokens);
      }
    }
    expect_error([&] { session.amp().update_scale({.tracker = scalar_of(Dtype::kFloat32, 1)}); },
                 ErrorKind::kError, {"growth_tracker", "int"});
    expect_error([&] { session.amp().update_scale({.tracker = scalar_of(Dtype::kInt16, 1)}); },
                 ErrorKind::kError, {"growth_tracker", "int"});
  });

  kernel_case("of_unscale_come_in_order", {"AMP-401"}, [](Session& session) {
    for (const std::int64_t count : {0, 2}) {
      expect_checks_in_order(kUnscaleChecks, 2, [&](const std::vector<Spoiled>& spoiled) {
        session.amp().unscale(unscale_with(spoiled, Dtype::kFloat64, count));
      });
    }
  });

  kernel_case("of_unscale_refuse_every_other_dtype", {"AMP-401", "AMP-402"}, [](Session& session) {
    for (const Dtype wrong : kWrongDtypes) {
      const ScopedTrace at{std::string(name_of(wrong))};
      for (const Check& check : kUnscaleChecks) {
        if (check.of_count) continue;
        expect_error([&] { session.amp().unscale(unscale_with(spoil(2, {check}), wrong, 2)); },
                     ErrorKind::kError, check.tokens);
      }
    }
  });

  kernel_case("of_unscale_come_before_the_gradients_dtypes", {"AMP-401"}, [](Session& session) {
    expect_error(
        [&] {
          session.amp().unscale({.grads = {i64({4})}, .inv_scale = scalar_of(Dtype::kFloat64, 1)});
        },
        ErrorKind::kError, {"inv_scale", "float"});
    expect_error(
        [&] {
          session.amp().unscale({.grads = {i64({4})}, .found_inf = f32({0, 0}), .inv_scale = 0.5f});
        },
        ErrorKind::kError, {"found_inf", "1-element"});
  });

  kernel_case("of_unscale_happen_for_lists_without_elements", {"AMP-401", "AMP-302"},
              [](Session& session) {
                expect_error(
                    [&] {
                      session.amp().unscale({.grads = {f32({})}, .inv_scale = f32({1, 2})});
                    },
                    ErrorKind::kError, {"inv_scale", "1-element"});
              });

  kernel_case("let_scalars_of_one_element_have_any_shape", {"AMP-402"}, [](Session& session) {
    const std::vector<std::vector<std::int64_t>> shapes = {{}, {1}, {1, 1}, {1, 1, 1}};
    for (const auto& left : shapes) {
      for (const auto& right : shapes) {
        auto result =
            session.amp().unscale({.grads = {f32({4, kInf})},
                                   .found_inf = shaped(scalar_of(Dtype::kFloat32, 0), left),
                                   .inv_scale = shaped(scalar_of(Dtype::kFloat32, 0.25), right)});

        expect_bits(result.grads.at(0), f32({1, kInf}));
        expect_bits(result.found_inf, shaped(scalar_of(Dtype::kFloat32, 1), left));
      }
    }
  });

  kernel_case("refuse_gradients_of_other_dtypes", {"AMP-212"}, [](Session& session) {
    const std::string op = "_amp_foreach_non_finite_check_and_unscale";
    for (const RefusedDtype& refused : refused_dtypes(session.contract())) {
      const ScopedTrace at{refused.name};
      for (const float inverse : {0.5f, 1.0f}) {
        expect_error(
            [&] {
              session.amp().unscale(
                  {.grads = {tensor_of(refused.dtype, {1, 0})}, .inv_scale = inverse});
            },
            ErrorKind::kError, {op + kernel_suffix(session.contract()), refused.name});
      }
    }
  }).reach(Reach::kArguments);

  kernel_case(
      "refuse_gradients_of_other_dtypes_anywhere_in_a_list", {"AMP-212"},
      [](Session& session) {
        const std::string op = "non_finite_check_and_unscale";
        for (const RefusedDtype& refused : refused_dtypes(session.contract())) {
          const ScopedTrace at{refused.name};
          const TensorValue bad = tensor_of(refused.dtype, {1});
          for (const std::vector<Value>& grads :
               {std::vector<Value>{f32({2}), bad}, {bad, f32({2})}, {f32({2}), f16({2}), bad}}) {
            expect_error([&] { session.amp().unscale({.grads = grads, .inv_scale = 0.5f}); },
                         ErrorKind::kError, {op + kernel_suffix(session.contract()), refused.name});
          }
        }
      })
      .reach(Reach::kArguments);

  kernel_case("refuse_other_dtypes_even_without_elements", {"AMP-212", "AMP-302"},
              [](Session& session) {
                for (const RefusedDtype& refused : refused_dtypes(session.contract())) {
                  const ScopedTrace at{refused.name};
                  const TensorValue none = tensor_of(refused.dtype, {});
                  expect_error([&] { session.amp().unscale({.grads = {none}}); }, ErrorKind::kError,
                               {refused.name});
                }
              })
      .reach(Reach::kArguments);

  kernel_case("accept_every_gradient_dtype_of_the_device", {"AMP-212"}, [](Session& session) {
    for (const Dtype dtype : gradient_dtypes(session.contract())) {
      auto result = session.amp().unscale({.grads = {tensor_of(dtype, {4})}, .inv_scale = 0.25f});

      expect_bits(result.grads.at(0), tensor_of(dtype, {1}));
    }
  });
}

CASES("amp/refusals") {
  kernel_case("by_update_scale_change_nothing", {"AMP-117"}, [](Session& session) {
    const std::string scale = named(session, scalar_of(Dtype::kFloat32, 8));
    const std::string tracker = named(session, scalar_of(Dtype::kInt32, 1999));

    for (const TensorValue& flag :
         {f32({1, 1}), scalar_of(Dtype::kFloat64, 1), boolean({1}), f32({})}) {
      expect_error(
          [&] {
            session.amp().update_scale(
                {.scale = Ref{scale}, .tracker = Ref{tracker}, .found_inf = flag});
          },
          ErrorKind::kError);
      expect_bits(read(session, scale), scalar_of(Dtype::kFloat32, 8));
      expect_bits(read(session, tracker), scalar_of(Dtype::kInt32, 1999));
    }
  });

  kernel_case("by_update_scale_launch_nothing", {"AMP-117"}, [](Session& session) {
    session.count();
    expect_error([&] { session.amp().update_scale({.found_inf = scalar_of(Dtype::kInt32, 1)}); },
                 ErrorKind::kError, {"found_inf"});

    expect_equal(session.counted("launches"), std::int64_t{0});
  }).only(DeviceRules::kCuda);

  kernel_case("by_unscale_change_nothing", {"AMP-401"}, [](Session& session) {
    const std::string grad = named(session, f32({4, kInf}));
    const std::string flag = named(session, scalar_of(Dtype::kFloat32, 0));

    for (const TensorValue& inverse : {f32({1, 1}), scalar_of(Dtype::kFloat64, 0.5), f32({})}) {
      expect_error(
          [&] {
            session.amp().unscale(
                {.grads = {Ref{grad}}, .found_inf = Ref{flag}, .inv_scale = inverse});
          },
          ErrorKind::kError, {"inv_scale"});
      expect_bits(read(session, grad), f32({4, kInf}));
      expect_bits(read(session, flag), scalar_of(Dtype::kFloat32, 0));
    }
  });

  kernel_case("by_a_cpu_leave_earlier_tensors_unscaled", {"AMP-310", "AMP-313"},
              [](Session& session) {
                expect_cpu_itself(session);
                const std::string before = named(session, f32({4, 8}));
                const std::string after = named(session, f32({4, 8}));

                expect_error(
                    [&] {
                      session.amp().unscale(
                          {.grads = {Ref{before}, i64({1}), Ref{after}}, .inv_scale = 0.25f});
                    },
                    ErrorKind::kError, {"Long"});

                expect_bits(read(session, before), f32({1, 2}));
                expect_bits(read(session, after), f32({4, 8}));
              })
      .only(DeviceRules::kCpu);

  // A tensor of another dtype is processed alone, before the others are processed together.
  kernel_case("by_an_accelerator_leave_the_group_untouched", {"AMP-310"}, [](Session& session) {
    const std::string grouped = named(session, f32({4, 8}));

    expect_error(
        [&] {
          session.amp().unscale({.grads = {Ref{grouped}, i64({1})}, .inv_scale = 0.25f});
        },
        ErrorKind::kError, {"Long"});

    expect_bits(read(session, grouped), f32({4, 8}));
  }).only(DeviceRules::kCuda);
}

}  // namespace assay::suites
