// The launch ladder: from a call without a device to a launch with the wait for its work.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/page/sections/ladder.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

struct Stage {
  const char* words;
  const char* quantity;
  const char* name;  ///< the case with the axes that matter
};

constexpr std::array<Stage, 5> kStages{{
    {"A call through the dispatcher, without a device", "host.dispatch_ns",
     "dispatch/typed/tensors=1"},
    {"A node of a replayed graph", "graph.node_ns", "graph/kernel"},
    {"A launch, until its call returns", "host.launch_ns", "launch/kernel"},
    {"A launch, one of many before a wait", "host.submit_ns", "submit/kernel"},
    {"A launch and the wait for it", "e2e.sync_ns", "sync/kernel"},
}};

LadderRow ladder_row_of(const Bench& bench, const Stage& stage) {
  LadderRow row{Markup(stage.words), stage.words, {}};
  for (const report::BenchSubject& subject : bench.record->subjects)
    row.of_subject.push_back(first_of(bench, subject.id, stage.quantity, stage.name));
  return row;
}

bool has_number(const LadderRow& row) {
  return std::ranges::any_of(row.of_subject,
                             [](const auto* measured) { return measured != nullptr; });
}

}  // namespace

Markup launch_ladder(const Bench& bench) {
  constexpr std::size_t kLeast = 3;  // the minimum for a ladder
  Ladder ladder{"The smallest launch, stage by stage, in ns", "ns", {}, "Stage", true, false};
  for (const Stage& stage : kStages) {
    LadderRow row = ladder_row_of(bench, stage);
    if (has_number(row)) ladder.rows.push_back(std::move(row));
  }
  if (ladder.rows.size() < kLeast) return {};
  std::string floor;
  if (const auto& call = bench.record->calibration.null_call_ns)
    floor = fmt::format("The floor, a call through a function pointer, takes {} ns here.",
                        figure(call->center));
  return element("h3", "The launch ladder") +
         (floor.empty() ? Markup() : element("p", {{"class", "under"}}, floor)) +
         to_markup(bench, ladder);
}

}  // namespace assay::page
