// The operands of a snippet: interesting values of each type, and some random ones.
#include "cuda_impl/on_cpu/ptx/tests/snippets/operands.hpp"

#include <random>

#include "cuda_impl/on_cpu/ptx/tests/snippets/formats.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

using Word = std::uint64_t;

/// The layout of a floating-point type.
struct Layout {
  int fraction;  ///< bits of it
  Word sign;
  Word infinity;
};

Layout layout_of(const std::string& type) {
  const int fraction = type == "f64" ? 52 : type == "f32" ? 23 : type == "f16" ? 10 : 7;
  const Word sign = Word{1} << (8 * bytes_of(type) - 1);
  return {fraction, sign, (sign - 1) >> fraction << fraction};
}

/// The bits of interesting values of a float: around zero and one, halfway cases, the ends of its
/// range, infinity and NaN.
std::vector<Word> float_values(const std::string& type) {
  const auto [fraction, sign, infinity] = layout_of(type);
  const Word one = (infinity >> fraction) / 2 << fraction;
  std::vector<Word> values = {0,
                              1,
                              (Word{1} << fraction) - 1,
                              Word{1} << fraction,
                              one - 1,
                              one,
                              one + 1,
                              one + (Word{1} << (fraction - 1)),
                              infinity - 1,
                              infinity,
                              infinity + 1,
                              sign - 1,
                              canonical_nan(type),
                              one + (Word{5} << (fraction - 1)),
                              one + (Word{15} << fraction) + 3,
                              infinity + (Word{5} << (fraction - 4)) + 1,    // a signalling NaN
                              infinity + (Word{13} << (fraction - 4)) + 1};  // a quiet one
  for (std::size_t i = 0; i < 10; ++i) values.push_back(random_word() & (sign - 1));
  const auto count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(values[i] | sign);
  return values;
}

std::vector<Word> whole_values() {
  std::vector<Word> values = {0,
                              1,
                              2,
                              3,
                              7,
                              31,
                              32,
                              33,
                              63,
                              64,
                              0x7f,
                              0x80,
                              0xff,
                              0x100,
                              0x7fff,
                              0x8000,
                              0xffff,
                              0x7fffffff,
                              0x80000000,
                              0xffffffff,
                              0x100000000,
                              0x7fffffffffffffff,
                              Word{1} << 63,
                              ~Word{0},
                              ~Word{1},
                              0x5555555555555555,
                              0x1ffffff,
                              0x2000001,
                              0x20000000000001,
                              0x4000000000000180};
  for (std::size_t i = 0; i < 10; ++i) values.push_back(random_word());
  return values;
}

std::vector<Word> values_of(const std::string& type) {
  if (type == "pred") return {0, 1};
  if (type.ends_with("x2")) {
    auto values = float_values(type.substr(0, type.size() - 2));
    std::vector<Word> pairs;
    for (std::size_t i = 0; i < values.size(); ++i)
      pairs.push_back(values[i] << 16 | values[(i * 7 + 3) % values.size()]);
    return pairs;
  }
  return type[0] == 'f' || type == "bf16" ? float_values(type) : whole_values();
}

std::string kind_of_float(Word bits, const std::string& type) {
  const auto [fraction, sign, infinity] = layout_of(type);
  const Word magnitude = bits & (sign - 1);
  const std::string prefix = (bits & sign) != 0 ? "-" : "";
  if (magnitude > infinity) {
    const bool is_quiet = (magnitude >> (fraction - 1) & 1) != 0;
    return prefix + (is_quiet ? "quiet NaN" : "signalling NaN");
  }
  if (magnitude == infinity) return prefix + "infinity";
  if (magnitude == 0) return prefix + "0";
  return prefix + (magnitude >> fraction == 0 ? "subnormal" : "normal");
}

std::string kind_of_value(Word bits, const std::string& type) {
  if (type == "pred") return bits != 0 ? "true" : "false";
  if (type.ends_with("x2")) {
    const auto half = type.substr(0, type.size() - 2);
    return "(" + kind_of_float(bits & 0xffff, half) + ", " + kind_of_float(bits >> 16, half) + ")";
  }
  if (type[0] == 'f' || type == "bf16") return kind_of_float(bits, type);
  const auto width = 8 * bytes_of(type);
  if (bits == 0) return "0";
  if (type[0] == 's' && (bits >> (width - 1)) != 0) return "negative";
  return bits < width ? "below the width" : bits < 256 ? "below 256" : "large";
}

}  // namespace

Word random_word() {
  static std::mt19937_64 engine(20);
  return engine();
}

std::vector<Operands> combinations(const Snippet& snippet) {
  std::array<std::vector<Word>, 3> values;
  for (std::size_t i = 0; i < 3; ++i) {
    values[i] = i < snippet.operands.size() ? values_of(snippet.operands[i]) : std::vector<Word>{0};
  }
  std::vector<Operands> all;
  const auto step = values[2].size() > 2 ? values[2].size() / 12 + 1 : 1;
  std::size_t first = 0;
  for (const Word a : values[0]) {
    for (const Word b : values[1]) {
      for (auto i = first++ % step; i < values[2].size(); i += step)
        all.push_back({a, b, values[2][i]});
    }
  }
  return all;
}

Word as_read(const Snippet& snippet, const Operands& operands, std::size_t i) {
  if (i >= snippet.operands.size() || bytes_of(snippet.operands[i]) == 8) return operands[i];
  return operands[i] & ((Word{1} << (8 * bytes_of(snippet.operands[i]))) - 1);
}

std::string kind_of(const Snippet& snippet, const Operands& operands) {
  std::string kinds;
  for (std::size_t i = 0; i < snippet.operands.size(); ++i) {
    kinds +=
        (i == 0 ? "" : ", ") + kind_of_value(as_read(snippet, operands, i), snippet.operands[i]);
  }
  return kinds;
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
