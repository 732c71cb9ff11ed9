// f32 and f64 arithmetic in all roundings, against MPFR.
#include <cmath>

#include "cuda_impl/on_cpu/ptx/tests/snippets/formats.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/left_open.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/snippet.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

using Word = std::uint64_t;
using Names = std::vector<std::string>;
const Names kFloats = {"f32", "f64"};

struct Reals {
  Real a, b, c;
};

/// An MPFR operation with three operands, some of which it may ignore.
using OnReals = std::function<int(mpfr_ptr, Reals&, mpfr_rnd_t)>;

/// `nan_ranks`: see nan_of_f64.
Expected by_mpfr(const std::string& type, mpfr_rnd_t rounding, OnReals operation,
                 const std::string& nan_ranks) {
  return [=](Word a, Word b, Word c) {
    Reals reals;
    mpfr_set_d(reals.a.get(), value_of(a, type), MPFR_RNDN);
    mpfr_set_d(reals.b.get(), value_of(b, type), MPFR_RNDN);
    mpfr_set_d(reals.c.get(), value_of(c, type), MPFR_RNDN);
    const Word bits = rounded_to(type, rounding, [&](mpfr_ptr result, mpfr_rnd_t to) {
      return operation(result, reals, to);
    });
    return type == "f64" && is_nan_of(bits, type) ? nan_of_f64({a, b, c}, nan_ranks) : bits;
  };
}

/// Clamps to [0, 1]; NaN becomes 0.
Expected saturated(Expected expected, const std::string& type) {
  return [=](Word a, Word b, Word c) {
    const auto bits = expected(a, b, c);
    const double value = value_of(bits, type);
    if (!(value > 0)) return Word{0};
    return value >= 1
               ? rounded_to(type, MPFR_RNDN,
                            [](mpfr_ptr one, mpfr_rnd_t to) { return mpfr_set_ui(one, 1, to); })
               : bits;
  };
}

const OnReals kAdd = [](mpfr_ptr d, Reals& x, mpfr_rnd_t to) {
  return mpfr_add(d, x.a.get(), x.b.get(), to);
};
const OnReals kSub = [](mpfr_ptr d, Reals& x, mpfr_rnd_t to) {
  return mpfr_sub(d, x.a.get(), x.b.get(), to);
};
const OnReals kMul = [](mpfr_ptr d, Reals& x, mpfr_rnd_t to) {
  return mpfr_mul(d, x.a.get(), x.b.get(), to);
};
const OnReals kDiv = [](mpfr_ptr d, Reals& x, mpfr_rnd_t to) {
  return mpfr_div(d, x.a.get(), x.b.get(), to);
};
const OnReals kFma = [](mpfr_ptr d, Reals& x, mpfr_rnd_t to) {
  return mpfr_fma(d, x.a.get(), x.b.get(), x.c.get(), to);
};
const OnReals kRcp = [](mpfr_ptr d, Reals& x, mpfr_rnd_t to) {
  return mpfr_ui_div(d, 1, x.a.get(), to);
};
const OnReals kSqrt = [](mpfr_ptr d, Reals& x, mpfr_rnd_t to) {
  return mpfr_sqrt(d, x.a.get(), to);
};

struct Arithmetic {
  std::string opcode;
  OnReals operation;
  std::size_t operands;
  bool has_saturation;
  std::string nan_ranks;
};

const std::vector<Arithmetic> kArithmetic = {
    {"add", kAdd, 2, true, "ba"},  {"sub", kSub, 2, true, "ba"},  {"mul", kMul, 2, true, "ba"},
    {"fma", kFma, 3, true, "bca"}, {"div", kDiv, 2, false, "ab"}, {"rcp", kRcp, 1, false, "a"},
    {"sqrt", kSqrt, 1, false, "a"}};

const char* const kOperands[] = {" %d, %a", " %d, %a, %b", " %d, %a, %b, %c"};

void add_arithmetic(Snippets& all, const std::string& type) {
  for (const auto& row : kArithmetic) {
    const auto* operands = kOperands[row.operands - 1];
    for (const std::string rounding : {"rn", "rz", "rm", "rp"}) {
      const auto expected = by_mpfr(type, rounding_of(rounding), row.operation, row.nan_ranks);
      all.push_back({row.opcode + "." + rounding + "." + type + operands, type,
                     Names(row.operands, type), expected});
      if (!row.has_saturation || type == "f64") continue;
      all.push_back({row.opcode + "." + rounding + ".sat." + type + operands, type,
                     Names(row.operands, type), saturated(expected, type)});
    }
    if (row.operands == 2 && row.opcode != "div") {
      all.push_back({row.opcode + "." + type + operands,
                     type,
                     {type, type},
                     by_mpfr(type, MPFR_RNDN, row.operation, row.nan_ranks)});
    }
  }
  all.push_back({"mad.rn." + type + " %d, %a, %b, %c",
                 type,
                 {type, type, type},
                 by_mpfr(type, MPFR_RNDN, kFma, "bca")});
}

Word sign_bit(const std::string& type) { return type == "f32" ? Word{1} << 31 : Word{1} << 63; }

/// Selects one of two, by value, then by sign. A NaN loses, or if it wins, the result is the
/// canonical NaN, or for f64 the second operand.
Word extreme(Word a, Word b, const std::string& type, bool is_max, bool nan_wins) {
  const bool a_is_nan = is_nan_of(a, type);
  const bool b_is_nan = is_nan_of(b, type);
  if (type == "f64" && a_is_nan && b_is_nan) return nan_of_f64({b}, "a");
  if ((a_is_nan && b_is_nan) || (nan_wins && (a_is_nan || b_is_nan))) return canonical_nan(type);
  if (a_is_nan || b_is_nan) return a_is_nan ? b : a;
  const double x = value_of(a, type);
  const double y = value_of(b, type);
  const bool a_is_less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
  return a_is_less != is_max ? a : b;
}

void add_extremes(Snippets& all, const std::string& type) {
  for (const bool is_max : {false, true}) {
    for (const bool nan_wins : {false, true}) {
      if (nan_wins && type == "f64") continue;
      const auto opcode = std::string(is_max ? "max" : "min") + (nan_wins ? ".NaN." : ".");
      all.push_back({opcode + type + " %d, %a, %b", type, {type, type}, [=](Word a, Word b, Word) {
                       return extreme(a, b, type, is_max, nan_wins);
                     }});
    }
  }
}

void add_signs(Snippets& all, const std::string& type) {
  const auto sign = sign_bit(type);
  all.push_back({"abs." + type + " %d, %a", type, {type}, [=](Word a, Word, Word) {
                   return sign_changed(a, a & (sign - 1), type);
                 }});
  all.push_back({"neg." + type + " %d, %a", type, {type}, [=](Word a, Word, Word) {
                   return sign_changed(a, (a & (sign | (sign - 1))) ^ sign, type);
                 }});
  all.push_back({"copysign." + type + " %d, %a, %b", type, {type, type}, [=](Word a, Word b, Word) {
                   return (a & sign) | (b & (sign - 1));
                 }});
  const double least_normal = type == "f32" ? 0x1p-126 : 0x1p-1022;
  const auto add_test = [&](const std::string& name, auto test) {
    all.push_back(
        {"testp." + name + "." + type + " %d, %a", "pred", {type}, [=](Word a, Word, Word) {
           return Word{test(value_of(a, type))};
         }});
  };
  add_test("finite", [](double x) { return x - x == 0; });
  add_test("infinite", [](double x) { return x == x && x - x != 0; });
  add_test("number", [](double x) { return x == x; });
  add_test("notanumber", [](double x) { return x != x; });
  add_test("normal",
           [=](double x) { return x == 0 || (x - x == 0 && std::fabs(x) >= least_normal); });
  add_test("subnormal", [=](double x) { return x != 0 && std::fabs(x) < least_normal; });
}

}  // namespace

Snippets float_snippets() {
  Snippets all;
  for (const auto& type : kFloats) {
    add_arithmetic(all, type);
    add_extremes(all, type);
    add_signs(all, type);
  }
  return all;
}

/// Halves have only one rounding mode, and each operation has a form for pairs.
Snippets half_snippets() {
  Snippets all;
  const auto add = [&](const std::string& opcode, const std::string& type, std::size_t operands,
                       const Expected& expected) {
    const auto* list = kOperands[operands - 1];
    all.push_back({opcode + "." + type + list, type, Names(operands, type), expected});
    all.push_back({opcode + "." + type + "x2" + list, type + "x2", Names(operands, type + "x2"),
                   [=](Word a, Word b, Word c) {
                     return expected(a & 0xffff, b & 0xffff, c & 0xffff) |
                            expected(a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff) << 16;
                   }});
  };
  for (const std::string type : {"f16", "bf16"}) {
    for (const auto& row : {Arithmetic{"add", kAdd, 2, true, ""},
                            {"sub", kSub, 2, true, ""},
                            {"mul", kMul, 2, true, ""},
                            {"fma.rn", kFma, 3, true, ""}}) {
      const auto expected = by_mpfr(type, MPFR_RNDN, row.operation, "");
      add(row.opcode, type, row.operands, expected);
      if (type == "f16") add(row.opcode + ".sat", type, row.operands, saturated(expected, type));
      if (row.operands == 2) add(row.opcode + ".rn", type, 2, expected);
    }
    const auto fused = by_mpfr(type, MPFR_RNDN, kFma, "");
    add("fma.rn.relu", type, 3, [=](Word a, Word b, Word c) {
      const auto bits = fused(a, b, c);
      return is_nan_of(bits, type) || value_of(bits, type) > 0 ? bits : 0;
    });
    for (const bool is_max : {false, true}) {
      const std::string name = is_max ? "max" : "min";
      add(name, type, 2, [=](Word a, Word b, Word) { return extreme(a, b, type, is_max, false); });
      add(name + ".NaN", type, 2,
          [=](Word a, Word b, Word) { return extreme(a, b, type, is_max, true); });
    }
    add("abs", type, 1, [=](Word a, Word, Word) { return sign_changed(a, a & 0x7fff, type); });
    add("neg", type, 1, [=](Word a, Word, Word) { return sign_changed(a, a ^ 0x8000, type); });
  }
  return all;
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
