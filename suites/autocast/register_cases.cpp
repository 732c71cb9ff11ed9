// Rules for custom operators, and kernels registered at an autocast key directly.
#include "harness/suite/reading.hpp"
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

/// A custom CPU operator that returns its first tensor.
std::string first_of(Session& subject, const Target& target) {
  return define(subject, target,
                {"first(Tensor x, Tensor y) -> Tensor", {{"behaviour", "return"}}});
}

/// Whether the operator has a rule for this device type.
bool has_rule_for(Session& subject, const std::string& op, const std::string& device) {
  const Reply reply = subject.send(
      "dispatch.registrations",
      {{"key", subject.autocast().key(device)}, {"namespace", op.substr(0, op.find(':'))}});
  for (const Value& item : field_as<List>(reply, "result").items) {
    if (held_in<std::string>(item) == op) return true;
  }
  return false;
}

/// A custom operator with a rule, whose kernel turns autocast of a third device on and returns
/// whether it is on then.
std::string turning_on_a_third(Session& subject, const Target& target) {
  const Fields kernel = calling(subject, [&](Session& inner) {
    inner.autocast().set_enabled(true, third_device(target));
    inner.autocast().is_enabled(third_device(target));
  });
  const std::string op = define(subject, target, {"turns_on(Tensor x) -> bool", kernel});
  subject.autocast().register_op(op, target.type, Dtype::kFloat32);
  return op;
}

}  // namespace

CASES("autocast/register") {
  conformance("a_custom_rule_has_a_type_of_its_own", {"CAST-801"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = first_of(subject, target);
    subject.autocast().register_op(op, target.type, Dtype::kFloat32);
    const std::vector<Value> args = {matrix(target, target.low), matrix(target, target.other)};

    inside(subject, target, [&] { expect_equal(call(subject, op, args).reached(), "ff"); });
  }).since(Release::k2_11);

  conformance("outside_of_a_region_it_does_nothing", {"CAST-801"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = first_of(subject, target);
    subject.autocast().register_op(op, target.type, Dtype::kFloat32);
    const std::vector<Value> args = {matrix(target, target.low), matrix(target, target.low)};

    expect_equal(call(subject, op, args).reached(), letters_of({target.low, target.low}));
  }).since(Release::k2_11);

  conformance("it_does_not_follow_the_regions_type", {"CAST-801"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = first_of(subject, target);
    subject.autocast().register_op(op, target.type, target.low);

    inside(subject, {.device = target.type, .dtype = target.other}, [&] {
      expect_equal(call(subject, op, operands(target, "fd")).reached(),
                   letters_of({target.low}) + "d");
    });
  }).since(Release::k2_11);

  conformance("it_takes_two_devices_only", {"CAST-801"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const std::string op = first_of(subject, target);
                for (const Value& device : {Value("xpu"), Value("nosuch"), Value(7)}) {
                  expect_error([&] { subject.autocast().register_op(op, device, Dtype::kFloat32); },
                               ErrorKind::kValue, {});
                }
              })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("it_takes_every_device_type_with_autocast", {"CAST-801"}, [](Session& subject) {
    const Target target = target_of(subject);
    for (const std::string type : {"cpu", "cuda", "xpu", "ipu", "hpu", "mps"}) {
      const ScopedTrace at(type);
      const std::string op = define(
          subject, target, {"of_" + type + "(Tensor x) -> Tensor", {{"behaviour", "return"}}});

      subject.autocast().register_op(op, type, Dtype::kFloat32);

      for (const std::string other : {"cpu", "cuda", "xpu", "ipu", "hpu", "mps"}) {
        expect_equal(has_rule_for(subject, op, other), other == type);
      }
    }
  }).since(Release::k2_13);

  conformance("what_is_no_device_type_with_autocast_is_refused", {"CAST-801"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const std::string op = first_of(subject, target);
                const auto expect_refused = [&](const Value& device, ErrorKind kind) {
                  const auto* text = device.get_if<std::string>();
                  const ScopedTrace at(text == nullptr ? "no text" : *text);
                  expect_error([&] { subject.autocast().register_op(op, device, Dtype::kFloat32); },
                               kind, {});
                };
                for (const char* type : {"meta", "vulkan", "hip"}) {
                  expect_refused(type, ErrorKind::kValue);
                }
                for (const char* text : {"nosuch", "cpu:0"}) {
                  expect_refused(text, ErrorKind::kError);
                }
                expect_refused(7, ErrorKind::kType);
              })
      .since(Release::k2_13);

  conformance("pytorch_does_not_find_the_keys_of_three_devices", {"CAST-801"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const std::string op = first_of(subject, target);
                for (const char* type : {"xla", "mtia", "maia"}) {
                  const ScopedTrace at(type);
                  expect_error([&] { subject.autocast().register_op(op, type, Dtype::kFloat32); },
                               ErrorKind::kAttribute, {});
                }
              })
      .since(Release::k2_13)
      .only(Deviations::kCompat);

  conformance("the_keys_of_all_devices_are_found", {"CAST-801"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const std::string op = first_of(subject, target);
                for (const char* type : {"xla", "mtia", "maia"}) {
                  const ScopedTrace at(type);
                  subject.autocast().register_op(op, type, Dtype::kFloat32);

                  expect_true(has_rule_for(subject, op, type), "it has a rule");
                }
              })
      .since(Release::k2_13)
      .only(Deviations::kStrict);

  conformance(
      "neither_cpu_nor_cuda_is_on_inside", {"CAST-802"},
      [](Session& subject) {
        const Target target = target_of(subject);
        for (const std::string& asked : {std::string("cpu"), std::string("cuda")}) {
          const ScopedTrace at(asked);
          const Fields kernel =
              calling(subject, [&](Session& inner) { inner.autocast().is_enabled(asked); });
          const std::string op =
              define(subject, target, {"state_" + asked + "(Tensor x) -> bool", kernel});
          subject.autocast().register_op(op, target.type, Dtype::kFloat32);
          subject.autocast().set_enabled(true, "cpu");
          subject.autocast().set_enabled(true, "cuda");

          expect_equal(call(subject, op, {matrix(target, Dtype::kFloat32)}).result(), false);
          expect_true(subject.autocast().is_enabled(asked), "autocast is on after the call");
        }
      })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("only_its_own_device_is_off_inside", {"CAST-802"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::vector<std::string> devices = {"cpu", "cuda", third_device(target)};
    for (const std::string& asked : devices) {
      const ScopedTrace at(asked);
      const Fields kernel =
          calling(subject, [&](Session& inner) { inner.autocast().is_enabled(asked); });
      const std::string op =
          define(subject, target, {"own_" + asked + "(Tensor x) -> bool", kernel});
      subject.autocast().register_op(op, target.type, Dtype::kFloat32);
      for (const std::string& device : devices) {
        subject.autocast().set_enabled(true, device);
      }

      expect_equal(call(subject, op, {matrix(target, Dtype::kFloat32)}).result(),
                   asked != target.type);
      expect_true(subject.autocast().is_enabled(asked), "autocast is on after the call");
    }
  }).since(Release::k2_13);

  conformance("what_its_kernel_turns_on_stays_on", {"CAST-112"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const std::string op = turning_on_a_third(subject, target);

                inside(subject, target, [&] {
                  expect_equal(call(subject, op, {matrix(target, Dtype::kFloat32)}).result(), true);
                  expect_true(subject.autocast().is_enabled(third_device(target)),
                              "it is still on after the call");
                });
              })
      .since(Release::k2_11)
      .until(Release::k2_11);

  conformance("what_its_kernel_turns_on_is_off_after_the_call", {"CAST-112"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = turning_on_a_third(subject, target);

    inside(subject, target, [&] {
      expect_equal(call(subject, op, {matrix(target, Dtype::kFloat32)}).result(), true);
      expect_false(subject.autocast().is_enabled(third_device(target)), "it is off after the call");
      expect_true(subject.autocast().is_enabled(target.type), "its own is on again");
    });
  }).since(Release::k2_12);

  conformance("keyword_only_arguments_are_refused", {"CAST-803"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = define(
        subject, target, {"worded(Tensor x, *, int n) -> Tensor", {{"behaviour", "return"}}});
    inside(subject, target, [&] {
      expect_error(
          [&] {
            subject.autocast().register_op(op, target.type, Dtype::kFloat32);
            call(subject, op, {matrix(target, Dtype::kFloat32), 1});
          },
          ErrorKind::kAssertion, {});
    });
  }).since(Release::k2_11);

  conformance("another_devices_registration_leaves_the_first", {"CAST-804"}, [](Session& subject) {
    const Target cpu = cpu_target();
    const std::string op = first_of(subject, cpu);
    subject.autocast().register_op(op, "cpu", Dtype::kFloat32);
    subject.autocast().register_op(op, "cuda", Dtype::kFloat16);

    inside(subject, cpu,
           [&] { expect_equal(call(subject, op, operands(cpu, "bb")).reached(), "ff"); });
  }).since(Release::k2_11);

  conformance("a_second_registration_for_one_device_is_refused", {"CAST-804"},
              [](Session& subject) {
                const Target cpu = cpu_target();
                const std::string op = first_of(subject, cpu);
                subject.autocast().register_op(op, "cpu", Dtype::kFloat32);

                expect_error([&] { subject.autocast().register_op(op, "cpu", Dtype::kFloat16); },
                             ErrorKind::kError, {"already"});

                inside(subject, cpu, [&] {
                  expect_equal(call(subject, op, operands(cpu, "bb")).reached(), "ff");
                });
              })
      .since(Release::k2_11)
      .until(Release::k2_12);

  conformance("a_second_registration_for_one_device_takes_its_place", {"CAST-804"},
              [](Session& subject) {
                const Target cpu = cpu_target();
                const std::string op = first_of(subject, cpu);
                const auto reached = [&] {
                  return call(subject, op, operands(cpu, "bb")).reached();
                };
                subject.autocast().register_op(op, "cpu", Dtype::kFloat32);
                const Ref second = subject.autocast().register_op(op, "cpu", Dtype::kFloat16);

                inside(subject, cpu, [&] {
                  expect_equal(reached(), "hh");
                  subject.drop(second.name);
                  expect_equal(reached(), "ff");
                });
              })
      .since(Release::k2_13);

  conformance("it_never_uses_the_cache", {"CAST-805"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = first_of(subject, target);
    subject.autocast().register_op(op, target.type, target.low);
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    const Ref low = subject.core().tensor(matrix(target, target.low));

    inside(subject, target, [&] {
      expect_equal(call(subject, op, {weight, low}).reached(),
                   letters_of({target.low, target.low}));
      call(subject, op, {weight, low});
      // A cached weight would need no conversion here.
      expect_equal(conversions(subject, [&] { mm(subject, low, weight); }), 1);
    });
  }).since(Release::k2_11);

  conformance("a_librarys_own_kernel_must_exclude_the_key", {"CAST-806"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = first_of(subject, target);
    const Ref kernel{subject.fresh_name("kernel")};
    subject.send("dispatch.kernel", {{"behaviour", "call"}}, kernel.name);
    const std::string key = subject.autocast().key(target.type);
    subject.send("dispatch.impl", {{"op", op}, {"kernel", kernel}, {"key", key}},
                 subject.fresh_name("impl"));

    inside(subject, target, [&] {
      const Called called = call(subject, op, operands(target, "ff"));
      std::int64_t count = 0;
      for (const KernelRun& run : called.ran()) count += run.key == key ? 1 : 0;
      expect_equal(count, 1);
      expect_equal(called.reached(), "ff");
    });
  });
}

}  // namespace assay::suites
