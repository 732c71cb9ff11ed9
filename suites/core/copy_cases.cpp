// Copies: to() and copy_(), between types, layouts and devices.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

const Device kCpu{"cpu", -1};

TensorValue counting(const Shape& shape) {
  std::vector<double> values;
  TensorValue empty;
  empty.shape = shape;
  for (std::int64_t i = 0; i < empty.numel(); ++i) values.push_back(static_cast<double>(i));
  return shaped(f32(values), shape);
}

TensorValue on_meta(const Shape& shape) {
  TensorValue tensor;
  tensor.shape = shape;
  tensor.device = {"meta", -1};
  return tensor;
}

}  // namespace

CASES("core/to") {
  conformance("returns_the_tensor_itself_when_nothing_changes", {"CORE-21", "CAST-912"},
              [](Session& subject) {
                const Ref x = subject.core().tensor(f32({1, 2}));

                const Ref same_type = subject.core().to(x, {.dtype = Dtype::kFloat32});
                const Ref same_place = subject.core().to(x, {.device = subject.device()});
                const Ref same_format = subject.core().to(x, {.memory_format = "contiguous"});
                const Ref no_copy = subject.core().to(x, {.copy = false});

                for (const Ref& y : {same_type, same_place, same_format, no_copy}) {
                  expect_true(subject.same(x.name, y.name), "it is the tensor itself");
                }
              });

  conformance("copies_when_asked_to", {"CORE-21"}, [](Session& subject) {
    const Ref x = subject.core().tensor(f32({1, 2}));

    const Ref y = subject.core().to(x, {.dtype = Dtype::kFloat32, .copy = true});

    expect_false(subject.alias(x.name, y.name), "the copy has a storage of its own");
    expect_bits(subject.core().read(y), f32({1, 2}));
  });

  conformance(
      "a_converted_tensor_never_shares_its_source", {"CORE-21", "CAST-912"}, [](Session& subject) {
        const Ref x = subject.core().tensor(f32({1, 2}));

        for (const Dtype dtype :
             {Dtype::kFloat16, Dtype::kBfloat16, Dtype::kFloat64, Dtype::kInt32, Dtype::kInt64}) {
          const ScopedTrace at{std::string(name_of(dtype))};
          const Ref y = subject.core().to(x, {.dtype = dtype});

          expect_false(subject.alias(x.name, y.name), "they share no storage");
          expect_bits(subject.core().read(y), tensor_of(dtype, {1, 2}));
          expect_equal(*subject.core().info(y).device, subject.device());
        }
      });

  conformance("keeps_the_strides_of_a_dense_tensor", {"CORE-21", "CAST-912"}, [](Session& subject) {
    const Ref x = subject.core().tensor(counting({2, 3, 4, 5}));
    const Ref permuted =
        subject.core().as_strided(x, {.shape = {2, 4, 5, 3}, .strides = {60, 5, 1, 20}});

    const Ref converted = subject.core().to(permuted, {.dtype = Dtype::kFloat16});
    const Ref copied = subject.core().to(permuted, {.copy = true});

    expect_equal(subject.core().info(converted).strides, {60, 5, 1, 20});
    expect_equal(subject.core().info(copied).strides, {60, 5, 1, 20});
    expect_bits(subject.core().read(copied), subject.core().read(permuted));
    expect_bits(subject.core().storage(copied).elements, shaped(counting({2, 3, 4, 5}), {120}));
  });

  conformance(
      "gives_a_tensor_with_gaps_or_overlap_plain_strides", {"CORE-21", "CAST-912"},
      [](Session& subject) {
        const Ref row = subject.core().tensor(counting({1, 3}));
        const Ref wide = subject.core().expand(row, {4, 3});
        const Ref table = subject.core().tensor(counting({4, 8}));
        const Ref slice = subject.core().as_strided(table, {.shape = {4, 5}, .strides = {8, 1}});

        const Ref from_wide = subject.core().to(wide, {.dtype = Dtype::kFloat16});
        const Ref from_slice = subject.core().to(slice, {.dtype = Dtype::kFloat16});

        expect_equal(subject.core().info(from_wide).strides, {3, 1});
        expect_equal(subject.core().info(from_slice).strides, {5, 1});
        expect_equal(subject.core().storage(from_slice).elements.numel(), 20);
        expect_bits(subject.core().read(from_wide),
                    shaped(f16({0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}), {4, 3}));
      });

  conformance("keeps_the_order_of_dimensions_around_gaps", {"CORE-21"}, [](Session& subject) {
    const Ref all = subject.core().tensor(counting({80}));
    const Ref gaps = subject.core().as_strided(all, {.shape = {3, 2, 4}, .strides = {1, 24, 6}});

    const Ref converted = subject.core().to(gaps, {.dtype = Dtype::kFloat64});
    const Ref copied = subject.core().to(gaps, {.copy = true});

    expect_equal(subject.core().info(converted).strides, {1, 12, 3});
    expect_equal(subject.core().info(copied).strides, {1, 12, 3});
    const auto tidy = [&](const Ref& tensor) {
      return subject.core().read(
          subject.core().to(tensor, {.copy = true, .memory_format = "contiguous"}));
    };
    expect_bits(tidy(copied), tidy(gaps));
  });

  conformance("lays_channels_last_where_asked_to", {"CORE-21"}, [](Session& subject) {
    const Ref x = subject.core().tensor(counting({2, 3, 4, 5}));

    const Ref last = subject.core().to(x, {.memory_format = "channels_last"});
    const Ref again = subject.core().to(last, {.memory_format = "channels_last"});
    const Ref back = subject.core().to(last, {.memory_format = "contiguous"});

    expect_equal(subject.core().info(last).strides, {60, 1, 15, 3});
    expect_bits(subject.core().read(last), strided(counting({2, 3, 4, 5}), {60, 1, 15, 3}));
    expect_true(subject.same(last.name, again.name), "it is in that format already");
    expect_equal(subject.core().info(back).strides, {60, 20, 5, 1});
    expect_bits(subject.core().read(back), counting({2, 3, 4, 5}));
  });

  conformance("channels_last_needs_four_dimensions", {"CORE-21"}, [](Session& subject) {
    const Ref x = subject.core().tensor(counting({2, 3}));
    const auto lay = [&](const Value& tensor) {
      return [&subject, tensor] { subject.core().to(tensor, {.memory_format = "channels_last"}); };
    };

    expect_error(lay(x), ErrorKind::kError);
    expect_error(lay(counting({2, 3, 4})), ErrorKind::kError);
  });

  conformance("nothing_becomes_nothing", {"CAST-912", "CORE-21"}, [](Session& subject) {
    for (const Shape& shape : {Shape{0}, Shape{2, 0, 3}}) {
      const Ref x = subject.core().tensor(counting(shape));
      const Ref y = subject.core().to(x, {.dtype = Dtype::kFloat16});
      const TensorInfo info = subject.core().info(y);

      expect_equal(info.shape, shape);
      expect_equal(info.dtype, Dtype::kFloat16);
      expect_equal(info.numel, 0);
    }
  });

  conformance("goes_to_another_device_and_comes_back", {"CORE-21"}, [](Session& subject) {
    const Ref x = subject.core().tensor(on(counting({3, 2}), subject.device(0)));

    const Ref host = subject.core().to(x, {.device = kCpu});
    const Ref other = subject.core().to(x, {.device = subject.device(1)});
    const Ref converted =
        subject.core().to(x, {.dtype = Dtype::kFloat16, .device = subject.device(1)});

    expect_bits(subject.core().read(host), on(counting({3, 2}), kCpu));
    expect_bits(subject.core().read(other), on(counting({3, 2}), subject.device(1)));
    expect_bits(subject.core().read(converted),
                on(shaped(f16({0, 1, 2, 3, 4, 5}), {3, 2}), subject.device(1)));
  }).only(DeviceRules::kCuda);

  conformance(
      "a_blocking_copy_converts_on_the_host_and_another_on_the_device", {"CORE-21", "CAST-905"},
      [](Session& subject) {
        const Ref nans = subject.core().tensor(on(filled(Dtype::kFloat32, 64, kNaN), kCpu));
        const auto moved = [&](bool non_blocking) {
          const Ref there = subject.core().to(nans, {.dtype = Dtype::kBfloat16,
                                                     .device = subject.device(),
                                                     .non_blocking = non_blocking});
          return subject.core().read(there);
        };

        expect_exact_bits(moved(false),
                          from_bits(Dtype::kBfloat16, std::vector<std::uint64_t>(64, 0xffff)));
        expect_exact_bits(moved(true),
                          from_bits(Dtype::kBfloat16, std::vector<std::uint64_t>(64, 0x7fff)));
      })
      .only(DeviceRules::kCuda);

  conformance(
      "between_numbers_and_integers_values_are_kept_or_cut", {"CORE-21"}, [](Session& subject) {
        const Value fractions = f32({1.5, -1.5, 0.25, 2.75});

        expect_bits(subject.core().convert(fractions, Dtype::kInt32), i32({1, -1, 0, 2}));
        expect_bits(subject.core().convert(fractions, Dtype::kInt64), i64({1, -1, 0, 2}));
        expect_bits(subject.core().convert(fractions, Dtype::kBool), boolean({1, 1, 1, 1}));
        expect_bits(subject.core().convert(f32({0, -0.0, kNaN}), Dtype::kBool), boolean({0, 0, 1}));
        expect_bits(subject.core().convert(i64({2049, 2051}), Dtype::kFloat16), f16({2048, 2052}));
        expect_bits(subject.core().convert(i32({16777217, -16777219}), Dtype::kFloat32),
                    f32({16777216, -16777220}));
        expect_bits(subject.core().convert(boolean({0, 1}), Dtype::kFloat64), f64({0, 1}));
      });
}

CASES("core/copy_") {
  conformance("returns_the_destination", {"CORE-21"}, [](Session& subject) {
    const Ref dst = subject.core().tensor(f32({0, 0}));

    const Ref result = subject.core().copy_(dst, f32({1, 2}));

    expect_true(subject.same(dst.name, result.name), "it returns the destination");
    expect_bits(subject.core().read(dst), f32({1, 2}));
  });

  conformance("broadcasts_the_source", {"CORE-21"}, [](Session& subject) {
    const Ref dst = subject.core().tensor(counting({2, 3}));

    subject.core().copy_(dst, f32({7, 8, 9}));
    expect_bits(subject.core().read(dst), shaped(f32({7, 8, 9, 7, 8, 9}), {2, 3}));

    subject.core().copy_(dst, shaped(f32({1, 2}), {2, 1}));
    expect_bits(subject.core().read(dst), shaped(f32({1, 1, 1, 2, 2, 2}), {2, 3}));

    subject.core().copy_(dst, scalar_of(Dtype::kFloat32, 5));
    expect_bits(subject.core().read(dst), shaped(f32({5, 5, 5, 5, 5, 5}), {2, 3}));
  });

  conformance("keeps_the_destination_s_type_and_strides", {"CORE-21"}, [](Session& subject) {
    const Ref base = subject.core().tensor(f16({9, 9, 9, 9, 9, 9}));
    const Ref dst = subject.core().as_strided(base, {.shape = {3, 2}, .strides = {1, 3}});

    subject.core().copy_(dst, shaped(f32({1, 2, 3, 4, 5, 6}), {3, 2}));
    const TensorInfo info = subject.core().info(dst);

    expect_equal(info.dtype, Dtype::kFloat16);
    expect_equal(info.strides, {1, 3});
    expect_bits(subject.core().read(base), f16({1, 3, 5, 2, 4, 6}));
  });

  conformance("writes_only_the_elements_of_the_view", {"CORE-21"}, [](Session& subject) {
    const Ref base = subject.core().tensor(f32({0, 0, 0, 0, 0}));
    const Ref odd = subject.core().as_strided(base, {.shape = {2}, .strides = {2}, .offset = 1});

    subject.core().copy_(odd, f32({1, 2}));

    expect_bits(subject.core().read(base), f32({0, 1, 0, 2, 0}));
  });

  conformance("bumps_the_version_by_one_even_from_itself", {"CORE-21", "CORE-13"},
              [](Session& subject) {
                const Ref x = subject.core().tensor(f32({1, 2}));
                const std::int64_t before = subject.core().info(x).version;

                subject.core().copy_(x, x);

                expect_equal(subject.core().info(x).version, before + 1);
                expect_bits(subject.core().read(x), f32({1, 2}));
              });

  conformance("what_an_operator_makes_has_not_been_written_to", {"CORE-13"}, [](Session& subject) {
    const Value part = f32({1, 2});
    for (const char* name : {"cat", "stack"}) {
      const ScopedTrace at(name);
      const Ref made{subject.fresh_name("made")};
      subject.send("core.op", {{"name", name}, {"args", List{{List{{part, part}}}}}}, made.name);

      expect_equal(subject.core().info(made).version, 0);
    }
  });

  conformance("leaves_the_source_as_it_was", {"CORE-21"}, [](Session& subject) {
    const Ref src = subject.core().tensor(f32({1, 2}));
    const Ref dst = subject.core().tensor(f16({0, 0}));

    subject.core().copy_(dst, src);
    subject.core().fill_(dst, 3);

    expect_bits(subject.core().read(src), f32({1, 2}));
    expect_equal(subject.core().info(src).version, 0);
  });

  conformance("a_shape_that_does_not_fit_is_refused", {"CORE-21"}, [](Session& subject) {
    const Ref dst = subject.core().tensor(counting({2, 3}));

    expect_error(
        [&] {
          subject.core().copy_(dst, counting({2, 4}));
        },
        ErrorKind::kError, {"3", "4"});
    expect_error([&] { subject.core().copy_(dst, counting({1, 2, 3, 1})); }, ErrorKind::kError);
    expect_error([&] { subject.core().copy_(f32({1}), f32({1, 2})); }, ErrorKind::kError);
    expect_bits(subject.core().read(dst), counting({2, 3}));
  });

  conformance("elements_that_are_one_are_not_written_to", {"CORE-21"}, [](Session& subject) {
    const Ref one = subject.core().tensor(counting({1, 2}));
    const Ref rows = subject.core().expand(one, {3, 2});

    expect_error([&] { subject.core().copy_(rows, counting({3, 2})); }, ErrorKind::kError);
    expect_error([&] { subject.core().add_(rows, 1); }, ErrorKind::kError);
    expect_bits(subject.core().read(one), counting({1, 2}));
    subject.core().fill_(rows, 7);
    expect_bits(subject.core().read(one), shaped(f32({7, 7}), {1, 2}));
    const Ref nothing = subject.core().expand(subject.core().tensor(counting({1, 0})), {3, 0});
    subject.core().copy_(nothing, counting({3, 0}));
    subject.core().copy_(rows, rows);
    expect_bits(subject.core().read(rows),
                strided(shaped(f32({7, 7, 7, 7, 7, 7}), {3, 2}), {0, 1}));
  });

  conformance("another_handle_on_the_same_view_is_itself", {"CORE-21"}, [](Session& subject) {
    const Ref one = subject.core().tensor(counting({1, 2}));
    const Ref rows = subject.core().expand(one, {3, 2});
    const Ref again = subject.core().detach(rows);

    if (subject.contract().release == Release::k1_13) {
      expect_error([&] { subject.core().copy_(rows, again); }, ErrorKind::kError);
      return;
    }
    subject.core().copy_(rows, again);

    expect_bits(subject.core().read(one), counting({1, 2}));
  });

  conformance("what_is_still_to_be_read_is_not_written_to", {"CORE-21"}, [](Session& subject) {
    const Ref all = subject.core().tensor(counting({6}));
    const auto part = [&](std::int64_t offset, std::int64_t size) {
      return subject.core().as_strided(all, {.shape = {size}, .strides = {1}, .offset = offset});
    };

    expect_error([&] { subject.core().copy_(part(1, 3), part(0, 3)); }, ErrorKind::kError);
    expect_error([&] { subject.core().add_(part(0, 3), part(2, 3)); }, ErrorKind::kError);
    expect_bits(subject.core().read(all), counting({6}));
    subject.core().copy_(part(3, 3), part(0, 3));
    expect_bits(subject.core().read(all), f32({0, 1, 2, 0, 1, 2}));
    subject.core().add_(part(0, 3), part(0, 3));
    expect_bits(subject.core().read(all), f32({0, 2, 4, 0, 1, 2}));
  });

  conformance("there_is_nothing_to_copy_from_meta", {"CORE-21", "CORE-23"}, [](Session& subject) {
    const Ref dst = subject.core().tensor(f32({1, 2}));

    expect_error([&] { subject.core().copy_(dst, on_meta({2})); }, ErrorKind::kNotImplemented);
    expect_bits(subject.core().read(dst), f32({1, 2}));
  });

  conformance("crosses_devices_and_keeps_the_destination_s", {"CORE-21"}, [](Session& subject) {
    const Ref dst = subject.core().tensor(on(f16({0, 0}), subject.device(1)));

    subject.core().copy_(dst, on(f32({1, 2}), subject.device(0)));
    expect_bits(subject.core().read(dst), on(f16({1, 2}), subject.device(1)));

    subject.core().copy_(dst, on(f32({3, 4}), kCpu), true);
    expect_bits(subject.core().read(dst), on(f16({3, 4}), subject.device(1)));
  }).only(DeviceRules::kCuda);
}

CASES("core/meta") {
  conformance("a_meta_tensor_has_a_shape_and_no_data", {"CORE-23"}, [](Session& subject) {
    const TensorInfo info = subject.core().info(subject.core().tensor(on_meta({2, 3})));

    expect_equal(*info.device, Device{"meta", -1});
    expect_equal(info.shape, {2, 3});
    expect_equal(info.strides, {3, 1});
    expect_true(info.null, "its data pointer is null");
  });

  conformance("operators_work_out_type_and_shape", {"CORE-23"}, [](Session& subject) {
    TensorValue doubles = on_meta({3});
    doubles.dtype = Dtype::kFloat64;

    const Ref sum = subject.core().op_ref("add", {on_meta({2, 3}), doubles});
    const TensorInfo info = subject.core().info(sum);

    expect_equal(info.shape, {2, 3});
    expect_equal(info.dtype, Dtype::kFloat64);
    expect_equal(*info.device, Device{"meta", -1});
    expect_true(info.null, "the sum's data pointer is null");
  });

  conformance("shapes_that_do_not_fit_are_refused_without_data_too", {"CORE-23"},
              [](Session& subject) {
                expect_error(
                    [&] {
                      subject.core().op("add", {on_meta({2, 3}), on_meta({4})});
                    },
                    ErrorKind::kError, {"3", "4"});
              });

  conformance("no_value_comes_out_of_it", {"CORE-23"}, [](Session& subject) {
    const Ref meta = subject.core().tensor(on_meta({1}));

    const bool is_first = subject.contract().release == Release::k1_13;
    expect_error([&] { subject.core().item(meta); },
                 is_first ? ErrorKind::kNotImplemented : ErrorKind::kError, {"meta"});
    expect_error([&] { subject.core().to(meta, {.device = subject.device()}); },
                 ErrorKind::kNotImplemented);
  });

  conformance("going_to_meta_keeps_the_shape", {"CORE-23"}, [](Session& subject) {
    const Ref meta = subject.core().to(counting({2, 3}), {.device = Device{"meta", -1}});

    expect_equal(subject.core().info(meta).shape, {2, 3});
    expect_true(subject.core().info(meta).null, "its data pointer is null");
  });
}

}  // namespace assay::suites
