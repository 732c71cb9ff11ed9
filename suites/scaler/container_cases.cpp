// scale() of containers, lazy sequences and invalid types, and copies of the scale.
#include "harness/suite/reading.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {
namespace {

Value one(float value) { return f32({value}); }

Value on_device(const Session& subject, float value, int device) {
  return on(f32({value}), subject.device(device));
}

}  // namespace

CASES("scaler/containers") {
  scaling("nested_lists_keep_their_structure", {"SCL-109"}, [](Session& subject) {
    auto scaler = ready(subject);

    const Value result = scaler.scale(
        List{{List{{one(1), one(2)}}, List{{List{{one(3)}}, List{{one(4), one(5)}}}}}});

    expect_bits(result, List{{List{{one(65536), one(131072)}},
                              List{{List{{one(196608)}}, List{{one(262144), one(327680)}}}}}});
  });

  scaling("tuples_stay_tuples_and_lists_stay_lists", {"SCL-109"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    const Value result = scaler.scale(Tuple{{one(1), List{{one(2), Tuple{{one(3)}}}}}});

    expect_bits(result, Tuple{{one(4), List{{one(8), Tuple{{one(12)}}}}}});
  });

  scaling("tensors_of_several_elements_are_scaled_whole", {"SCL-109"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    const Value result = scaler.scale(
        List{{f32({1, 3, 5}), Tuple{{shaped(f32({1, 2, 3, 4}), {2, 2}), f64({2, 7})}}}});

    expect_bits(result, List{{f32({4, 12, 20}),
                              Tuple{{shaped(f32({4, 8, 12, 16}), {2, 2}), f64({8, 28})}}}});
  });

  scaling("a_named_tuple_cannot_be_rebuilt", {"SCL-109"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    expect_error(
        [&] {
          scaler.scale(NamedTuple{"Pair", {{"a", one(1)}, {"b", one(2)}}});
        },
        ErrorKind::kType);
  });

  scaling("a_lazy_sequence_is_scaled_as_it_is_consumed", {"SCL-110"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});

    const Value lazy = scaler.scale(Lazy{{one(1), one(3)}}, "lazy");
    expect_true(lazy.is<Opaque>() || lazy.is<Ref>(), "a lazy sequence, not a container");
    expect_no_tensors(scaler);

    expect_bits(subject.scaler().next("lazy").result, one(4));
    expect_scale_bits(scaler, 0x40800000);
    expect_bits(subject.scaler().next("lazy").result, one(12));
    expect_true(subject.scaler().next("lazy").done, "the sequence ends after two elements");
  });

  scaling("a_lazy_sequence_keeps_the_scale_of_its_first_element", {"SCL-110"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4});
            scaler.scale(Lazy{{one(1), one(1)}}, "lazy");

            const Value first = subject.scaler().next("lazy").result;
            scaler.update(100.0);
            const Value second = subject.scaler().next("lazy").result;

            expect_bits(first, one(4));
            expect_bits(second, one(4));
            expect_bits(scaler.scale(one(1)), one(100));
          });

  scaling("a_lazy_sequence_takes_the_scale_when_it_is_first_consumed", {"SCL-110"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            scaler.scale(Lazy{{one(1)}}, "lazy");

            scaler.update(100.0);

            expect_bits(subject.scaler().next("lazy").result, one(100));
          });

  scaling("an_unconsumed_lazy_sequence_leaves_the_scaler_unusable", {"SCL-110", "SCL-201"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4});
            auto optimizer = sgd(subject, {parameter(subject, 1, 8)});
            scaler.scale(Lazy{{one(1)}}, "lazy");

            expect_error([&] { scaler.unscale_(optimizer); }, ErrorKind::kAssertion,
                         {"unscale_", "_scale is None", "scale("});
          });

  scaling("an_element_of_a_wrong_type_is_found_when_it_is_consumed", {"SCL-110", "SCL-112"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4});
            scaler.scale(Lazy{{one(1), 5}}, "lazy");
            subject.scaler().next("lazy");

            expect_error([&] { subject.scaler().next("lazy"); }, ErrorKind::kValue,
                         {"Tensor", "iterable"});
          });

  scaling("a_container_inside_a_lazy_sequence_keeps_its_kind", {"SCL-110", "SCL-109"},
          [](Session& subject) {
            auto scaler = ready(subject, {.init_scale = 4});
            scaler.scale(Lazy{{Tuple{{one(1), one(2)}}}}, "lazy");

            expect_bits(subject.scaler().next("lazy").result, Tuple{{one(4), one(8)}});
          });

  scaling("text_is_an_iterable_and_nothing_is_scaled", {"SCL-111"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});

    const Value result = scaler.scale("loss", "lazy");

    expect_true(result.is<Opaque>() || result.is<Ref>(), "a lazy sequence");
    expect_no_tensors(scaler);
  });

  scaling("a_mapping_iterates_its_keys", {"SCL-111"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});
    scaler.scale(Dict{{{7, one(1)}}}, "lazy");

    expect_no_tensors(scaler);
    expect_error([&] { subject.scaler().next("lazy"); }, ErrorKind::kValue, {"Tensor", "iterable"});
  });

  scaling("what_is_neither_tensor_nor_iterable_is_refused", {"SCL-112"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});
    for (const Value& wrong : {Value(), Value(5.0), Value(5), Value(true)}) {
      const ScopedTrace at(std::string(kind_of(wrong)));
      expect_error([&] { scaler.scale(wrong); }, ErrorKind::kValue, {"Tensor", "iterable"});
      expect_error([&] { scaler.scale(Tuple{{wrong}}); }, ErrorKind::kValue,
                   {"Tensor", "iterable"});
    }
    expect_no_tensors(scaler);
  });

  scaling("tensors_ahead_of_the_wrong_one_have_initialised_the_scale", {"SCL-112"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 4});

            expect_error(
                [&] {
                  scaler.scale(List{{one(1), 5}});
                },
                ErrorKind::kValue, {"Tensor", "iterable"});

            expect_scale_bits(scaler, 0x40800000);
          });

  scaling("tensors_behind_the_wrong_one_are_not_reached", {"SCL-112"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});

    expect_error(
        [&] {
          scaler.scale(List{{5, one(1)}});
        },
        ErrorKind::kValue, {"Tensor", "iterable"});

    expect_no_tensors(scaler);
  });

  scaling("empty_containers_do_not_initialise_the_scale", {"SCL-113", "SCL-304"},
          [](Session& subject) {
            auto scaler = subject.scaler().make({.init_scale = 0.1});
            auto optimizer = sgd(subject, {parameter(subject, 1, 8)});

            expect_equal(scaler.scale(List{}), List{});
            expect_equal(scaler.scale(Tuple{}), Tuple{});
            expect_equal(scaler.scale(List{{Tuple{}, List{}}}), List{{Tuple{}, List{}}});

            expect_no_tensors(scaler);
            expect_bits(scaler.get_scale(), 0.1);
            expect_error([&] { scaler.step(optimizer); }, ErrorKind::kAssertion, {"step"});
          });

  scaling("one_call_copies_the_scale_once_to_each_device", {"SCL-114"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    List outputs;
    for (int i = 0; i < 6; ++i) outputs.items.push_back(on_device(subject, 1, i % 2));

    subject.count();
    scaler.scale(outputs);

    expect_true(subject.counted("copies") <= 2, "at most one copy of the scale for each device");
    expect_true(subject.counted("copies") >= 1, "the other device needs a copy");
  }).only(DeviceRules::kCuda);

  scaling("a_single_tensor_at_home_needs_no_copy", {"SCL-114"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});

    subject.count();
    scaler.scale(one(1));

    expect_equal(subject.counted("copies"), std::int64_t{0});
  });

  scaling("copies_of_the_scale_die_with_the_call", {"SCL-114"}, [](Session& subject) {
    auto scaler = ready(subject, {.init_scale = 4});
    const List outputs{{on_device(subject, 1, 0), on_device(subject, 1, 1)}};
    scaler.scale(outputs);

    scaler.update(8.0);

    expect_bits(scaler.scale(outputs), List{{on_device(subject, 8, 0), on_device(subject, 8, 1)}});
  }).only(DeviceRules::kCuda);

  conformance("release_1_13_scales_nothing_on_a_cpu", {"SCL-115"}, [](Session& subject) {
    auto scaler = subject.scaler().construct({.init_scale = 4, .cuda_available = true});

    expect_error([&] { scaler.scale(on(f32({1}), Device{"cpu", -1})); }, ErrorKind::kAssertion);
  }).until(Release::k1_13);

  conformance("tensors_of_any_device_are_scaled", {"SCL-115"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.init_scale = 4});
    const TensorValue input = on(f32({3}), Device{"cpu", -1});

    expect_bits(scaler.scale(input), f32({12}));
    expect_equal(tensor_in(scaler.tensors().scale).device.type, "cpu");
  }).since(Release::k2_4);

  scaling("a_disabled_scaler_returns_the_very_tensor", {"SCL-116"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.enabled = false});
    const Tensor x(subject, f32({3}));

    expect_equal(scaler.scale(x), Ref{x.name()});
    expect_equal(scaler.scale(List{{x, Tuple{{x}}}}), List{{x, Tuple{{x}}}});
  });

  scaling("a_disabled_scaler_returns_what_is_not_a_tensor", {"SCL-116"}, [](Session& subject) {
    auto scaler = subject.scaler().make({.enabled = false});

    for (const Value& any : {Value(), Value(5), Value("loss"), Value(0.5)}) {
      expect_equal(scaler.scale(any), any);
    }
  });
}

}  // namespace assay::suites
