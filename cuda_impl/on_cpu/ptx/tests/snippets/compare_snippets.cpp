// Comparison and selection.
#include "cuda_impl/on_cpu/ptx/tests/snippets/formats.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/numbers.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

using Word = std::uint64_t;
using Names = std::vector<std::string>;

/// The result of a comparison if a is less, equal, greater or unordered: one letter
/// each.
struct Comparison {
  const char* name;
  const char* says;  ///< of "<=>?"
};

constexpr Comparison kOrdered[] = {{"eq", "="},  {"ne", "<>"}, {"lt", "<"},
                                   {"le", "<="}, {"gt", ">"},  {"ge", "=>"}};
constexpr Comparison kOfUnsigned[] = {{"lo", "<"}, {"ls", "<="}, {"hi", ">"}, {"hs", "=>"}};
constexpr Comparison kOfFloats[] = {{"equ", "=?"}, {"neu", "<>?"}, {"ltu", "<?"},  {"leu", "<=?"},
                                    {"gtu", ">?"}, {"geu", "=>?"}, {"num", "<=>"}, {"nan", "?"}};

bool is_float(const std::string& type) { return type[0] == 'f' || type.starts_with("bf"); }

char relation(Word a, Word b, const std::string& type) {
  if (is_float(type)) {
    const double x = value_of(a, type);
    const double y = value_of(b, type);
    return x < y ? '<' : x > y ? '>' : x == y ? '=' : '?';
  }
  const auto x = number_of(a, type);
  const auto y = number_of(b, type);
  return x < y ? '<' : x > y ? '>' : '=';
}

bool holds(const Comparison& comparison, Word a, Word b, const std::string& type) {
  return std::string(comparison.says).find(relation(a, b, type)) != std::string::npos;
}

void add_comparison(Snippets& all, const Comparison& comparison, const std::string& type) {
  const auto name = "setp." + std::string(comparison.name) + ".";
  const auto holds_for = [=](Word a, Word b) { return holds(comparison, a, b, type); };
  all.push_back({name + type + " %d, %a, %b", "pred", {type, type}, [=](Word a, Word b, Word) {
                   return Word{holds_for(a, b)};
                 }});
  const bool has_second = type != "f16" && type != "bf16";
  if (has_second) {
    all.push_back({name + type + " _|%d, %a, %b", "pred", {type, type}, [=](Word a, Word b, Word) {
                     return Word{!holds_for(a, b)};
                   }});
  }
  // The second predicate is combined by the same code for all types of a kind.
  if (type != "s32" && type != "b16" && type != "u64" && type != "f32" && type != "bf16") return;
  all.push_back({name + "and." + type + " %d, %a, %b, %c",
                 "pred",
                 {type, type, "pred"},
                 [=](Word a, Word b, Word c) { return Word{holds_for(a, b) && c != 0}; }});
  all.push_back({name + "or." + type + " %d|_, %a, %b, !%c",
                 "pred",
                 {type, type, "pred"},
                 [=](Word a, Word b, Word c) { return Word{holds_for(a, b) || c == 0}; }});
  if (!has_second) return;
  all.push_back({name + "xor." + type + " _|%d, %a, %b, %c",
                 "pred",
                 {type, type, "pred"},
                 [=](Word a, Word b, Word c) { return Word{!holds_for(a, b) != (c != 0)}; }});
}

void add_sets(Snippets& all, const Comparison& comparison, const std::string& type) {
  const auto name = "set." + std::string(comparison.name) + ".";
  for (const std::string result : {"u32", "s32", "f32"}) {
    const Word is_true = result == "f32" ? 0x3f800000 : 0xffffffff;
    all.push_back(
        {name + result + "." + type + " %d, %a, %b",
         result,
         {type, type},
         [=](Word a, Word b, Word) { return holds(comparison, a, b, type) ? is_true : 0; }});
  }
}

/// Comparison of pairs of halves: one result per half.
void add_pairs(Snippets& all, const Comparison& comparison, const std::string& half) {
  const auto pair = half + "x2";
  const auto name = std::string(comparison.name);
  const auto low = [=](Word a, Word b) { return holds(comparison, a & 0xffff, b & 0xffff, half); };
  const auto high = [=](Word a, Word b) {
    return holds(comparison, a >> 16 & 0xffff, b >> 16 & 0xffff, half);
  };
  const auto both = [=](Word is_true) -> Expected {
    return [=](Word a, Word b, Word) {
      return (low(a, b) ? is_true : 0) | (high(a, b) ? is_true << 16 : 0);
    };
  };
  all.push_back({"setp." + name + "." + pair + " %d|_, %a, %b",
                 "pred",
                 {pair, pair},
                 [=](Word a, Word b, Word) { return Word{low(a, b)}; }});
  all.push_back({"setp." + name + "." + pair + " _|%d, %a, %b",
                 "pred",
                 {pair, pair},
                 [=](Word a, Word b, Word) { return Word{high(a, b)}; }});
  all.push_back({"set." + name + "." + pair + "." + pair + " %d, %a, %b",
                 pair,
                 {pair, pair},
                 both(half == "f16" ? 0x3c00 : 0x3f80)});
  all.push_back(
      {"set." + name + ".u32." + pair + " %d, %a, %b", "u32", {pair, pair}, both(0xffff)});
}

void add_selections(Snippets& all) {
  for (const std::string type :
       {"b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"}) {
    all.push_back({"selp." + type + " %d, %a, %b, %c",
                   type,
                   {type, type, "pred"},
                   [=](Word a, Word b, Word c) {
                     return cut(static_cast<Wide>(c != 0 ? a : b), width_of(type));
                   }});
  }
  for (const std::string type : {"b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64"}) {
    all.push_back({"slct." + type + ".s32 %d, %a, %b, %c",
                   type,
                   {type, type, "s32"},
                   [=](Word a, Word b, Word c) {
                     return cut(static_cast<Wide>(number_of(c, "s32") >= 0 ? a : b),
                                width_of(type));
                   }});
    all.push_back({"slct." + type + ".f32 %d, %a, %b, %c",
                   type,
                   {type, type, "f32"},
                   [=](Word a, Word b, Word c) {
                     return cut(static_cast<Wide>(value_of(c, "f32") >= 0 ? a : b), width_of(type));
                   }});
  }
}

}  // namespace

Snippets compare_snippets() {
  Snippets all;
  for (const std::string type :
       {"u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64", "f16", "bf16"}) {
    for (const auto& comparison : kOrdered) add_comparison(all, comparison, type);
  }
  for (const std::string type : {"u16", "u32", "u64"}) {
    for (const auto& comparison : kOfUnsigned) add_comparison(all, comparison, type);
  }
  for (const std::string type : {"b16", "b32", "b64"}) {
    add_comparison(all, kOrdered[0], type);
    add_comparison(all, kOrdered[1], type);
  }
  for (const std::string type : {"f32", "f64", "f16", "bf16"}) {
    for (const auto& comparison : kOfFloats) add_comparison(all, comparison, type);
  }
  for (const auto& comparison : kOrdered) {
    for (const std::string type : {"u32", "u64", "s32", "s64", "f32", "f64"})
      add_sets(all, comparison, type);
    for (const std::string half : {"f16", "bf16"}) add_pairs(all, comparison, half);
  }
  for (const auto& comparison : kOfFloats) {
    for (const std::string half : {"f16", "bf16"}) add_pairs(all, comparison, half);
  }
  add_selections(all);
  return all;
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
