// Logic, shifts, bit fields and moves, against arithmetic on strings of bits.
#include <algorithm>

#include "cuda_impl/on_cpu/ptx/tests/snippets/left_open.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/numbers.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

using Word = std::uint64_t;

/// A value's bits, lowest first.
std::vector<bool> bits_of(Word value, std::uint32_t width) {
  std::vector<bool> bits;
  for (std::uint32_t i = 0; i < width; ++i, value /= 2) bits.push_back(value % 2 == 1);
  return bits;
}

Word word_of(const std::vector<bool>& bits) {
  Word word = 0;
  for (auto bit = bits.rbegin(); bit != bits.rend(); ++bit) word = word * 2 + (*bit ? 1 : 0);
  return word;
}

template <class Function>
Expected bitwise(std::uint32_t width, Function function) {
  return [=](Word a, Word b, Word c) {
    auto bits = bits_of(a, width);
    const auto others = bits_of(b, width);
    const auto third = bits_of(c, width);
    for (std::uint32_t i = 0; i < width; ++i) bits[i] = function(bits[i], others[i], third[i]);
    return word_of(bits);
  };
}

void add_logic(Snippets& all) {
  for (const std::string type : {"b16", "b32", "b64"}) {
    const auto width = width_of(type);
    const auto add = [&](const std::string& opcode, auto function) {
      all.push_back(
          {opcode + "." + type + " %d, %a, %b", type, {type, type}, bitwise(width, function)});
    };
    add("and", [](bool a, bool b, bool) { return a && b; });
    add("or", [](bool a, bool b, bool) { return a || b; });
    add("xor", [](bool a, bool b, bool) { return a != b; });
    all.push_back({"not." + type + " %d, %a", type, {type}, bitwise(width, [](bool a, bool, bool) {
                     return !a;
                   })});
    all.push_back({"cnot." + type + " %d, %a", type, {type}, [](Word a, Word, Word) {
                     return Word{a == 0};
                   }});
  }
  all.push_back({"and.pred %d, %a, %b", "pred", {"pred", "pred"}, [](Word a, Word b, Word) {
                   return Word{a && b};
                 }});
  all.push_back({"or.pred %d, %a, %b", "pred", {"pred", "pred"}, [](Word a, Word b, Word) {
                   return Word{a || b};
                 }});
  all.push_back({"xor.pred %d, %a, %b", "pred", {"pred", "pred"}, [](Word a, Word b, Word) {
                   return Word{(a != 0) != (b != 0)};
                 }});
  all.push_back(
      {"not.pred %d, %a", "pred", {"pred"}, [](Word a, Word, Word) { return Word{a == 0}; }});
  for (const int table : {0x80, 0xe8, 0x96, 0x1b}) {
    all.push_back({"lop3.b32 %d, %a, %b, %c, " + std::to_string(table),
                   "b32",
                   {"b32", "b32", "b32"},
                   bitwise(32, [=](bool a, bool b, bool c) {
                     return (table >> (4 * a + 2 * b + 1 * c)) % 2 == 1;
                   })});
  }
}

Wide power_of_two(Word exponent) { return Wide{1} << std::min<Word>(exponent, 100); }

void add_shifts(Snippets& all) {
  for (const std::string type : {"b16", "b32", "b64"}) {
    const auto width = width_of(type);
    all.push_back({"shl." + type + " %d, %a, %b", type, {type, "u32"}, [=](Word a, Word b, Word) {
                     return b >= width ? 0 : cut(static_cast<Wide>(a) * power_of_two(b), width);
                   }});
  }
  for (const std::string type : {"b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"}) {
    const auto width = width_of(type);
    all.push_back({"shr." + type + " %d, %a, %b", type, {type, "u32"}, [=](Word a, Word b, Word) {
                     // Rounded down, like a shift of a negative number.
                     const Wide value = number_of(a, type);
                     const Wide quotient = value / power_of_two(b);
                     const bool is_cut = quotient * power_of_two(b) != value && value < 0;
                     return cut(is_cut ? quotient - 1 : quotient, width);
                   }});
  }
  const auto both = [](Word a, Word b) { return cut(static_cast<Wide>(a), 32) | b << 32; };
  const auto add_funnel = [&](const std::string& name, bool is_left, bool is_wrapped) {
    all.push_back({"shf." + name + ".b32 %d, %a, %b, %c",
                   "b32",
                   {"b32", "b32", "u32"},
                   [=](Word a, Word b, Word c) {
                     const Word amount = is_wrapped ? c % 32 : std::min<Word>(c, 32);
                     const Wide whole = static_cast<Wide>(both(a, b));
                     const Wide moved = is_left ? whole * power_of_two(amount) / power_of_two(32)
                                                : whole / power_of_two(amount);
                     return cut(moved, 32);
                   }});
  };
  add_funnel("l.wrap", true, true);
  add_funnel("l.clamp", true, false);
  add_funnel("r.wrap", false, true);
  add_funnel("r.clamp", false, false);
}

/// The index of the highest bit that differs from the sign, or all ones.
Word highest(Word a, const std::string& type) {
  const auto bits = bits_of(a, width_of(type));
  const bool sign = type[0] == 's' && bits.back();
  for (auto i = bits.size(); i-- > 0;) {
    if (bits[i] != sign) return i;
  }
  return 0xffffffff;
}

void add_counts(Snippets& all) {
  for (const std::string type : {"b32", "b64"}) {
    const auto width = width_of(type);
    all.push_back({"popc." + type + " %d, %a", "u32", {type}, [=](Word a, Word, Word) {
                     const auto bits = bits_of(a, width);
                     return static_cast<Word>(std::count(bits.begin(), bits.end(), true));
                   }});
    all.push_back({"clz." + type + " %d, %a", "u32", {type}, [=](Word a, Word, Word) {
                     const auto bits = bits_of(a, width);
                     return static_cast<Word>(std::find(bits.rbegin(), bits.rend(), true) -
                                              bits.rbegin());
                   }});
    all.push_back({"brev." + type + " %d, %a", type, {type}, [=](Word a, Word, Word) {
                     auto bits = bits_of(a, width);
                     std::reverse(bits.begin(), bits.end());
                     return word_of(bits);
                   }});
    const auto inserted = [=](Word a, Word b, Word start, Word length) {
      auto bits = bits_of(b, width);
      const auto field = bits_of(a, width);
      for (Word i = 0; i < length && i + start < width; ++i) bits[i + start] = field[i];
      return word_of(bits);
    };
    all.push_back(
        {"bfi." + type + " %d, %a, %b, %c, 7",
         type,
         {type, type, "u32"},
         [=](Word a, Word b, Word c) { return inserted(a, b, field_number(c, type), 7); }});
    all.push_back(
        {"bfi." + type + " %d, %a, %b, 9, %c",
         type,
         {type, type, "u32"},
         [=](Word a, Word b, Word c) { return inserted(a, b, 9, field_number(c, type)); }});
  }
  for (const std::string type : {"u32", "u64", "s32", "s64"}) {
    const auto width = width_of(type);
    all.push_back({"bfind." + type + " %d, %a", "u32", {type}, [=](Word a, Word, Word) {
                     return highest(a, type);
                   }});
    all.push_back({"bfind.shiftamt." + type + " %d, %a", "u32", {type}, [=](Word a, Word, Word) {
                     const auto found = highest(a, type);
                     return found == 0xffffffff ? found : width - 1 - found;
                   }});
    all.push_back(
        {"bfe." + type + " %d, %a, %b, %c",
         type,
         {type, "u32", "u32"},
         [=](Word a, Word b, Word c) {
           // The value is extended infinitely by its sign; an empty field is 0.
           const Word start = field_number(b, type);
           const Word length = field_number(c, type);
           if (length == 0) return Word{0};
           auto bits = bits_of(a, width);
           bits.resize(600, type[0] == 's' && bits.back());
           std::vector<bool> field(bits.begin() + static_cast<std::ptrdiff_t>(start),
                                   bits.begin() + static_cast<std::ptrdiff_t>(start + length));
           field.resize(std::max<std::size_t>(length, width), type[0] == 's' && field.back());
           field.resize(width);
           return word_of(field);
         }});
  }
  for (const Word choices : {0x3210U, 0x0123U, 0x7654U, 0x5410U, 0xfedcU, 0x89abU}) {
    all.push_back({"prmt.b32 %d, %a, %b, " + std::to_string(choices),
                   "b32",
                   {"b32", "b32"},
                   [=](Word a, Word b, Word) {
                     Word result = 0;
                     for (int i = 0; i < 4; ++i) {
                       const Word choice = choices >> (4 * i) & 15;
                       const Word byte = (choice % 8 < 4 ? a : b) >> (8 * (choice % 4)) & 255;
                       result |= (choice < 8 ? byte : byte / 128 * 255) << (8 * i);
                     }
                     return result;
                   }});
  }
}

void add_moves(Snippets& all) {
  for (const std::string type : {"b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64"}) {
    all.push_back({"mov." + type + " %d, %a", type, {type}, [=](Word a, Word, Word) {
                     return cut(static_cast<Wide>(a), width_of(type));
                   }});
  }
  all.push_back(
      {"mov.f32 %d, %a", "f32", {"f32"}, [](Word a, Word, Word) { return a & 0xffffffff; }});
  all.push_back({"mov.f64 %d, %a", "f64", {"f64"}, [](Word a, Word, Word) { return a; }});
  all.push_back(
      {"mov.pred %d, %a", "pred", {"pred"}, [](Word a, Word, Word) { return Word{a != 0}; }});
  all.push_back({"mov.b32 %d, {%a, %b}", "b32", {"b16", "b16"}, [](Word a, Word b, Word) {
                   return (b & 0xffff) << 16 | (a & 0xffff);
                 }});
  all.push_back({"mov.b64 %d, {%a, %b}", "b64", {"b32", "f32"}, [](Word a, Word b, Word) {
                   return b << 32 | (a & 0xffffffff);
                 }});
  all.push_back(
      {"mov.b64 %d, {%a, %b, %c, 9}", "b64", {"b16", "b16", "b16"}, [](Word a, Word b, Word c) {
         return Word{9} << 48 | (c & 0xffff) << 32 | (b & 0xffff) << 16 | (a & 0xffff);
       }});
  all.push_back(
      {"mov.b64 {_, %d}, %a", "b32", {"f64"}, [](Word a, Word, Word) { return a >> 32; }});
  all.push_back(
      {"mov.b32 {%d, _}, %a", "b16", {"f32"}, [](Word a, Word, Word) { return a & 0xffff; }});
  all.push_back(
      {"mov.f32 %d, 0fC0490FDB", "f32", {}, [](Word, Word, Word) { return Word{0xc0490fdb}; }});
  all.push_back({"mov.f64 %d, 0dC00921FB54442D18", "f64", {}, [](Word, Word, Word) {
                   return Word{0xc00921fb54442d18};
                 }});
  all.push_back({"mov.b16 %d, -3", "b16", {}, [](Word, Word, Word) { return Word{0xfffd}; }});
}

}  // namespace

Snippets bit_snippets() {
  Snippets all;
  add_logic(all);
  add_shifts(all);
  add_counts(all);
  add_moves(all);
  return all;
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
