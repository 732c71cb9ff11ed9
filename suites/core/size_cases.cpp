// Sizes and positions in memory: fills, copies, conversions and reductions of any length, on views
// with any offset, without changes outside the view.
#include <cmath>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {
namespace {

constexpr double kBeside = 77;
constexpr std::int64_t kBehind = 9;
constexpr Dtype kTypes[] = {Dtype::kFloat64,  Dtype::kFloat32, Dtype::kFloat16,
                            Dtype::kBfloat16, Dtype::kInt64,   Dtype::kUint8};

/// A view: the number of elements, and the number of elements before it in memory.
struct Piece {
  std::int64_t length;
  std::int64_t offset;
};

const std::vector<Piece>& pieces() {
  static const std::vector<Piece> all = {{1, 0},  {1, 1},  {2, 3},  {3, 1},    {5, 2},   {7, 7},
                                         {8, 8},  {15, 1}, {16, 5}, {17, 0},   {33, 3},  {64, 4},
                                         {65, 9}, {97, 1}, {5, 15}, {1027, 3}, {8195, 1}};
  return all;
}

/// Exact in all dtypes.
double number_at(std::int64_t i) { return static_cast<double>(i % 101); }

/// The memory of a piece; `inside(i)` gives its elements.
TensorValue memory_of(Dtype dtype, const Piece& piece, double (*inside)(std::int64_t)) {
  std::vector<double> all(static_cast<std::size_t>(piece.offset), kBeside);
  for (std::int64_t i = 0; i < piece.length; ++i) all.push_back(inside(i));
  all.insert(all.end(), static_cast<std::size_t>(kBehind), kBeside);
  return tensor_of(dtype, all);
}

TensorValue elements_of(Dtype dtype, std::int64_t length) {
  std::vector<double> all;
  for (std::int64_t i = 0; i < length; ++i) all.push_back(number_at(i));
  return tensor_of(dtype, all);
}

Ref view_of(CoreClient& core, const Ref& memory, const Piece& piece) {
  return core.as_strided(memory, {.shape = {piece.length}, .strides = {1}, .offset = piece.offset});
}

std::string text_of(const Piece& piece) {
  return std::to_string(piece.length) + " elements from " + std::to_string(piece.offset) + " on";
}

double five(std::int64_t) { return 5; }

void expect_filled_bits(Session& subject, const Piece& piece) {
  CoreClient core(subject);
  constexpr double kThird = 1.0 / 3;  // its bytes differ
  const Ref memory = core.tensor(memory_of(Dtype::kFloat64, piece, five));
  core.fill_(view_of(core, memory, piece), kThird);
  TensorValue wanted = memory_of(Dtype::kFloat64, piece, five);
  for (std::int64_t i = 0; i < piece.length; ++i)
    wanted.set_bits(static_cast<std::size_t>(piece.offset + i), 0x3fd5555555555555);
  expect_bits(core.read(memory), wanted);
}

}  // namespace

CASES("core/size") {
  conformance("a_fill_reaches_every_element_and_no_other", {"CORE-21"}, [](Session& subject) {
    CoreClient core(subject);
    for (const Piece& piece : pieces()) {
      const ScopedTrace at(text_of(piece));
      expect_filled_bits(subject, piece);
      for (const Dtype dtype : kTypes) {
        const ScopedTrace type{std::string(name_of(dtype))};
        const Ref memory = core.tensor(memory_of(dtype, piece, number_at));
        core.fill_(view_of(core, memory, piece), 5);
        expect_bits(core.read(memory), memory_of(dtype, piece, five));
      }
    }
  });

  conformance("a_copy_reaches_every_element_and_no_other", {"CORE-21"}, [](Session& subject) {
    CoreClient core(subject);
    for (const Piece& piece : pieces()) {
      const ScopedTrace at(text_of(piece));
      for (const Dtype to : kTypes) {
        for (const Dtype from : {Dtype::kFloat32, Dtype::kFloat16, to}) {
          const ScopedTrace types(std::string(name_of(from)) + " to " + std::string(name_of(to)));
          const Piece source{piece.length, piece.offset + (to == from ? 0 : 1)};
          const Ref read = core.tensor(memory_of(from, source, number_at));
          const Ref written = core.tensor(memory_of(to, piece, five));
          core.copy_(view_of(core, written, piece), view_of(core, read, source));
          expect_bits(core.read(written), memory_of(to, piece, number_at));
        }
      }
    }
  });

  conformance("a_conversion_of_any_view_is_element_by_element", {"CORE-21"}, [](Session& subject) {
    CoreClient core(subject);
    for (const Piece& piece : pieces()) {
      const ScopedTrace at(text_of(piece));
      for (const Dtype from : kTypes) {
        const Ref memory = core.tensor(memory_of(from, piece, number_at));
        const Ref view = view_of(core, memory, piece);
        for (const Dtype to : kTypes) {
          if (to == from) continue;
          const ScopedTrace types(std::string(name_of(from)) + " to " + std::string(name_of(to)));
          expect_bits(core.convert(view, to), elements_of(to, piece.length));
        }
      }
    }
  });

  conformance("a_reduction_takes_each_element_once", {"CORE-22"}, [](Session& subject) {
    CoreClient core(subject);
    for (const std::int64_t length : {255, 257, 4097, 16383, 16385, 40001}) {
      const ScopedTrace at(std::to_string(length) + " elements");
      for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat64, Dtype::kInt64}) {
        const ScopedTrace type{std::string(name_of(dtype))};
        const Ref ones = core.tensor(filled(dtype, length, 1));
        expect_bits(core.op("sum", {ones}), scalar_of(dtype, static_cast<double>(length)));
        for (const std::int64_t place : {std::int64_t{0}, length / 2, length - 1}) {
          std::vector<double> numbers(static_cast<std::size_t>(length), -3);
          numbers[static_cast<std::size_t>(place)] = 9;
          expect_bits(core.op("max", {tensor_of(dtype, numbers)}), scalar_of(dtype, 9));
        }
      }
      const TensorValue threes = filled(Dtype::kFloat64, length, 3);
      const double root = 3 * std::sqrt(static_cast<double>(length));
      expect_within_ulp(core.op("norm", {threes}), scalar_of(Dtype::kFloat64, root), 64);
    }
  });
}

}  // namespace assay::suites
