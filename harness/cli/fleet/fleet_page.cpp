// Draws a fleet.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "harness/cli/fleet/fleet_page_parts.hpp"
#include "harness/page/markup/parts.hpp"
#include "harness/page/markup/svg.hpp"
#include "harness/page/report.hpp"

namespace assay::cli {
namespace {

using fleet::Difference;
using fleet::Gpu;
using fleet::Verdict;
using page::element;
using page::Markup;

constexpr double kCell = 14, kStripWidth = 1120;
/// The scale of the drawings of families, as a share.
constexpr double kMostShift = 0.1;
constexpr double kRowHeight = 44, kRowLeft = 110;
/// Of a fleet that is as a whole unlike itself; the table of all has the others.
constexpr std::size_t kMostOdd = 100;
constexpr std::size_t kMostReasonsShown = 3;

Markup meta(const std::vector<page::Attribute>& attributes) { return element("meta", attributes); }

std::string anchor_of(const Gpu& gpu) { return page::anchor_of("gpu", gpu.id); }

class FleetPage {
 public:
  explicit FleetPage(const JudgedFleet& judged) : judged_(judged) {
    for (std::size_t verdict = 0; verdict + 1 < fleet::kVerdicts; ++verdict) {
      for (std::size_t i = 0; i < gpus().size(); ++i) {
        if (of(i).verdict == verdict_at(verdict)) odd_.push_back(i);
      }
    }
  }

  std::string html() const {
    Markup head = meta({{"charset", "utf-8"}});
    head += meta({{"http-equiv", "Content-Security-Policy"},
                  {"content", "default-src 'none'; style-src 'unsafe-inline'"}});
    head += meta({{"name", "viewport"}, {"content", "width=device-width"}});
    head += element("title", "Assay: fleet") +
            page::own_source("style", page::page_source("style.css"));
    Markup content;
    if (judged_.is_synthetic()) {
      content += element(
          "p", {{"class", "warning synthetic"}},
          element("strong", "! Synthetic: this page has numbers that no machine measured."));
    }
    content += element("h1", fmt::format("Fleet: {}", page::counted(gpus().size(), "GPU")));
    content +=
        element("p", {{"class", "line"}}, page::marked_line(judged_.line, judged_.exit_code));
    content += strip() + odd_table() + notes() + families() + cards() + settings_of(judged_) +
               method_of(judged_) + all_of(judged_);
    const Markup whole = element("html", {{"lang", "en"}},
                                 element("head", head) + element("body", element("main", content)));
    return "<!DOCTYPE html>\n" + whole.html() + "\n";
  }

 private:
  const std::vector<Gpu>& gpus() const { return judged_.fleet.gpus; }
  const fleet::Judged& of(std::size_t i) const { return judged_.judgement.gpus[i]; }

  std::size_t count(Verdict verdict) const {
    return judged_.judgement.counts[static_cast<std::size_t>(verdict)];
  }

  /// One square a GPU, in the order of hosts; those that are not like the others have a letter.
  Markup strip() const {
    const auto columns = static_cast<std::size_t>(kStripWidth / kCell);
    Markup content;
    for (std::size_t i = 0; i < gpus().size(); ++i) {
      const Look& look = look_of(of(i).verdict);
      const std::size_t row = i / columns;
      const double x = static_cast<double>(i % columns) * kCell;
      const double y = static_cast<double>(row) * kCell;
      const bool is_like = of(i).verdict == Verdict::kLike;
      Markup cell =
          page::box({x + 1, y + 1, kCell - 2, kCell - 2}, look.colour, is_like ? "0.35" : "1");
      if (*look.letter != '\0') {
        cell += page::words(x + kCell / 2, y + kCell - 3.5, look.letter, "middle");
      }
      content +=
          page::titled(cell, fmt::format("{}: {}", name_of(gpus()[i]), name_of(of(i).verdict)));
    }
    const std::size_t rows = (gpus().size() + columns - 1) / columns;
    const double width = static_cast<double>(std::min(columns, gpus().size())) * kCell;
    Markup legend;
    for (std::size_t v = 0; v < fleet::kVerdicts; ++v) {
      const Verdict verdict = verdict_at(v);
      legend += page::colour_symbol(look_of(verdict).colour) +
                Markup(" " + tally(count(verdict), verdict) + "   ");
    }
    return element(
               "div", {{"class", "picture"}},
               page::drawing({"All GPUs", summary_for_readers()}, content, std::max(width, kCell),
                             static_cast<double>(std::max<std::size_t>(rows, 1)) * kCell)) +
           element("p", {{"class", "under"}}, legend);
  }

  std::string summary_for_readers() const {
    return fmt::format("{} of {} are like the others", count(Verdict::kLike), gpus().size());
  }

  Markup reasons(const fleet::Judged& judged, std::size_t most) const {
    Markup items;
    for (std::size_t i = 0; i < std::min(most, judged.reasons.size()); ++i) {
      items += element("li", judged.reasons[i]);
    }
    if (judged.reasons.size() > most) {
      items += element("li", fmt::format("{} more below", judged.reasons.size() - most));
    }
    return element("ul", items);
  }

  Markup odd_table() const {
    if (odd_.empty()) return element("p", "No GPU is apart from the others.");
    page::Table table{
        "GPUs that are not like the others, the worst first", {"GPU", "verdict", "why"}, {}, false};
    for (std::size_t place = 0; place < std::min(kMostOdd, odd_.size()); ++place) {
      const Gpu& gpu = gpus()[odd_[place]];
      const fleet::Judged& judged = of(odd_[place]);
      Markup name = page::link_to(anchor_of(gpu), gpu.id);
      if (!gpu.label.empty()) name += element("br", Markup()) + element("small", gpu.label);
      table.rows.push_back({{{name, {}, false},
                             {mark(judged.verdict), {}, false},
                             {reasons(judged, kMostReasonsShown), {}, false}},
                            ""});
    }
    Markup made = page::to_markup(table);
    if (odd_.size() > kMostOdd) {
      made += element("p",
                      fmt::format("{} more are in the table of all GPUs.", odd_.size() - kMostOdd));
    }
    return made;
  }

  Markup notes() const {
    Markup items;
    for (const std::string& note : judged_.judgement.notes) items += element("li", note);
    return items.empty() ? items : element("h2", "True of the fleet") + element("ul", items);
  }

  /// Where all GPUs lie in each family: a faint line each, and a circle for the odd ones.
  Markup families() const {
    const double width = kStripWidth, half = (width - kRowLeft - 20) / 2;
    const auto x = [&](double ratio) {
      return kRowLeft + half * (1 + std::clamp(ratio - 1, -kMostShift, kMostShift) / kMostShift);
    };
    Markup content;
    double top = 0;
    for (std::size_t f = 0; f < fleet::kFamilies; ++f) {
      std::vector<double> ticks;
      Markup circles;
      for (std::size_t i = 0; i < gpus().size(); ++i) {
        const auto& place = of(i).places[f];
        if (!place) continue;
        const double ratio = std::exp(place->shift);
        if (of(i).verdict == Verdict::kOddOne && place->apart) {
          circles += page::titled(page::circle(x(ratio), top + 22, page::colour::kOdd),
                                  fmt::format("{}: {}", name_of(gpus()[i]), signed_percent(ratio)));
        } else {
          ticks.push_back(x(ratio));
        }
      }
      if (ticks.empty() && circles.empty()) continue;
      const auto family = fleet::Family{static_cast<std::uint8_t>(f)};
      content += page::words(kRowLeft - 10, top + 26, std::string(fleet::name_of(family)), "end");
      content += page::box({x(1 - judged_.options.margin), top + 8,
                            x(1 + judged_.options.margin) - x(1 - judged_.options.margin), 28},
                           page::colour::kGood, "0.12");
      content += page::ticks(ticks, {top + 10, 24, "1.5", "0.35"}) + circles;
      top += kRowHeight;
    }
    if (top == 0) return {};
    for (const double share : {-0.1, -0.05, 0.0, 0.05, 0.1}) {
      content +=
          page::words(x(1 + share), top + 12, fmt::format("{:+.0f} %", 100 * share), "middle");
    }
    return element("h2", "Where all GPUs are") +
           element(
               "p",
               fmt::format("A line for each GPU: its times beside the median of its neighbours, to "
                           "the right slower. The band is the margin of {:.0f} %; odd ones are "
                           "circles. What is beyond the scale is at its end. A healthy fleet may "
                           "have several levels.",
                           100 * judged_.options.margin)) +
           element("div", {{"class", "picture"}},
                   page::drawing({"Families of quantities", "times beside the neighbours'"},
                                 content, width, top + 20));
  }

  Markup cards() const {
    Markup all;
    for (std::size_t place = 0; place < std::min(kMostOdd, odd_.size()); ++place) {
      all += card(gpus()[odd_[place]], of(odd_[place]));
    }
    return all.empty() ? all : element("h2", "The GPUs one by one") + all;
  }

  Markup card(const Gpu& gpu, const fleet::Judged& judged) const {
    Markup content = element("h3", {{"id", anchor_of(gpu)}}, name_of(gpu)) +
                     element("p", mark(judged.verdict)) + reasons(judged, judged.reasons.size());
    content += wrong_table(gpu) + differences_table(judged);
    Markup known = Markup(fmt::format("{}; {} of a run, {} of a bench; compared in {} with {}",
                                      gpu.model.empty() ? "unknown model" : gpu.model,
                                      page::counted(gpu.runs, "record"), gpu.benches,
                                      page::counted(judged.compared, "quantity").ends_with("s")
                                          ? fmt::format("{} quantities", judged.compared)
                                          : "1 quantity",
                                      page::counted(judged.neighbours, "neighbour")));
    for (const auto& [setting, value] : gpu.settings) known += "; " + setting + ": " + value;
    return element("article", {{"class", "card"}},
                   content + element("p", {{"class", "under"}}, known));
  }

  Markup wrong_table(const Gpu& gpu) const {
    if (gpu.red.empty()) return {};
    page::Table table{"Cases and loops without the right bits",
                      {"subject, contract, case", "times", "wrong", "no answer", "first"},
                      {},
                      false};
    for (const auto& [name, red] : gpu.red) {
      table.rows.push_back({{{page::breakable(name), {}, false},
                             page::number(red.times),
                             page::number(red.wrong),
                             page::number(red.dead),
                             {page::cut(red.sentence, 300), {}, false}},
                            ""});
    }
    return page::to_markup_with_fold(std::move(table), 10, "case");
  }

  Markup differences_table(const fleet::Judged& judged) const {
    if (judged.differences.empty()) return {};
    page::Table table{"Confirmed differences",
                      {"quantity", "family", "time", "others", "beside them", "own floor",
                       "others'", "usual distances", "p, corrected"},
                      {},
                      false};
    for (const Difference& one : judged.differences) {
      const auto time = [](const std::optional<double>& ns) {
        return ns ? fmt::format("{} ns", page::figure(*ns)) : std::string();
      };
      const auto floor = [&](const std::optional<double>& floors) {
        return floors ? fmt::format("{} {}", page::figure(*floors), one.floor_unit) : std::string();
      };
      const bool is_drift = one.kind == Difference::Kind::kDrift;
      table.rows.push_back(
          {{{page::breakable(one.name + (is_drift ? ", second half beside the first" : "")),
             {},
             false},
            {std::string(fleet::name_of(one.family)), {}, false},
            {time(one.own_ns), {}, true},
            {time(one.their_ns), {}, true},
            {signed_percent(one.ratio), {}, true},
            {floor(one.own_floor), {}, true},
            {floor(one.their_floor), {}, true},
            {fmt::format("{:.1f}", one.z), {}, true},
            {fmt::format("{:.1g}", one.p), {}, true}},
           ""});
    }
    table.drop_empty_columns();
    return page::to_markup_with_fold(std::move(table), 12, "difference");
  }

  const JudgedFleet& judged_;
  std::vector<std::size_t> odd_;  ///< the worst verdicts first
};

}  // namespace

std::string to_html(const JudgedFleet& judged) { return FleetPage(judged).html(); }

}  // namespace assay::cli
