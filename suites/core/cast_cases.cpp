// Conversions: rounding, thresholds, infinities, by the vectors of the specification.
#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "suites/formats/formats.hpp"

namespace assay::suites {
namespace {

struct Narrowing {
  std::uint32_t single;
  std::uint16_t half;
  std::uint16_t brain;
};

/// The vectors of section 12.1.
constexpr Narrowing kNarrowing[] = {
    {0x00000000, 0x0000, 0x0000}, {0x80000000, 0x8000, 0x8000}, {0x00000001, 0x0000, 0x0000},
    {0x80000001, 0x8000, 0x8000}, {0x00008000, 0x0000, 0x0000}, {0x00008001, 0x0000, 0x0001},
    {0x00018000, 0x0000, 0x0002}, {0x007fffff, 0x0000, 0x0080}, {0x00800000, 0x0000, 0x0080},
    {0x32ffffff, 0x0000, 0x3300}, {0x33000000, 0x0000, 0x3300}, {0x33000001, 0x0001, 0x3300},
    {0x337fffff, 0x0001, 0x3380}, {0x33800000, 0x0001, 0x3380}, {0x33bfffff, 0x0001, 0x33c0},
    {0x33c00000, 0x0002, 0x33c0}, {0x33c00001, 0x0002, 0x33c0}, {0x34200000, 0x0002, 0x3420},
    {0x387fbfff, 0x03ff, 0x3880}, {0x387fc000, 0x03ff, 0x3880}, {0x387fdfff, 0x03ff, 0x3880},
    {0x387fe000, 0x0400, 0x3880}, {0x387fffff, 0x0400, 0x3880}, {0x38800000, 0x0400, 0x3880},
    {0x38800fff, 0x0400, 0x3880}, {0x38801000, 0x0400, 0x3880}, {0x38801001, 0x0401, 0x3880},
    {0x38803000, 0x0402, 0x3880}, {0x3f7fffff, 0x3c00, 0x3f80}, {0x3f800fff, 0x3c00, 0x3f80},
    {0x3f801000, 0x3c00, 0x3f80}, {0x3f801001, 0x3c01, 0x3f80}, {0x3f803000, 0x3c02, 0x3f80},
    {0x3f807fff, 0x3c04, 0x3f80}, {0x3f808000, 0x3c04, 0x3f80}, {0x3f808001, 0x3c04, 0x3f81},
    {0x3f818000, 0x3c0c, 0x3f82}, {0x3f828000, 0x3c14, 0x3f82}, {0x42c80000, 0x5640, 0x42c8},
    {0x461c4000, 0x70e2, 0x461c}, {0x477fdfff, 0x7bff, 0x4780}, {0x477fe000, 0x7bff, 0x4780},
    {0x477fefff, 0x7bff, 0x4780}, {0x477ff000, 0x7c00, 0x4780}, {0x477ff001, 0x7c00, 0x4780},
    {0x47800000, 0x7c00, 0x4780}, {0xc77fefff, 0xfbff, 0xc780}, {0xc77ff000, 0xfc00, 0xc780},
    {0x4b800001, 0x7c00, 0x4b80}, {0x7f7f0000, 0x7c00, 0x7f7f}, {0x7f7f7fff, 0x7c00, 0x7f7f},
    {0x7f7f8000, 0x7c00, 0x7f80}, {0x7f7fffff, 0x7c00, 0x7f80}, {0xff7fffff, 0xfc00, 0xff80},
    {0x7f800000, 0x7c00, 0x7f80}, {0xff800000, 0xfc00, 0xff80}, {0x3dcccccd, 0x2e66, 0x3dcd},
    {0x3eaaaaab, 0x3555, 0x3eab}, {0x40490fdb, 0x4248, 0x4049}, {0xb3000000, 0x8000, 0xb300},
};

struct Widening {
  std::uint64_t narrow;
  std::uint64_t single;
};

constexpr Widening kFromHalf[] = {
    {0x0000, 0x00000000}, {0x8000, 0x80000000}, {0x0001, 0x33800000}, {0x0002, 0x34000000},
    {0x03ff, 0x387fc000}, {0x83ff, 0xb87fc000}, {0x0400, 0x38800000}, {0x3555, 0x3eaaa000},
    {0x3c00, 0x3f800000}, {0x7bff, 0x477fe000}, {0x7c00, 0x7f800000}, {0xfc00, 0xff800000},
};

TensorValue all_patterns(Dtype dtype) {
  return by_recipe(dtype, 65536, {Recipe::Kind::kCounter, 0, 1, {}});
}

TensorValue expected_patterns(Dtype from, Dtype to) {
  std::vector<std::uint64_t> bits(65536);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = converted_bits(from, to, i);
  return from_bits(to, bits);
}

TensorValue doubles(std::vector<std::uint64_t> bits) { return from_bits(Dtype::kFloat64, bits); }

/// Converts each input alone, then all together, to cover scalar and vectorized code.
void expect_narrowing(Session& subject, Dtype dtype, std::uint16_t Narrowing::*wanted) {
  std::vector<std::uint64_t> inputs;
  std::vector<std::uint64_t> outputs;
  for (const Narrowing& row : kNarrowing) {
    inputs.push_back(row.single);
    outputs.push_back(row.*wanted);
  }

  for (std::size_t i = 0; i < inputs.size(); ++i) {
    expect_bits(subject.core().convert(from_bits(Dtype::kFloat32, {inputs[i]}), dtype),
                from_bits(dtype, {outputs[i]}));
  }
  expect_bits(subject.core().convert(from_bits(Dtype::kFloat32, inputs), dtype),
              from_bits(dtype, outputs));
}

}  // namespace

CASES("core/cast") {
  conformance("float32_becomes_float16_by_rounding_to_nearest_even", {"CAST-901", "CAST-902"},
              [](Session& s) { expect_narrowing(s, Dtype::kFloat16, &Narrowing::half); });

  conformance("float32_becomes_bfloat16_by_rounding_to_nearest_even", {"CAST-903", "CAST-910"},
              [](Session& s) { expect_narrowing(s, Dtype::kBfloat16, &Narrowing::brain); });

  conformance(
      "the_thresholds_of_float16_stand_where_they_should", {"CAST-902"}, [](Session& subject) {
        const TensorValue inputs =
            from_bits(Dtype::kFloat32, {0x477fefff, 0x477ff000, 0x387fdfff, 0x387fe000, 0x33000000,
                                        0x33000001, 0xc77ff000, 0xb3000001});
        const TensorValue outputs = from_bits(
            Dtype::kFloat16, {0x7bff, 0x7c00, 0x03ff, 0x0400, 0x0000, 0x0001, 0xfc00, 0x8001});

        expect_bits(subject.core().convert(inputs, Dtype::kFloat16), outputs);
      });

  conformance(
      "subnormal_float32_survive_in_bfloat16", {"CAST-903", "CAST-910"}, [](Session& subject) {
        const TensorValue inputs = from_bits(
            Dtype::kFloat32,
            {0x00408000, 0x00018000, 0x80008001, 0x007fffff, 0x00400000, 0x00010000, 0x80410000});
        const TensorValue outputs =
            from_bits(Dtype::kBfloat16, {0x0040, 0x0002, 0x8001, 0x0080, 0x0040, 0x0001, 0x8041});

        expect_bits(subject.core().convert(inputs, Dtype::kBfloat16), outputs);
      });

  conformance("the_vectors_of_widening_hold", {"CAST-904"}, [](Session& subject) {
    for (const Widening& row : kFromHalf) {
      expect_bits(subject.core().convert(from_bits(Dtype::kFloat16, {row.narrow}), Dtype::kFloat32),
                  from_bits(Dtype::kFloat32, {row.single}));
    }
    expect_bits(
        subject.core().convert(from_bits(Dtype::kBfloat16, {0x0001, 0x7f80}), Dtype::kFloat32),
        from_bits(Dtype::kFloat32, {0x00010000, 0x7f800000}));
  });

  conformance("every_half_widens_exactly", {"CAST-904", "CAST-907"}, [](Session& subject) {
    for (const Dtype dtype : {Dtype::kFloat16, Dtype::kBfloat16}) {
      expect_bits(subject.core().convert(all_patterns(dtype), Dtype::kFloat32),
                  expected_patterns(dtype, Dtype::kFloat32));
    }
  });

  conformance("every_half_returns_from_float32_as_it_went", {"CAST-904"}, [](Session& subject) {
    for (const Dtype dtype : {Dtype::kFloat16, Dtype::kBfloat16}) {
      const Ref wide = subject.core().to(all_patterns(dtype), {.dtype = Dtype::kFloat32});

      expect_bits(subject.core().convert(wide, dtype), expected_patterns(dtype, dtype));
    }
  });

  conformance(
      "infinities_and_zeros_keep_their_sign_and_raise_nothing", {"CAST-907"}, [](Session& subject) {
        const std::vector<double> values = {kInf, -kInf, 0.0, -0.0};
        const Dtype types[] = {Dtype::kFloat16, Dtype::kBfloat16, Dtype::kFloat32, Dtype::kFloat64};
        for (const Dtype from : types) {
          for (const Dtype to : types) {
            if (from == to) continue;
            const ScopedTrace at(std::string(name_of(from)) + " to " + std::string(name_of(to)));

            expect_bits(subject.core().convert(tensor_of(from, values), to), tensor_of(to, values));
          }
        }
      });

  conformance("overflow_is_silent", {"CAST-907"}, [](Session& subject) {
    const Reply reply =
        subject.send("core.to", {{"tensor", f32({65536, -65536})}, {"dtype", Dtype::kFloat16}});

    expect_bits(field(reply, "result"), f16({kInf, -kInf}));
    expect_true(reply.warnings.empty(), "it comes without a warning");
  });

  conformance("float64_is_rounded_twice_on_its_way", {"CAST-908"}, [](Session& subject) {
    // 1+2^-11+2^-40, 65519.999999999, 65520, 65519.99, and the first one's negative.
    const TensorValue for_half =
        doubles({0x3ff0020000001000, 0x40effdffffffff77, 0x40effe0000000000, 0x40effdffae147ae1,
                 0xbff0020000001000});
    // 1+2^-8+2^-40, and the largest double.
    const TensorValue for_brain = doubles({0x3ff0100000001000, 0x7fefffffffffffff});

    expect_bits(subject.core().convert(for_half, Dtype::kFloat16),
                from_bits(Dtype::kFloat16, {0x3c00, 0x7c00, 0x7c00, 0x7bff, 0xbc00}));
    expect_bits(subject.core().convert(for_brain, Dtype::kBfloat16),
                from_bits(Dtype::kBfloat16, {0x3f80, 0x7f80}));
  });

  conformance("the_half_types_become_each_other_by_way_of_float32", {"CAST-908"},
              [](Session& subject) {
                expect_bits(subject.core().convert(all_patterns(Dtype::kFloat16), Dtype::kBfloat16),
                            expected_patterns(Dtype::kFloat16, Dtype::kBfloat16));
                expect_bits(subject.core().convert(all_patterns(Dtype::kBfloat16), Dtype::kFloat16),
                            expected_patterns(Dtype::kBfloat16, Dtype::kFloat16));
              });

  conformance(
      "float64_and_float32_become_each_other_by_one_rounding", {"CAST-908"}, [](Session& subject) {
        const TensorValue wide =
            doubles({0x3fb999999999999a, 0x47effffff0000000, 0x47efffffefffffff, 0x3690000000000001,
                     0x3690000000000000, 0x3ff0000010000000});
        const TensorValue narrow = from_bits(Dtype::kFloat32, {0x3dcccccd, 0x7f800000, 0x7f7fffff,
                                                               0x00000001, 0x00000000, 0x3f800000});

        expect_bits(subject.core().convert(wide, Dtype::kFloat32), narrow);
        expect_bits(subject.core().convert(f32({1.5, -0.0, 3}), Dtype::kFloat64),
                    f64({1.5, -0.0, 3}));
      });
}

}  // namespace assay::suites
