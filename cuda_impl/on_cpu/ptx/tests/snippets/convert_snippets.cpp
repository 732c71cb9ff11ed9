// Conversions between all types, against MPFR and 128-bit arithmetic.
#include <cmath>

#include "cuda_impl/on_cpu/ptx/tests/snippets/formats.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/left_open.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/numbers.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

using Word = std::uint64_t;
using Names = std::vector<std::string>;
const Names kIntegers = {"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"};
const Names kFloats = {"f16", "bf16", "f32", "f64"};
const Names kRoundings = {"rn", "rz", "rm", "rp"};

/// Bytes are in 16-bit registers, and the conversion writes all 16 bits.
std::uint32_t register_width(const std::string& type) { return std::max(width_of(type), 16U); }

/// PTX has no conversion between bytes and bf16.
bool is_pair(const std::string& whole, const std::string& real) {
  return real != "bf16" || width_of(whole) > 8;
}

bool has_all_of(const std::string& to, const std::string& from) {
  if (to[0] == from[0]) return width_of(to) >= width_of(from);
  return to[0] == 's' && width_of(to) > width_of(from);
}

void add_between_integers(Snippets& all) {
  for (const auto& to : kIntegers) {
    for (const auto& from : kIntegers) {
      all.push_back({"cvt." + to + "." + from + " %d, %a", to, {from}, [=](Word a, Word, Word) {
                       const auto bits = cut(number_of(a, from), width_of(to));
                       return cut(number_of(bits, to), register_width(to));
                     }});
      if (has_all_of(to, from)) continue;  // nothing to saturate: ptxas rejects it
      all.push_back({"cvt.sat." + to + "." + from + " %d, %a", to, {from}, [=](Word a, Word, Word) {
                       return cut(clamped_to(number_of(a, from), to), register_width(to));
                     }});
    }
  }
}

/// Set before the exponent range of a format is applied, which would clip it.
void set_whole(Real& exact, Wide number) {
  const bool is_negative = number < 0;
  const auto magnitude = static_cast<Word>(is_negative ? -number : number);
  mpfr_set_ui(exact.get(), static_cast<unsigned long>(magnitude), MPFR_RNDN);
  if (is_negative) mpfr_neg(exact.get(), exact.get(), MPFR_RNDN);
}

Word whole_converted(Wide number, const std::string& to, mpfr_rnd_t rounding) {
  Real exact(64);
  set_whole(exact, number);
  return rounded_to(to, rounding, [&](mpfr_ptr result, mpfr_rnd_t mode) {
    return mpfr_set(result, exact.get(), mode);
  });
}

void add_from_integers(Snippets& all) {
  for (const auto& to : kFloats) {
    for (const auto& from : kIntegers) {
      if (!is_pair(from, to)) continue;
      for (const auto& rounding : kRoundings) {
        const auto mode = rounding_of(rounding);
        all.push_back(
            {"cvt." + rounding + "." + to + "." + from + " %d, %a",
             to,
             {from},
             [=](Word a, Word, Word) { return whole_converted(number_of(a, from), to, mode); }});
      }
    }
  }
}

/// PTX: a NaN is 0, or the top bit alone where the source is f64 or the result has 64 bits.
Word of_nan(const std::string& to, const std::string& from) {
  const bool is_top_bit = from == "f64" || width_of(to) == 64;
  const auto bits = is_top_bit ? Word{1} << (width_of(to) - 1) : 0;
  return cut(number_of(bits, to), register_width(to));
}

Word whole_of(double value, const std::string& to, mpfr_rnd_t rounding) {
  Real exact(53);
  mpfr_set_d(exact.get(), value, MPFR_RNDN);
  mpfr_rint(exact.get(), exact.get(), rounding);
  const double whole = mpfr_get_d(exact.get(), MPFR_RNDN);
  const double limit = 0x1p100;
  const Wide number = static_cast<Wide>(whole > limit ? limit : whole < -limit ? -limit : whole);
  return cut(clamped_to(number, to), register_width(to));
}

void add_to_integers(Snippets& all) {
  for (const auto& to : kIntegers) {
    for (const auto& from : kFloats) {
      if (!is_pair(to, from)) continue;
      for (const std::string rounding : {"rni", "rzi", "rmi", "rpi"}) {
        const Expected expected = [=](Word a, Word, Word) {
          const double value = value_of(a, from);
          return std::isnan(value) ? of_nan(to, from) : whole_of(value, to, rounding_of(rounding));
        };
        all.push_back(
            {"cvt." + rounding + "." + to + "." + from + " %d, %a", to, {from}, expected});
        if (rounding == "rzi" && from != "bf16") {
          all.push_back({"cvt.rzi.sat." + to + "." + from + " %d, %a", to, {from}, expected});
        }
      }
    }
  }
}

Word converted(Word a, const std::string& to, const std::string& from, mpfr_rnd_t rounding) {
  if (is_nan_of(a, from) && (to == "f64" || from == "f64" || from == "bf16"))
    return converted_nan(a, to, from);
  Real exact(53);
  mpfr_set_d(exact.get(), value_of(a, from), MPFR_RNDN);
  return rounded_to(to, rounding, [&](mpfr_ptr result, mpfr_rnd_t mode) {
    return mpfr_set(result, exact.get(), mode);
  });
}

Word in_unit_range(Word bits, const std::string& type) {
  const double value = value_of(bits, type);
  const double clamped = value > 0 ? std::fmin(value, 1.0) : 0.0;
  return rounded_to(type, MPFR_RNDN, [&](mpfr_ptr result, mpfr_rnd_t mode) {
    return mpfr_set_d(result, clamped, mode);
  });
}

Word without_negative(Word bits, const std::string& type) {
  return is_nan_of(bits, type) || value_of(bits, type) > 0 ? bits : 0;
}

void add_between_floats(Snippets& all) {
  const auto add = [&](const std::string& modifiers, const std::string& to, const std::string& from,
                       const Expected& expected) {
    all.push_back({"cvt." + modifiers + to + "." + from + " %d, %a", to, {from}, expected});
  };
  for (const std::string from : {"f16", "bf16", "f32"}) {
    if (from != "f32")
      add("", "f32", from,
          [=](Word a, Word, Word) { return converted(a, "f32", from, MPFR_RNDN); });
    add("", "f64", from, [=](Word a, Word, Word) { return converted(a, "f64", from, MPFR_RNDN); });
  }
  const std::pair<std::string, std::string> narrower[] = {
      {"f32", "f64"}, {"f16", "f32"}, {"f16", "f64"}, {"bf16", "f32"}, {"bf16", "f64"}};
  for (const auto& [to, from] : narrower) {
    for (const auto& rounding : kRoundings) {
      const auto result = [to = to, from = from, mode = rounding_of(rounding)](Word a) {
        return converted(a, to, from, mode);
      };
      add(rounding + ".", to, from, [=](Word a, Word, Word) { return result(a); });
      if (to != "bf16") {
        add(rounding + ".sat.", to, from,
            [=, to = to](Word a, Word, Word) { return in_unit_range(result(a), to); });
      }
      if (to != "f32" && from == "f32" && (rounding == "rn" || rounding == "rz")) {
        add(rounding + ".relu.", to, from,
            [=, to = to](Word a, Word, Word) { return without_negative(result(a), to); });
      }
    }
  }
  for (const auto& type : kFloats) {
    for (const std::string rounding : {"rni", "rzi", "rmi", "rpi"}) {
      add(rounding + ".", type, type, [=](Word a, Word, Word) {
        if (type == "f64" && is_nan_of(a, type)) return nan_of_f64({a}, "a");
        Real exact(53);
        mpfr_set_d(exact.get(), value_of(a, type), MPFR_RNDN);
        return rounded_to(type, MPFR_RNDN, [&](mpfr_ptr result, mpfr_rnd_t) {
          return mpfr_rint(result, exact.get(), rounding_of(rounding));
        });
      });
    }
  }
  add("sat.", "f32", "f32", [](Word a, Word, Word) { return in_unit_range(a, "f32"); });
  add("sat.", "f32", "f16", [](Word a, Word, Word) {
    return in_unit_range(converted(a, "f32", "f16", MPFR_RNDN), "f32");
  });
}

void add_packed(Snippets& all) {
  for (const std::string to : {"f16", "bf16"}) {
    for (const std::string rounding : {"rn", "rz"}) {
      const auto mode = rounding_of(rounding);
      all.push_back({"cvt." + rounding + "." + to + "x2.f32 %d, %a, %b",
                     to + "x2",
                     {"f32", "f32"},
                     [=](Word a, Word b, Word) {
                       return converted(a, to, "f32", mode) << 16 | converted(b, to, "f32", mode);
                     }});
      all.push_back({"cvt." + rounding + ".relu." + to + "x2.f32 %d, %a, %b",
                     to + "x2",
                     {"f32", "f32"},
                     [=](Word a, Word b, Word) {
                       return without_negative(converted(a, to, "f32", mode), to) << 16 |
                              without_negative(converted(b, to, "f32", mode), to);
                     }});
    }
  }
}

}  // namespace

Snippets convert_snippets() {
  Snippets all;
  add_between_integers(all);
  add_from_integers(all);
  add_to_integers(all);
  add_between_floats(all);
  add_packed(all);
  return all;
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
