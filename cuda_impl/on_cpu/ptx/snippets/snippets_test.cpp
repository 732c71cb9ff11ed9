// Runs each instruction, translated from PTX, on values that matter to it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>

#include "cuda_impl/on_cpu/ptx/snippets/formats.hpp"
#include "cuda_impl/on_cpu/ptx/snippets/gpu.hpp"
#include "cuda_impl/on_cpu/ptx/snippets/snippet.hpp"
#include "cuda_impl/on_cpu/ptx/translated.hpp"
#include "cuda_impl/on_cpu/scheduler/grid.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

using Word = std::uint64_t;

const Snippets& snippets() {
  static const auto all = all_snippets();
  return all;
}

Word random_word() {
  static std::mt19937_64 engine(20);
  return engine();
}

/// Bits of a float's interesting values: around zero, one, halfway cases, the ends of its range and
/// beyond.
std::vector<Word> float_values(const std::string& type) {
  const int bits = type == "f64" ? 64 : type == "f32" ? 32 : 16;
  const int fraction = type == "f64" ? 52 : type == "f32" ? 23 : type == "f16" ? 10 : 7;
  const Word sign = Word{1} << (bits - 1);
  const Word infinity = (sign - 1) >> fraction << fraction;
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
                              one + (Word{15} << fraction) + 3};
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

/// Every value with every other, of three operands a part of them; what is above an operand's width
/// is noise.
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

/// What the kernel of snippet `number` makes of the operands, a thread for each.
using Run = std::vector<Results> (*)(std::size_t number, std::vector<Operands> operands,
                                     std::uint32_t block);

std::vector<Results> run_translated(std::size_t number, std::vector<Operands> operands,
                                    std::uint32_t block) {
  std::vector<Results> results(operands.size());
  const auto* kernel = find_translated_kernel("snippet_" + std::to_string(number));
  if (kernel == nullptr) throw std::logic_error("no kernel for snippet " + std::to_string(number));
  alignas(16) Word inputs = reinterpret_cast<Word>(operands.data());
  alignas(16) Word outputs = reinterpret_cast<Word>(results.data());
  alignas(16) auto count = static_cast<std::uint32_t>(operands.size());
  void* const parameters[] = {&inputs, &outputs, &count};
  const auto blocks = (count + block - 1) / block;
  run_grid({.grid = {blocks}, .block = {block}}, [&] { kernel->run(parameters); });
  return results;
}

std::vector<Results> run_on_gpu(std::size_t number, std::vector<Operands> operands,
                                std::uint32_t block) {
  static Gpu gpu(module_of(snippets()));
  return gpu.run("snippet_" + std::to_string(number), operands, block);
}

/// The translation, and where ASSAY_SNIPPETS_ON_GPU is set, a GPU too.
std::vector<Run> runs() {
  if (std::getenv("ASSAY_SNIPPETS_ON_GPU") == nullptr) return {run_translated};
  return {run_translated, run_on_gpu};
}

Word low_bits(Word value, const std::string& type) {
  const auto bits = 8 * std::max(bytes_of(type), 2U);
  return bits == 64 ? value : value & ((Word{1} << bits) - 1);
}

/// f64 keeps a NaN's payload, and so does bf16 when it becomes f32: these need only be NaNs.
bool is_same(const Snippet& snippet, Word seen, Word expected) {
  const bool is_widened = !snippet.operands.empty() && snippet.operands[0] == "bf16";
  const bool may_differ = snippet.result == "f64" || (snippet.result == "f32" && is_widened);
  if (may_differ && is_nan_of(expected, snippet.result)) return is_nan_of(seen, snippet.result);
  return seen == expected;
}

/// The first difference, or nothing.
std::optional<std::string> difference(const Snippet& snippet, const Operands& operands, Word seen,
                                      Word expected) {
  if (is_same(snippet, seen, expected)) return std::nullopt;
  char text[200];
  std::snprintf(text, sizeof text, "of %llx, %llx, %llx: expected %llx, saw %llx",
                static_cast<unsigned long long>(operands[0]),
                static_cast<unsigned long long>(operands[1]),
                static_cast<unsigned long long>(operands[2]),
                static_cast<unsigned long long>(expected), static_cast<unsigned long long>(seen));
  return text;
}

/// What the instruction reads of operand i.
Word as_read(const Snippet& snippet, const Operands& operands, std::size_t i) {
  if (i >= snippet.operands.size() || bytes_of(snippet.operands[i]) == 8) return operands[i];
  return operands[i] & ((Word{1} << (8 * bytes_of(snippet.operands[i]))) - 1);
}

std::optional<std::string> check_one(const Snippet& snippet, const Operands& operands,
                                     const Results& results) {
  const Word b = as_read(snippet, operands, 1);
  const Word c = as_read(snippet, operands, 2);
  if (snippet.expected) {
    const Word expected = snippet.expected(as_read(snippet, operands, 0), b, c);
    const auto wrong =
        difference(snippet, operands, low_bits(results[0], snippet.result), expected);
    if (wrong) return wrong;
  }
  if (!snippet.expected_memory) return std::nullopt;
  // All of the memory is looked at, so that what lies behind the access counts too.
  const Word expected = snippet.expected_memory(operands[0], b, c);
  const Snippet memory{snippet.instruction, snippet.operands[0] == "f64" ? "f64" : "u64", {}};
  return difference(memory, operands, results[1], expected);
}

std::optional<std::string> check_alone(const Snippet& snippet,
                                       const std::vector<Operands>& operands,
                                       const std::vector<Results>& results) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto wrong = check_one(snippet, operands[i], results[i]);
    if (wrong) return wrong;
  }
  return std::nullopt;
}

/// Lanes alike, lanes all different, lanes in two groups.
std::vector<std::vector<Operands>> warps() {
  std::vector<std::vector<Operands>> all(4);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    all[0].push_back({random_word(), 0, 0});
    all[1].push_back({0xffffffff80000005, 0, 0});
    all[2].push_back({lane % 3 == 0 ? Word{0} : Word{9}, 0, 0});
    all[3].push_back({0, 0, 0});
  }
  return all;
}

std::optional<std::string> check_warp(const Snippet& snippet, std::size_t number, Run run) {
  for (auto operands : warps()) {
    std::vector<Word> values;
    for (auto& operand : operands) {
      if (!snippet.operands.empty() && snippet.operands[0] == "pred") operand[0] = operand[0] % 2;
      values.push_back(operand[0]);
    }
    const auto results = run(number, operands, 32);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const auto wrong =
          difference(snippet, operands[lane], low_bits(results[lane][0], snippet.result),
                     snippet.of_lane(values, lane));
      if (wrong) return "lane " + std::to_string(lane) + " " + *wrong;
    }
  }
  return std::nullopt;
}

void expect_all_right(const Snippets& area, std::size_t first) {
  for (std::size_t i = 0; i < area.size(); ++i) {
    const auto& snippet = area[i];
    for (const Run run : runs()) {
      SCOPED_TRACE(snippet.instruction + (run == run_on_gpu ? ", on the GPU" : ", translated"));
      if (snippet.of_lane) {
        EXPECT_EQ(check_warp(snippet, first + i, run), std::nullopt);
      } else {
        const auto operands = combinations(snippet);
        EXPECT_EQ(check_alone(snippet, operands, run(first + i, operands, 128)), std::nullopt);
      }
    }
  }
}

struct Area {
  const char* name;
  Snippets (*snippets)();
};

constexpr Area kAreas[] = {{"integer", integer_snippets}, {"bit", bit_snippets},
                           {"compare", compare_snippets}, {"float", float_snippets},
                           {"half", half_snippets},       {"convert", convert_snippets},
                           {"memory", memory_snippets},   {"warp", warp_snippets}};

class Instructions : public testing::TestWithParam<Area> {};

TEST_P(Instructions, GiveWhatPtxSays) {
  std::size_t first = 0;
  for (const auto& area : kAreas) {
    if (std::string(area.name) == GetParam().name) break;
    first += area.snippets().size();
  }

  expect_all_right(GetParam().snippets(), first);
}

INSTANTIATE_TEST_SUITE_P(Of, Instructions, testing::ValuesIn(kAreas),
                         [](const auto& area) { return area.param.name; });

TEST(Snippets, HaveOneKernelEach) {
  EXPECT_NE(find_translated_kernel("snippet_" + std::to_string(snippets().size() - 1)), nullptr);
  EXPECT_EQ(find_translated_kernel("snippet_" + std::to_string(snippets().size())), nullptr);
}

}  // namespace
}  // namespace assay::cuda::on_cpu::ptx::snippets
