// Votes, shuffles, matches and reductions of a warp: each lane's result from all lanes' values.
#include <algorithm>
#include <utility>

#include "cuda_impl/on_cpu/ptx/tests/snippets/left_open.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/numbers.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

using Word = std::uint64_t;
using Values = std::span<const Word>;

constexpr std::uint32_t kWidths[] = {32, 8, 1};

/// The operand c of shfl for segments of `width` lanes, as __shfl_sync sets it.
std::string control_of(std::uint32_t width, bool is_up) {
  return std::to_string((32 - width) << 8 | (is_up ? 0U : 31U));
}

/// The lane that is read, if any, as CUDA documents it for __shfl_sync and its variants.
struct Shuffle {
  const char* name;
  std::int64_t (*source)(std::int64_t lane, std::int64_t b, std::int64_t width);
};

std::int64_t within(std::int64_t source, std::int64_t lane, std::int64_t width) {
  return source >= 0 && source / width == lane / width ? source : -1;
}

constexpr Shuffle kShuffles[] = {
    {"up", [](std::int64_t lane, std::int64_t b,
              std::int64_t width) { return within(lane - b, lane, width); }},
    {"down", [](std::int64_t lane, std::int64_t b,
                std::int64_t width) { return within(lane + b, lane, width); }},
    // A lane may read an earlier segment but not a later one.
    {"bfly",
     [](std::int64_t lane, std::int64_t b, std::int64_t width) {
       const auto source = lane ^ b;
       return source / width > lane / width ? std::int64_t{-1} : source;
     }},
    {"idx", [](std::int64_t lane, std::int64_t b, std::int64_t width) {
       return lane / width * width + b % width;
     }}};

void add_shuffles(Snippets& all) {
  for (const auto& shuffle : kShuffles) {
    for (const auto width : kWidths) {
      for (const std::int64_t b : {0, 1, 5, 31}) {
        const auto text = "shfl.sync." + std::string(shuffle.name) + ".b32 ";
        const auto tail = ", %a, " + std::to_string(b) + ", " +
                          control_of(width, shuffle.name == std::string("up")) + ", -1";
        const auto source = [=](std::uint32_t lane) { return shuffle.source(lane, b, width); };
        all.push_back(
            {text + "%d" + tail, "b32", {"b32"}, {}, {}, [=](Values values, std::uint32_t lane) {
               const auto from = source(lane);
               return values[from < 0 ? lane : static_cast<std::size_t>(from)] & 0xffffffff;
             }});
        all.push_back({"{ .reg .b32 %x; " + text + "%x|%d" + tail + "; }",
                       "pred",
                       {"b32"},
                       {},
                       {},
                       [=](Values, std::uint32_t lane) { return Word{source(lane) >= 0}; }});
      }
    }
  }
}

void add_votes(Snippets& all) {
  const auto add = [&](const std::string& instruction, const std::string& result, auto function) {
    all.push_back({instruction, result, {"pred"}, {}, {}, [=](Values values, std::uint32_t) {
                     const auto yes =
                         std::count_if(values.begin(), values.end(), [](Word a) { return a != 0; });
                     return function(static_cast<Word>(yes), values);
                   }});
  };
  add("vote.sync.all.pred %d, %a, -1", "pred", [](Word yes, Values) { return Word{yes == 32}; });
  add("vote.sync.any.pred %d, %a, -1", "pred", [](Word yes, Values) { return Word{yes != 0}; });
  add("vote.sync.any.pred %d, !%a, -1", "pred", [](Word yes, Values) { return Word{yes != 32}; });
  add("vote.sync.uni.pred %d, %a, -1", "pred",
      [](Word yes, Values) { return Word{yes == 0 || yes == 32}; });
  for (const std::string vote : {"vote.sync.ballot.b32", "vote.ballot.sync.b32"}) {
    add(vote + " %d, %a, -1", "b32", [](Word, Values values) {
      Word ballot = 0;
      for (auto value = values.rbegin(); value != values.rend(); ++value)
        ballot = ballot * 2 + (*value != 0 ? 1 : 0);
      return ballot;
    });
  }
  add("bar.red.popc.u32 %d, 0, %a", "u32", [](Word yes, Values) { return yes; });
  add("bar.red.and.pred %d, 0, %a", "pred", [](Word yes, Values) { return Word{yes == 32}; });
  add("bar.red.or.pred %d, 1, 32, %a", "pred", [](Word yes, Values) { return Word{yes != 0}; });
  add("barrier.cta.red.popc.aligned.u32 %d, 0, !%a", "u32",
      [](Word yes, Values) { return 32 - yes; });
}

void add_matches(Snippets& all) {
  for (const std::string type : {"b32", "b64"}) {
    const auto lanes_like = [=](Values values, Word value) {
      Word lanes = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (cut(static_cast<Wide>(values[i] ^ value), width_of(type)) == 0) lanes |= Word{1} << i;
      }
      return lanes;
    };
    all.push_back(
        {"match.any.sync." + type + " %d, %a, -1",
         "b32",
         {type},
         {},
         {},
         [=](Values values, std::uint32_t lane) { return lanes_like(values, values[lane]); }});
    const auto all_lanes = [=](Values values) {
      return lanes_like(values, values[0]) == 0xffffffff;
    };
    all.push_back(
        {"match.all.sync." + type + " %d, %a, -1",
         "b32",
         {type},
         {},
         {},
         [=](Values values, std::uint32_t) { return all_lanes(values) ? 0xffffffff : Word{0}; }});
    all.push_back({"{ .reg .b32 %x; match.all.sync." + type + " %x|%d, %a, -1; }",
                   "pred",
                   {type},
                   {},
                   {},
                   [=](Values values, std::uint32_t) { return Word{all_lanes(values)}; }});
  }
}

void add_reductions(Snippets& all) {
  const auto add = [&](const std::string& operation, const std::string& type, auto function) {
    all.push_back({"redux.sync." + operation + "." + type + " %d, %a, -1",
                   type,
                   {type},
                   {},
                   {},
                   [=](Values values, std::uint32_t) {
                     Wide result = number_of(values[0], type);
                     for (const Word value : values.subspan(1))
                       result = function(result, number_of(value, type));
                     return cut(result, 32);
                   }});
  };
  for (const std::string type : {"u32", "s32"}) {
    add("add", type, [](Wide a, Wide b) { return a + b; });
    add("min", type, [](Wide a, Wide b) { return a < b ? a : b; });
    add("max", type, [](Wide a, Wide b) { return a > b ? a : b; });
  }
  add("and", "b32", [](Wide a, Wide b) { return a & b; });
  add("or", "b32", [](Wide a, Wide b) { return a | b; });
  add("xor", "b32", [](Wide a, Wide b) { return a ^ b; });
}

void add_places(Snippets& all) {
  const auto add = [&](const std::string& name, auto function, PossibleOfLane on_gpu = {}) {
    all.push_back({"mov.u32 %d, %" + name,
                   "u32",
                   {},
                   {},
                   {},
                   [=](Values, std::uint32_t lane) { return Word{function(lane)} & 0xffffffff; },
                   std::move(on_gpu)});
  };
  add("laneid", [](Word lane) { return lane; });
  add("tid.x", [](Word lane) { return lane; });
  add("tid.y", [](Word) { return Word{0}; });
  add("ntid.x", [](Word) { return Word{32}; });
  add("ntid.z", [](Word) { return Word{1}; });
  add("nctaid.x", [](Word) { return Word{1}; });
  add("ctaid.z", [](Word) { return Word{0}; });
  add(
      "warpid", [](Word) { return Word{0}; }, is_warp_identifier);
  add("nwarpid", [](Word) { return Word{kWarpIdentifiers}; });
  add("lanemask_eq", [](Word lane) { return Word{1} << lane; });
  add("lanemask_lt", [](Word lane) { return (Word{1} << lane) - 1; });
  add("lanemask_le", [](Word lane) { return (Word{2} << lane) - 1; });
  add("lanemask_gt", [](Word lane) { return ~((Word{2} << lane) - 1); });
  add("lanemask_ge", [](Word lane) { return ~((Word{1} << lane) - 1); });
  all.push_back({"activemask.b32 %d",
                 "b32",
                 {},
                 {},
                 {},
                 [](Values, std::uint32_t lane) { return Word{1} << lane; },
                 is_mask_with});
}

}  // namespace

Snippets warp_snippets() {
  Snippets all;
  add_shuffles(all);
  add_votes(all);
  add_matches(all);
  add_reductions(all);
  add_places(all);
  return all;
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
