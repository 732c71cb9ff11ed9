// Devices: which backend runs, what the common-device check rejects, and what a direct call of the
// kernel checks itself.
#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

TensorValue scalar_at(const Device& device, Dtype dtype, double value) {
  return on(scalar_of(dtype, value), device);
}

/// The devices of the three scalars: tracker, scale, flag.
UpdateScaleArguments update_at(const Device& tracker, const Device& scale, const Device& flag) {
  return {.scale = scalar_at(scale, Dtype::kFloat32, 8),
          .tracker = scalar_at(tracker, Dtype::kInt32, 1),
          .found_inf = scalar_at(flag, Dtype::kFloat32, 0)};
}

UnscaleArguments unscale_at(std::vector<Value> grads, const Device& flag, const Device& inverse) {
  return {.grads = std::move(grads),
          .found_inf = scalar_at(flag, Dtype::kFloat32, 0),
          .inv_scale = scalar_at(inverse, Dtype::kFloat32, 0.5)};
}

SparseValue sparse_grad(Dtype dtype) {
  return {.indices = shaped(i64({1}), {1, 1}), .values = tensor_of(dtype, {4}), .shape = {3}};
}

void expect_mixed(const std::function<void()>& call, const std::string& argument,
                  const Device& left, const Device& right, Where where = Where::current()) {
  expect_error(call, ErrorKind::kError, {"same device", argument, to_text(left), to_text(right)},
               where);
}

}  // namespace

CASES("amp/backends") {
  conformance("without_a_cpu_kernel_say_so", {"AMP-004"}, [](Session& session) {
    const Device host = host_of(session);
    expect_error([&] { session.amp().update_scale(update_at(host, host, host)); },
                 ErrorKind::kNotImplemented, {"aten::_amp_update_scale_", "CPU"});
    for (const std::vector<Value>& grads : {std::vector<Value>{}, {on(f32({4}), host)}}) {
      expect_error([&] { session.amp().unscale(unscale_at(grads, host, host)); },
                   ErrorKind::kNotImplemented,
                   {"aten::_amp_foreach_non_finite_check_and_unscale_", "CPU"});
    }
  }).until(Release::k1_13);

  conformance("have_a_cpu_kernel", {"AMP-004", "AMP-212"}, [](Session& session) {
    const Device host = host_of(session);
    const auto updated = session.amp().update_scale(update_at(host, host, host));
    const auto result = session.amp().unscale(unscale_at({on(bf16({4, 6}), host)}, host, host));

    expect_bits(updated.tracker, scalar_at(host, Dtype::kInt32, 2));
    expect_bits(result.grads.at(0), on(bf16({2, 3}), host));
  }).since(Release::k2_4);

  conformance("follow_the_rules_of_their_own_device", {"AMP-111", "AMP-209"}, [](Session& session) {
    const Device host = host_of(session);
    UpdateScaleArguments wide = update_at(host, host, host);
    wide.interval = (std::int64_t{1} << 32) + 2;
    const auto updated = session.amp().update_scale(wide);
    const auto result = session.amp().unscale(unscale_at({on(f64({1e300}), host)}, host, host));

    expect_bits(updated.tracker, scalar_at(host, Dtype::kInt32, 2));
    expect_bits(result.found_inf, scalar_at(host, Dtype::kFloat32, 0));
  }).since(Release::k2_4);

  conformance("for_sparse_gradients_do_not_exist", {"AMP-006", "AMP-004"}, [](Session& session) {
    const std::vector<std::string> tokens = {"aten::_amp_foreach_non_finite_check_and_unscale_",
                                             "Sparse"};
    for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat16}) {
      const Value sparse = sparse_grad(dtype);
      for (const std::vector<Value>& grads :
           {std::vector<Value>{sparse}, {f32({4}), sparse}, {sparse, f32({4})}}) {
        expect_error([&] { session.amp().unscale({.grads = grads, .inv_scale = 0.5f}); },
                     ErrorKind::kNotImplemented, tokens);
      }
    }
  });
}

CASES("amp/devices") {
  kernel_case("of_update_scale_must_be_one", {"AMP-005"}, [](Session& session) {
    const Device first = session.device(0);
    const Device second = session.device(1);

    expect_mixed([&] { session.amp().update_scale(update_at(second, first, first)); },
                 "growth_tracker", first, second);
    expect_mixed([&] { session.amp().update_scale(update_at(first, first, second)); }, "found_inf",
                 first, second);
    expect_mixed([&] { session.amp().update_scale(update_at(second, first, second)); },
                 "growth_tracker", first, second);
  }).only(DeviceRules::kCuda);

  kernel_case("exempt_no_0_dim_tensor_of_the_host", {"AMP-005"}, [](Session& session) {
    const Device host = host_of(session);
    const Device device = session.device();

    expect_mixed([&] { session.amp().update_scale(update_at(host, device, device)); },
                 "growth_tracker", device, host);
    expect_mixed([&] { session.amp().update_scale(update_at(device, device, host)); }, "found_inf",
                 device, host);
    expect_mixed([&] { session.amp().unscale(unscale_at({on(f32({4}), device)}, host, device)); },
                 "found_inf", device, host);
    expect_mixed([&] { session.amp().unscale(unscale_at({on(f32({4}), device)}, device, host)); },
                 "inv_scale", device, host);
  }).only(DeviceRules::kCuda);

  kernel_case("of_a_list_must_be_one", {"AMP-005", "AMP-309"}, [](Session& session) {
    const Device first = session.device(0);
    const Device second = session.device(1);
    const Value here = on(f32({4}), first);
    const Value there = on(f32({4}), second);

    for (const std::vector<Value>& grads :
         {std::vector<Value>{here, there}, {here, here, there}, {here, there, here}}) {
      expect_mixed([&] { session.amp().unscale(unscale_at(grads, first, first)); }, "self", first,
                   second);
    }
    expect_mixed([&] { session.amp().unscale(unscale_at({here}, second, first)); }, "found_inf",
                 first, second);
    expect_mixed([&] { session.amp().unscale(unscale_at({here}, first, second)); }, "inv_scale",
                 first, second);
  }).only(DeviceRules::kCuda);

  kernel_case("of_a_list_must_not_be_host_and_accelerator", {"AMP-309"}, [](Session& session) {
    const Device host = host_of(session);
    const Device device = session.device();
    const Value here = on(f32({4}), device);
    const Value there = on(f32({4}), host);

    expect_mixed(
        [&] {
          session.amp().unscale(unscale_at({here, there}, device, device));
        },
        "self", device, host);
    expect_mixed(
        [&] {
          session.amp().unscale(unscale_at({there, here}, device, device));
        },
        "self", device, host);
  }).only(DeviceRules::kCuda);

  kernel_case("are_compared_even_for_an_empty_list", {"AMP-301", "AMP-005"}, [](Session& session) {
    const Device host = host_of(session);
    const Device device = session.device();

    expect_mixed([&] { session.amp().unscale(unscale_at({}, device, host)); }, "inv_scale", device,
                 host);
  }).only(DeviceRules::kCuda);

  kernel_case("come_before_numbers_of_elements_and_dtypes", {"AMP-005", "AMP-401"},
              [](Session& session) {
                const Device host = host_of(session);
                const Device device = session.device();
                UnscaleArguments wrong = unscale_at({on(f32({4}), device)}, device, device);
                wrong.inv_scale = on(f64({1, 2}), host);

                expect_mixed([&] { session.amp().unscale(wrong); }, "inv_scale", device, host);
              })
      .only(DeviceRules::kCuda);

  kernel_case("other_than_the_current_one_are_served_all_the_same", {"AMP-501"},
              [](Session& session) {
                const Device first = session.device(0);
                const Device second = session.device(1);
                session.send("core.set_device", {{"device", first}});

                const auto updated = session.amp().update_scale(update_at(second, second, second));
                const auto result =
                    session.amp().unscale(unscale_at({on(f32({4, kInf}), second)}, second, second));
                const Reply current = session.send("core.current_device");

                expect_bits(updated.tracker, scalar_at(second, Dtype::kInt32, 2));
                expect_bits(result.grads.at(0), on(f32({2, kInf}), second));
                expect_bits(result.found_inf, scalar_at(second, Dtype::kFloat32, 1));
                expect_equal(field(current, "result"), first);
              })
      .only(DeviceRules::kCuda);

  kernel_case("stay_current_after_a_refusal", {"AMP-501"}, [](Session& session) {
    const Device first = session.device(0);
    const Device second = session.device(1);
    session.send("core.set_device", {{"device", first}});
    UnscaleArguments wrong = unscale_at({on(f32({4}), second)}, second, second);
    wrong.inv_scale = on(f32({1, 2}), second);

    expect_error([&] { session.amp().unscale(wrong); }, ErrorKind::kError, {"1-element"});

    expect_equal(field(session.send("core.current_device"), "result"), first);
  }).only(DeviceRules::kCuda);
}

CASES("amp/kernels") {
  kernel_case("of_update_scale_check_devices_in_order", {"AMP-115"}, [](Session& session) {
    const Device host = host_of(session);
    const Device device = session.device();
    const std::vector<std::string> names = {"growth_tracker", "current_scale", "found_inf"};
    for (std::size_t first = 0; first < names.size(); ++first) {
      for (std::size_t second = first; second < names.size(); ++second) {
        std::vector<Device> places(3, device);
        places[first] = places[second] = host;
        UpdateScaleArguments wrong = update_at(places[0], places[1], places[2]);
        wrong.route = "kernel";

        expect_error([&] { session.amp().update_scale(wrong); }, ErrorKind::kError,
                     {names[first], "CUDA tensor"});
      }
    }
  }).only(DeviceRules::kCuda);

  kernel_case("of_update_scale_check_devices_before_numbers_of_elements", {"AMP-115", "AMP-116"},
              [](Session& session) {
                const Device host = host_of(session);
                const Device device = session.device();
                UpdateScaleArguments wrong = update_at(device, device, host);
                wrong.tracker = on(i64({1, 2}), device);
                wrong.route = "kernel";

                expect_error([&] { session.amp().update_scale(wrong); }, ErrorKind::kError,
                             {"found_inf", "CUDA tensor"});
              })
      .only(DeviceRules::kCuda);

  kernel_case("of_unscale_check_devices_in_order", {"AMP-401"}, [](Session& session) {
    const Device host = host_of(session);
    const Device device = session.device();
    const auto call = [&](const Device& inverse, const Device& flag, const Device& grad) {
      UnscaleArguments wrong =
          unscale_at({on(f32({4}), device), on(f32({4}), grad)}, flag, inverse);
      wrong.route = "kernel";
      session.amp().unscale(wrong);
    };

    expect_error([&] { call(host, device, device); }, ErrorKind::kError,
                 {"inv_scale", "CUDA tensor"});
    expect_error([&] { call(host, host, host); }, ErrorKind::kError, {"inv_scale", "CUDA tensor"});
    expect_error([&] { call(device, host, host); }, ErrorKind::kError,
                 {"found_inf", "CUDA tensor"});
    expect_error([&] { call(device, device, host); }, ErrorKind::kError,
                 {"scaled_grads", "CUDA tensor"});
  }).only(DeviceRules::kCuda);

  kernel_case("of_unscale_check_each_gradients_device_and_layout", {"AMP-401"},
              [](Session& session) {
                const Device first = session.device(0);
                const Value here = on(f32({4}), first);
                const auto call = [&](const Value& grad) {
                  UnscaleArguments wrong = unscale_at({here, grad}, first, first);
                  wrong.route = "kernel";
                  session.amp().unscale(wrong);
                };

                expect_error([&] { call(on(f32({4}), session.device(1))); }, ErrorKind::kError,
                             {"scaled_grads", "same device"});
                expect_error([&] { call(sparse_grad(Dtype::kFloat32)); }, ErrorKind::kError,
                             {"scaled_grads", "strided"});
              })
      .only(DeviceRules::kCuda);

  kernel_case("of_unscale_check_scalars_before_gradients", {"AMP-401"}, [](Session& session) {
    const Device host = host_of(session);
    const Device device = session.device();
    UnscaleArguments wrong = unscale_at({on(f32({4}), host)}, device, device);
    wrong.found_inf = on(scalar_of(Dtype::kFloat64, 0), device);
    wrong.route = "kernel";

    expect_error([&] { session.amp().unscale(wrong); }, ErrorKind::kError, {"found_inf", "float"});
  }).only(DeviceRules::kCuda);
}

}  // namespace assay::suites
