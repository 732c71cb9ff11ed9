// The headline numbers of a record of costs.
#include <fmt/format.h>

#include <array>

#include "harness/page/data/cost.hpp"
#include "harness/page/data/steps.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

using report::BenchMeasurement;

struct Headline {
  const char* quantity;
  const char* name;  ///< the case with the axes that matter
  const char* words;
};

constexpr std::array<Headline, 6> kHeadlines{{
    {"host.dispatch_ns", "dispatch/typed/tensors=1", "A typed call through the dispatcher"},
    {"instr.count", "dispatch/typed/tensors=1", "A typed call through the dispatcher"},
    {"host.launch_ns", "launch/kernel", "A launch"},
    {"host.submit_ns", "submit/kernel", "A launch, one of many before a wait"},
    {"e2e.sync_ns", "sync/kernel", "A launch and the wait for it"},
    {"graph.node_ns", "graph/kernel", "A node of a replayed graph"},
}};

Markup number_of(const Bench& bench, const BenchMeasurement& measured) {
  const double center = *measured.center;
  Markup text =
      Markup(measured.subject) + " " +
      link_to_measurement(bench, measured,
                          fmt::format("{}\u00a0{}", number_text(measured), measured.unit));
  const std::string interval = interval_text(center, measured.interval);
  if (!interval.empty()) text += element("span", {{"class", "tag"}}, " (" + interval + ")");
  return text;
}

/// The first measurement of each subject.
Markup item_of(const Bench& bench, const Headline& headline) {
  Markup numbers;
  for (const report::BenchSubject& subject : bench.record->subjects) {
    const BenchMeasurement* measured =
        subject.copy_of ? nullptr : first_of(bench, subject.id, headline.quantity, headline.name);
    if (measured != nullptr)
      numbers += (numbers.empty() ? Markup() : Markup(", ")) + number_of(bench, *measured);
  }
  return numbers.empty() ? numbers : element("li", Markup(headline.words) + ": " + numbers);
}

/// The bandwidth of the largest unscale as a share of the largest copy.
Markup share_of_roof(const Bench& bench) {
  Markup items;
  for (const report::BenchSubject& subject : bench.record->subjects) {
    const BenchMeasurement* roof = report::roof_of(*bench.record, subject.id);
    if (roof == nullptr || subject.copy_of) continue;
    const BenchMeasurement* largest = nullptr;
    for (const BenchMeasurement& measured : bench.record->measurements) {
      if (measured.subject != subject.id || measured.case_name != "device/unscale") continue;
      if (!report::bandwidth_of(measured)) continue;
      if (largest == nullptr || *measured.bytes > *largest->bytes) largest = &measured;
    }
    if (largest == nullptr) continue;
    const double share = *report::bandwidth_of(*largest) / *report::bandwidth_of(*roof);
    items +=
        element("li", Markup("Unscale, the largest: ") + subject.id + " " +
                          link_to(anchor_of_measurement(bench, *largest),
                                  fmt::format("{:.0f}\u00a0% of the memory's roof", 100 * share)));
  }
  return items;
}

/// A step of Adam over many tensors, in any mode.
Markup steps(const Bench& bench) {
  Markup numbers;
  for (const TrainingStep& step : steps_of(bench)) {
    if (step.name != kTypicalStep) continue;
    numbers += (numbers.empty() ? Markup() : Markup(", ")) + step.subject + " " +
               link_to("scaler-step", fmt::format("{:g}\u00a0launches", step.all("launches")));
  }
  if (numbers.empty()) return {};
  return element("li", Markup("A training step, ") + kTypicalStep + ": " + numbers);
}

}  // namespace

Markup headlines_of(const Bench& bench) {
  Markup items;
  for (const Headline& headline : kHeadlines) items += item_of(bench, headline);
  items += share_of_roof(bench) + steps(bench);
  return items.empty() ? items : element("ul", items);
}

}  // namespace assay::page
