// The maximum cost of a step in launches, copies and host reads.
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

/// The device operations of the last command.
std::int64_t device_operations(const Session& subject) {
  return subject.counted("launches") + subject.counted("copies");
}

void expect_at_most(std::int64_t got, std::int64_t most, const std::string& what,
                    Where where = Where::current()) {
  expect_true(got <= most,
              what + ": " + std::to_string(got) + " is at most " + std::to_string(most), where);
}

}  // namespace

CASES("scaler/budget") {
  scaling("a_plain_step_reads_each_device_once", {"SCL-312"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, 8), parameter(subject, f64({1}), f64({8})),
                                   parameter(subject, 1, 8)});
    scaler.unscale_(optimizer);

    subject.count();
    scaler.step(optimizer);

    expect_equal(subject.counted("host_reads"), std::int64_t{1});
  });

  scaling("a_plain_step_on_two_devices_reads_twice", {"SCL-312"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, 8, subject.device(0)),
                                   parameter(subject, 1, 8, subject.device(1))});

    subject.count();
    scaler.step(optimizer);

    expect_equal(subject.counted("host_reads"), std::int64_t{2});
  }).only(DeviceRules::kCuda);

  scaling("a_scaling_aware_step_reads_nothing", {"SCL-312", "SCL-609"}, [](Session& subject) {
    for (const float grad : {8.0F, kInf}) {
      auto scaler = ready(subject, {.init_scale = 4});
      auto optimizer = scaling_aware(subject, {parameter(subject, 1, grad)}, [](Session& inside) {
        inside.send("value", {{"value", 42}});
      });

      subject.count();
      scaler.step(optimizer);

      expect_equal(subject.counted("host_reads"), std::int64_t{0});
      subject.count(false);
    }
  }).since(Release::k2_4);

  scaling("a_fused_step_and_its_update_read_nothing", {"SCL-609", "SCL-413"}, [](Session& subject) {
    for (const float grad : {8.0F, kInf}) {
      auto scaler = ready(subject, {.init_scale = 4});
      auto optimizer = sgd(subject, {parameter(subject, 1, grad)}, 0.25, "fused");

      subject.count();
      scaler.step(optimizer);
      expect_equal(subject.counted("host_reads"), std::int64_t{0});
      scaler.update();
      expect_equal(subject.counted("host_reads"), std::int64_t{0});
      subject.count(false);
    }
  }).since(Release::k2_4);

  scaling("scaling_is_one_multiplication", {"SCL-313"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});

    subject.count();
    scaler.scale(f32({1}));
    expect_at_most(device_operations(subject), 3, "operations of the first scale()");
    scaler.scale(f32({1}));
    expect_at_most(device_operations(subject), 1, "operations of a later scale()");
  });

  scaling("unscaling_is_seven_operations_and_one_more_for_each_dtype", {"SCL-313"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            auto first = sgd(subject, {parameter(subject, 1, 8), parameter(subject, 1, 8)});
            auto second =
                sgd(subject, {parameter(subject, 1, 8), parameter(subject, f64({1}), f64({8}))});

            subject.count();
            scaler.unscale_(first);
            expect_at_most(device_operations(subject), 7, "operations of unscale_()");
            scaler.unscale_(second);
            expect_at_most(device_operations(subject), 8, "operations with a second dtype");
          });

  scaling("a_further_device_is_one_call_and_two_copies", {"SCL-313"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    auto optimizer = sgd(subject, {parameter(subject, 1, 8, subject.device(0)),
                                   parameter(subject, 1, 8, subject.device(1))});

    subject.count();
    scaler.unscale_(optimizer);
    expect_at_most(device_operations(subject), 10, "operations of unscale_() on two devices");
    scaler.step(optimizer);
    scaler.update();
    expect_at_most(device_operations(subject), 3, "operations of update() on two devices");
  }).only(DeviceRules::kCuda);

  scaling("an_update_is_one_launch", {"SCL-313"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    scaler.unscale_(sgd(subject, {parameter(subject, 1, 8)}));

    subject.count();
    scaler.update();

    expect_at_most(device_operations(subject), 1, "operations of update()");
  });
}

}  // namespace assay::suites
