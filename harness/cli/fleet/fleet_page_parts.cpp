// Makes the parts of the page.
#include "harness/cli/fleet/fleet_page_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "harness/page/markup/parts.hpp"
#include "harness/page/markup/svg.hpp"

namespace assay::cli {
namespace {

using fleet::Gpu;
using fleet::Verdict;
using page::element;
using page::Markup;

Markup meanings() {
  constexpr std::array<const char*, fleet::kVerdicts> kMeanings{
      "a case or a loop gave other bits than demanded, at least once, and not on nearly all GPUs",
      "a setting is not that of most GPUs of its model",
      "a time is apart from every level that the others have, or a case got no answer here only",
      "too few neighbours, too much missing, or apart and not confirmed",
      "within the margin, or within what healthy GPUs differ by"};
  Markup items;
  for (std::size_t v = 0; v < fleet::kVerdicts; ++v) {
    items += element("dt", std::string(name_of(verdict_at(v)))) + element("dd", kMeanings[v]);
  }
  return element("dl", items);
}

Markup records_of(const JudgedFleet& judged) {
  std::size_t runs = 0, benches = 0, processes = 0;
  std::string first, last;
  for (const Gpu& gpu : judged.fleet.gpus) {
    runs += gpu.runs;
    benches += gpu.benches;
    for (const auto& [key, row] : gpu.rows) processes = std::max(processes, row.rounds.size());
    if (first.empty() || gpu.started < first) first = gpu.started;
    last = std::max(last, gpu.started);
  }
  return element(
      "p", fmt::format("{} of runs and {} of benches, started from {} to {}; up to {} "
                       "of each quantity and GPU.",
                       page::counted(runs, "record"), benches, first, last,
                       processes == 1 ? "1 process" : fmt::format("{} processes", processes)));
}

}  // namespace

const Look& look_of(Verdict verdict) {
  static constexpr std::array<Look, fleet::kVerdicts> kLooks{
      {{"W", page::colour::kBad, "bad"},
       {"M", page::colour::kWaived, "waived"},
       {"O", page::colour::kOdd, "odd"},
       {"?", page::colour::kQuiet, "quiet"},
       {"", page::colour::kGood, "good"}}};
  return kLooks[static_cast<std::size_t>(verdict)];
}

Verdict verdict_at(std::size_t index) { return Verdict{static_cast<std::uint8_t>(index)}; }

std::string signed_percent(double ratio) { return fmt::format("{:+.1f} %", 100 * (ratio - 1)); }

Markup mark(Verdict verdict) {
  const Look& look = look_of(verdict);
  const std::string letter = *look.letter == '\0' ? "✓ " : std::string(look.letter) + " ";
  return element("span", {{"class", look.style}}, letter + std::string(name_of(verdict)));
}

Markup settings_of(const JudgedFleet& judged) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::size_t>> counts;
  for (const Gpu& gpu : judged.fleet.gpus) {
    const std::string model = gpu.model.empty() ? "unknown model" : gpu.model;
    for (const auto& [setting, value] : gpu.settings) ++counts[{model, setting}][value];
  }
  if (counts.empty()) return {};
  page::Table table{"Settings", {"model", "setting", "value", "GPUs"}, {}, false};
  for (const auto& [key, values] : counts) {
    for (const auto& [value, number] : values) {
      table.rows.push_back({{{key.first, {}, false},
                             {key.second, {}, false},
                             {value, {}, false},
                             page::number(number)},
                            ""});
    }
  }
  return element("h2", "How they are set up") + page::to_markup(table);
}

Markup method_of(const JudgedFleet& judged) {
  Markup items;
  for (const fleet::Group& group : judged.judgement.groups) {
    items +=
        element("li", fmt::format("{}: {}, {} quantities compared", group.name,
                                  page::counted(group.members.size(), "GPU"), group.quantities));
  }
  return element("h2", "How it was judged") + meanings() + records_of(judged) +
         element(
             "p",
             fmt::format(
                 "A GPU is compared with its group. It is odd if it is more than {:.3g} % "
                 "away from every level that the others have, and if that is not "
                 "chance: Holm's correction for all {} tests keeps the probability of "
                 "any odd GPU in a healthy fleet below {:.3g} %. A setting is wrong if "
                 "more than half of the model's GPUs have another one. Wrong bits need "
                 "no statistics: one is enough. \"Times what GPUs differ by\" is the distance "
                 "divided by how far healthy GPUs of the group lie apart in that quantity.",
                 100 * judged.options.margin, judged.judgement.tests, 100 * judged.options.alpha)) +
         element("ul", items);
}

Markup all_of(const JudgedFleet& judged) {
  std::vector<Markup> columns{"GPU", "host", "model", "verdict"};
  for (std::size_t f = 0; f < fleet::kFamilies; ++f) {
    columns.emplace_back(std::string(fleet::name_of(fleet::Family{static_cast<std::uint8_t>(f)})));
  }
  page::Table table{"All GPUs, with their times beside their neighbours'", columns, {}, false};
  for (std::size_t i = 0; i < judged.fleet.gpus.size(); ++i) {
    page::TableRow row{{{judged.fleet.gpus[i].id, {}, false},
                        {judged.fleet.gpus[i].label, {}, false},
                        {judged.fleet.gpus[i].model, {}, false},
                        {mark(judged.judgement.gpus[i].verdict), {}, false}},
                       ""};
    for (const auto& place : judged.judgement.gpus[i].places) {
      row.cells.push_back({place ? signed_percent(std::exp(place->shift)) : "", {}, true});
    }
    table.rows.push_back(std::move(row));
  }
  table.drop_empty_columns();
  return element("h2", "All") + page::foldable("All GPUs", page::to_markup(table));
}

}  // namespace assay::cli
