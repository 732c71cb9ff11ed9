// Runs each instruction, translated from PTX, on values that matter to it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "cuda_impl/on_cpu/ptx/tests/snippets/gpu.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/left_open.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/operands.hpp"
#include "cuda_impl/on_cpu/ptx/translated.hpp"
#include "cuda_impl/on_cpu/scheduler/grid.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

using Word = std::uint64_t;

const Snippets& snippets() {
  static const auto all = all_snippets();
  return all;
}

/// Runs the kernel of snippet `number`, with one thread for each set of operands.
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

/// Runs on the translation, and also on a GPU if ASSAY_SNIPPETS_ON_GPU is set.
std::vector<Run> runs() {
  if (std::getenv("ASSAY_SNIPPETS_ON_GPU") == nullptr) return {run_translated};
  return {run_translated, run_on_gpu};
}

Word low_bits(Word value, const std::string& type) {
  const auto bits = 8 * std::max(bytes_of(type), 2U);
  return bits == 64 ? value : value & ((Word{1} << bits) - 1);
}

/// The differences of one snippet: the first one for each kind of operands, five at most.
class Differences {
 public:
  explicit Differences(const Snippet& snippet) : snippet_(snippet) {}

  void add(const Operands& operands, Word seen, Word expected) {
    add(operands, seen, expected, "");
  }
  void add(const Operands& operands, Word seen, Word expected, const std::string& where) {
    ++count_;
    const auto kind = where.empty() ? kind_of(snippet_, operands) : where;
    if (lines_.size() == 5 || !kinds_.insert(kind).second) return;
    char text[200];
    std::snprintf(text, sizeof text, "of %llx, %llx, %llx (%s): expected %llx, saw %llx",
                  static_cast<unsigned long long>(operands[0]),
                  static_cast<unsigned long long>(operands[1]),
                  static_cast<unsigned long long>(operands[2]), kind.c_str(),
                  static_cast<unsigned long long>(expected), static_cast<unsigned long long>(seen));
    lines_.push_back(text);
  }

  /// Empty if there were no differences.
  std::vector<std::string> lines() const {
    auto lines = lines_;
    if (count_ > lines.size()) lines.push_back("in all " + std::to_string(count_));
    return lines;
  }

 private:
  const Snippet& snippet_;
  std::size_t count_ = 0;
  std::set<std::string> kinds_;
  std::vector<std::string> lines_;
};

using Lines = std::vector<std::string>;

Lines check_alone(const Snippet& snippet, const std::vector<Operands>& operands,
                  const std::vector<Results>& results) {
  Differences wrong(snippet);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Word b = as_read(snippet, operands[i], 1);
    const Word c = as_read(snippet, operands[i], 2);
    if (snippet.expected) {
      const Word expected = snippet.expected(as_read(snippet, operands[i], 0), b, c);
      const Word seen = low_bits(results[i][0], snippet.result);
      if (seen != expected) wrong.add(operands[i], seen, expected);
    }
    if (snippet.expected_memory) {
      // Compares all of the memory, including the part behind the access.
      const Word expected = snippet.expected_memory(operands[i][0], b, c);
      if (!is_same_memory(snippet, results[i][1], expected))
        wrong.add(operands[i], results[i][1], expected);
    }
  }
  return wrong.lines();
}

/// Warps whose lanes are all equal, all different, or in two groups.
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

Lines check_warp(const Snippet& snippet, std::size_t number, Run run) {
  Differences wrong(snippet);
  for (auto operands : warps()) {
    std::vector<Word> values;
    for (auto& operand : operands) {
      if (!snippet.operands.empty() && snippet.operands[0] == "pred") operand[0] = operand[0] % 2;
      values.push_back(operand[0]);
    }
    const auto results = run(number, operands, 32);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const Word seen = low_bits(results[lane][0], snippet.result);
      const Word expected = snippet.of_lane(values, lane);
      const bool is_right = run == run_on_gpu && snippet.of_lane_on_gpu
                                ? snippet.of_lane_on_gpu(seen, lane)
                                : seen == expected;
      if (!is_right) wrong.add(operands[lane], seen, expected, "lane " + std::to_string(lane));
    }
  }
  return wrong.lines();
}

void expect_all_right(const Snippets& area, std::size_t first) {
  for (std::size_t i = 0; i < area.size(); ++i) {
    const auto& snippet = area[i];
    for (const Run run : runs()) {
      SCOPED_TRACE(snippet.instruction + (run == run_on_gpu ? ", on the GPU" : ", translated"));
      if (snippet.of_lane) {
        EXPECT_EQ(check_warp(snippet, first + i, run), Lines());
      } else {
        const auto operands = combinations(snippet);
        EXPECT_EQ(check_alone(snippet, operands, run(first + i, operands, 128)), Lines());
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
