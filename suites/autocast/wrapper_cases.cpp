// The wrapper around a call: which keys it excludes, which state it reads and when, what it keeps.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

/// A wrapped operator whose kernel returns whether autocast is enabled.
std::string wrapped_probe(Session& subject, const Target& target, const std::string& asked) {
  const Fields kernel =
      calling(subject, [&](Session& inner) { inner.autocast().is_enabled(asked); });
  const std::string op = define(subject, target, {"probe(Tensor x) -> bool", kernel});
  subject.autocast().wrap("lower_precision_fp", op, target.type);
  return op;
}

/// An operator that returns the first of two tensors, wrapped for each of the devices.
std::string wrapped_pair(Session& subject, const Target& target,
                         const std::vector<std::string>& devices) {
  const std::string op =
      define(subject, target, {"pair(Tensor a, Tensor b) -> Tensor", {{"behaviour", "return"}}});
  for (const std::string& device : devices) {
    subject.autocast().wrap("lower_precision_fp", op, device);
  }
  return op;
}

std::int64_t runs_at(const Called& called, std::string_view key) {
  std::int64_t count = 0;
  for (const KernelRun& run : called.ran()) count += run.key == key ? 1 : 0;
  return count;
}

}  // namespace

CASES("autocast/wrapper") {
  conformance("its_own_key_is_excluded_while_it_runs", {"CAST-112"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = wrapped_probe(subject, target, target.type);

    inside(subject, target, [&] {
      expect_equal(call(subject, op, {matrix(target, Dtype::kFloat32)}).result(), false);
      expect_true(subject.autocast().is_enabled(target.type), "autocast is on after the call");
    });
  });

  conformance("another_devices_key_is_not", {"CAST-112"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = wrapped_probe(subject, target, "cpu");

    inside(subject, target, [&] {
      inside(subject, cpu_target(), [&] {
        expect_equal(call(subject, op, {matrix(target, Dtype::kFloat32)}).result(), true);
      });
    });
  }).only(DeviceRules::kCuda);

  conformance("a_kernel_turns_another_device_on_for_the_call", {"CAST-112"}, [](Session& subject) {
    const Target target = target_of(subject);
    const bool ends = subject.contract().release >= Release::k2_12;
    const Fields kernel = calling(subject, [&](Session& inner) {
      inner.autocast().set_enabled(true, third_device(target));
      inner.autocast().is_enabled(third_device(target));
    });
    const std::string op = define(subject, target, {"turns_on(Tensor x) -> bool", kernel});
    subject.autocast().wrap("lower_precision_fp", op, target.type);

    inside(subject, target, [&] {
      expect_equal(call(subject, op, {matrix(target, Dtype::kFloat32)}).result(), true);
      expect_equal(subject.autocast().is_enabled(third_device(target)), !ends);
      expect_true(subject.autocast().is_enabled(target.type), "autocast is on after the call");
    });
  });

  conformance("listed_operators_inside_are_not_cast_again", {"CAST-112"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref plain = subject.core().tensor(matrix(target, Dtype::kFloat32));
    const Fields kernel = calling(subject, [&](Session& inner) { mm(inner, plain, plain); });
    const std::string op = define(subject, target, {"nested(Tensor x) -> Tensor", kernel});
    subject.autocast().wrap("fp32", op, target.type);

    inside(subject, target, [&] {
      expect_dtype(subject, call(subject, op, {matrix(target, target.low)}).result(),
                   Dtype::kFloat32);
    });
  });

  conformance("an_exception_puts_the_key_back", {"CAST-112", "CAST-305"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op =
        define(subject, target,
               {"fails(Tensor x) -> Tensor",
                {{"behaviour", "raise"}, {"kind", "value"}, {"message", "no such thing"}}});
    subject.autocast().wrap("lower_precision_fp", op, target.type);

    inside(subject, target, [&] {
      expect_error([&] { call(subject, op, {matrix(target, Dtype::kFloat32)}); }, ErrorKind::kValue,
                   {"no such thing"});
      expect_true(subject.autocast().is_enabled(target.type), "autocast is on after the exception");
    });
  });

  conformance("a_key_that_was_excluded_stays_so", {"CAST-112"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = wrapped_probe(subject, target, target.type);
    const Value keys = List{{subject.autocast().key(target.type), backend_key(target)}};

    const Value inside_kernel =
        field(subject.send(
                  "dispatch.call",
                  {{"op", op}, {"args", List{{matrix(target, Dtype::kFloat32)}}}, {"keys", keys}}),
              "result");

    expect_equal(inside_kernel, false);
    expect_false(subject.autocast().is_enabled(target.type), "the wrapper leaves autocast off");
  });

  conformance("devices_are_independent", {"CAST-113"}, [](Session& subject) {
    const Target cuda = target_of(subject);
    const Target cpu = cpu_target();
    const auto product = [&](const Target& where) {
      const Value matrix_there = matrix(where, Dtype::kFloat32);
      return mm(subject, matrix_there, matrix_there).dtype();
    };

    inside(subject, cuda, [&] {
      expect_equal(product(cuda), cuda.low);
      expect_equal(product(cpu), Dtype::kFloat32);
      inside(subject, cpu, [&] {
        expect_equal(product(cuda), cuda.low);
        expect_equal(product(cpu), cpu.low);
      });
    });
    inside(subject, cpu, [&] { expect_equal(product(cuda), Dtype::kFloat32); });
  }).only(DeviceRules::kCuda);

  conformance("a_call_with_two_devices_runs_two_wrappers", {"CAST-113"}, [](Session& subject) {
    const Target cuda = target_of(subject);
    const Target cpu = cpu_target();
    const std::string op = wrapped_pair(subject, cuda, {"cuda", "cpu"});
    const std::vector<Value> args = {matrix(cuda, Dtype::kFloat32), matrix(cpu, Dtype::kFloat32)};
    const auto reached = [&] { return call(subject, op, args).reached(); };

    inside(subject, cuda, [&] {
      expect_equal(reached(), "hf");
      inside(subject, cpu, [&] { expect_equal(reached(), "hb"); });
    });
    inside(subject, cpu, [&] { expect_equal(reached(), "fb"); });
  }).only(DeviceRules::kCuda);

  conformance("the_wrapper_of_cuda_runs_before_that_of_the_cpu", {"CAST-113"},
              [](Session& subject) {
                const Target cuda = target_of(subject);
                const Target cpu = cpu_target();
                const std::string op = wrapped_pair(subject, cuda, {"cpu", "cuda"});
                std::vector<std::string> keys;

                inside(subject, cuda, [&] {
                  inside(subject, cpu, [&] {
                    const Called called = call(
                        subject, op, {matrix(cuda, Dtype::kFloat32), matrix(cpu, Dtype::kFloat32)});
                    for (const KernelRun& run : called.ran()) {
                      if (run.key.starts_with("Autocast")) keys.push_back(run.key);
                    }
                  });
                });

                expect_equal(static_cast<std::int64_t>(keys.size()), 2);
                expect_equal(keys.at(0), "AutocastCUDA");
                expect_equal(keys.at(1), "AutocastCPU");
              })
      .only(DeviceRules::kCuda);

  conformance("an_unlisted_operator_falls_through", {"CAST-114"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      const Called called = call(subject, "aten::relu", {matrix(target, Dtype::kFloat32)});
      expect_equal(called.dtype(), Dtype::kFloat32);
    });
  });

  conformance("inside_a_composite_operator_autocast_stays_on", {"CAST-114"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Fields kernel = calling(subject, [](Session& inner) { mm(inner, Ref{"$0"}, Ref{"$0"}); });
    const std::string op =
        define(subject, target, {"made(Tensor x) -> Tensor", kernel, "CompositeImplicitAutograd"});

    inside(subject, target, [&] {
      const Called called = call(subject, op, {matrix(target, Dtype::kFloat32)});
      expect_equal(called.dtype(), target.low);
    });
  });

  conformance("in_place_variants_are_not_wrapped", {"CAST-115"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      const Called called = call(subject, "aten::addmm_", operands(target, "fff"));
      expect_equal(called.dtype(), Dtype::kFloat32);
    });
  });

  conformance("out_variants_are_not_wrapped", {"CAST-115"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      const Called called = call(subject, "aten::mm.out", operands(target, "fff"));
      expect_equal(called.dtype(), Dtype::kFloat32);
    });
  });

  conformance("mixed_types_in_place_are_the_operators_own_error", {"CAST-115"},
              [](Session& subject) {
                const Target target = target_of(subject);
                inside(subject, target, [&] {
                  expect_error([&] { call(subject, "aten::addmm_", operands(target, "ffh")); },
                               ErrorKind::kError, {});
                });
              });

  conformance("it_calls_the_operator_once", {"CAST-303"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = wrapped_pair(subject, target, {target.type});
    inside(subject, target, [&] {
      const Called called = call(subject, op, operands(target, "ff"));
      expect_equal(runs_at(called, subject.autocast().key(target.type)), 1);
      expect_equal(runs_at(called, backend_key(target)), 1);
    });
  });

  conformance("each_argument_is_mapped_once", {"CAST-303"}, [](Session& subject) {
    const Target target = target_of(subject);
    const std::string op = wrapped_pair(subject, target, {target.type});
    const Ref tensor = subject.core().tensor(matrix(target, Dtype::kFloat32));
    inside(subject, target, [&] {
      expect_equal(conversions(subject, [&] { call(subject, op, {tensor, tensor}); }), 2);
    });
  });

  conformance("results_are_not_cast_back", {"CAST-303"}, [](Session& subject) {
    const Target target = target_of(subject);
    inside(subject, target, [&] {
      const Called product =
          mm(subject, matrix(target, Dtype::kFloat32), matrix(target, Dtype::kFloat32));
      expect_equal(product.dtype(), target.low);
      const Called loss =
          call(subject, "aten::mse_loss", operands(target, target.type == "cpu" ? "bb" : "hh"));
      expect_equal(loss.dtype(), Dtype::kFloat32);
    });
  });

  conformance("results_of_every_shape_come_back_unchanged", {"CAST-303"}, [](Session& subject) {
    const Target target = target_of(subject);
    const TensorValue wide = matrix(target, Dtype::kFloat32, 3);
    const Fields kernel{{"behaviour", "value"}, {"values", List{{Value(wide), Value(7)}}}};
    const std::string op = define(subject, target, {"several(Tensor x) -> (Tensor, int)", kernel});
    subject.autocast().wrap("lower_precision_fp", op, target.type);

    inside(subject, target, [&] {
      const Value result = call(subject, op, {matrix(target, Dtype::kFloat32)}).result();
      const List* list = result.get_if<List>();
      expect_true(list != nullptr && list->items.size() == 2, "the result is a pair");
      expect_bits(list->items.at(0), wide);
      expect_equal(list->items.at(1), 7);
    });
  });

  conformance("the_low_type_is_read_at_each_call", {"CAST-304"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Value plain = matrix(target, Dtype::kFloat32);
    inside(subject, target, [&] {
      expect_equal(mm(subject, plain, plain).dtype(), target.low);
      subject.autocast().set_dtype(target.other, target.type);
      expect_equal(mm(subject, plain, plain).dtype(), target.other);
    });
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance(
      "what_was_cached_before_an_exception_stays_cached", {"CAST-305"}, [](Session& subject) {
        const Target target = target_of(subject);
        const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
        inside(subject, target, [&] {
          expect_error(
              [&] {
                mm(subject, of_shape(target, Dtype::kFloat32, {1, 2}), weight);
              },
              ErrorKind::kError, {});
          const std::int64_t count =
              conversions(subject, [&] { mm(subject, matrix(target, Dtype::kFloat32), weight); });
          expect_equal(count, 1);
        });
      });

  conformance("boxed_calls_are_cast_like_unboxed_ones", {"CAST-307"}, [](Session& subject) {
    const Target target = target_of(subject);
    const auto boxed = [&](const char* op, std::vector<Value> args) {
      const Reply reply = subject.send(
          "dispatch.call", {{"op", op}, {"args", List{std::move(args)}}, {"boxed", true}});
      return dtype_of(subject, field(reply, "result"));
    };
    const char low = letters_of({target.low}).at(0);
    inside(subject, target, [&] {
      expect_equal(boxed("aten::mm", operands(target, "ff")), target.low);
      expect_equal(
          boxed("aten::mse_loss", {matrix(target, target.low), matrix(target, target.low), 1}),
          Dtype::kFloat32);
      const std::vector<Value> mixed = operands(target, std::string{'f', low});
      expect_equal(boxed(target.type == "cpu" ? "aten::stack" : "aten::cat", {List{mixed}, 0}),
                   Dtype::kFloat32);
    });
  });

  conformance("with_nothing_to_convert_no_lock_is_taken", {"CAST-308"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref low = subject.core().leaf(matrix(target, target.low));
    const Ref plain = subject.core().tensor(matrix(target, Dtype::kFloat32));
    inside(subject, target, [&] {
      const std::int64_t before = subject.autocast().stat("locks");
      mm(subject, low, low);
      mm(subject, plain, plain);
      expect_equal(subject.autocast().stat("locks") - before, 0);
    });
  });

  conformance("a_cacheable_weight_takes_the_lock", {"CAST-308"}, [](Session& subject) {
    const Target target = target_of(subject);
    const Ref weight = subject.core().leaf(matrix(target, Dtype::kFloat32));
    inside(subject, target, [&] {
      const std::int64_t before = subject.autocast().stat("locks");
      mm(subject, matrix(target, target.low), weight);
      expect_true(subject.autocast().stat("locks") > before, "the cache is used under its lock");
    });
  });

  conformance("an_operator_without_tensors_of_the_device_is_not_reached", {"CAST-1005"},
              [](Session& subject) {
                const Target target = target_of(subject);
                const Fields kernel{{"behaviour", "value"},
                                    {"values", List{{matrix(target, Dtype::kFloat32)}}}};
                const std::string op =
                    define(subject, target,
                           {"make(int n) -> Tensor", kernel, "CompositeExplicitAutograd"});
                subject.autocast().wrap("lower_precision_fp", op, target.type);

                inside(subject, target, [&] {
                  const Called called = call(subject, op, {2});
                  expect_equal(called.dtype(), Dtype::kFloat32);
                  expect_equal(runs_at(called, subject.autocast().key(target.type)), 0);
                });
              });
}

}  // namespace assay::suites
