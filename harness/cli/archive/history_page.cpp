// Draws a history.
#include "harness/cli/archive/history_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/cli/archive/history_output.hpp"
#include "harness/page/markup/svg.hpp"
#include "harness/page/report.hpp"

namespace assay::cli {
namespace {

using archive::Change;
using archive::Trend;
using archive::VerdictTrend;
using page::element;
using page::Markup;

constexpr double kWidth = 360, kHeight = 96;
constexpr double kLeft = 8, kTop = 14, kBottom = kHeight - 16;
/// Of series that have not changed.
constexpr std::size_t kMostDrawn = 120;

/// Places of runs and values. The values' range is at least 4 %, so that noise looks like noise.
class Scale {
 public:
  explicit Scale(const Trend& trend) : count_(trend.points.size()) {
    const auto by_center = [](const archive::Point& a, const archive::Point& b) {
      return a.center < b.center;
    };
    const auto [low, high] = std::ranges::minmax_element(trend.points, by_center);
    const double middle = (low->center + high->center) / 2;
    const double half =
        std::max({(high->center - low->center) / 2, 0.02 * std::abs(middle), 1e-12});
    low_ = middle - half;
    high_ = middle + half;
  }

  double x(double run) const {
    return kLeft + run / std::max(1.0, static_cast<double>(count_) - 1) * (kWidth - 2 * kLeft);
  }
  double y(double value) const {
    return kBottom - (value - low_) / (high_ - low_) * (kBottom - kTop);
  }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  std::size_t count_;
  double low_, high_;
};

const char* colour_of(const Change& change) {
  if (change.cause() == archive::Cause::kNoise) return page::colour::kQuiet;
  return change.worse ? page::colour::kBad : page::colour::kGood;
}

/// A vertical line with the number of the change, which its sentence has, too.
Markup mark_of(const Change& change, std::size_t number, const Scale& scale) {
  const double x = scale.x(static_cast<double>(change.index) - 0.5);
  return page::line({x, kTop - 4, x, kBottom + 2}, colour_of(change), "2") +
         page::words(x, kTop - 5, fmt::format("{}", number), "middle");
}

Markup drawing_of(const Trend& trend) {
  const Scale scale(trend);
  Markup content = page::line({kLeft, kBottom + 2, kWidth - kLeft, kBottom + 2},
                              page::colour::kQuiet, "1", "0.5");
  for (std::size_t i = 0; i < trend.points.size(); ++i) {
    const archive::Point& point = trend.points[i];
    const std::string text = fmt::format("{:.4g} {} at {}, {}", point.center, trend.name.unit,
                                         point.circumstances.commit, point.started);
    content += page::titled(page::circle(scale.x(static_cast<double>(i)), scale.y(point.center),
                                         page::colour::kSeries[0]),
                            text);
  }
  for (std::size_t i = 0; i < trend.changes.size(); ++i) {
    content += mark_of(trend.changes[i], i + 1, scale);
  }
  content += page::words(
      kLeft, kHeight - 3,
      fmt::format("{:.3g} to {:.3g} {}", scale.low(), scale.high(), trend.name.unit), "start");
  content +=
      page::words(kWidth - kLeft, kHeight - 3, fmt::format("{} runs", trend.points.size()), "end");
  const std::string what = trend.changes.empty() ? "no change" : "with its changes";
  return page::drawing({name_of(trend), what}, content, kWidth, kHeight);
}

Markup picture_of(const Trend& trend, const archive::Since* since) {
  Markup content = element("p", {}, element("strong", name_of(trend))) + drawing_of(trend);
  for (std::size_t i = 0; i < trend.changes.size(); ++i) {
    content +=
        element("p", {}, fmt::format("{}. {}", i + 1, sentence_of(trend.changes[i], trend, since)));
  }
  if (trend.apart_at_end > 0) {
    content += element("p", {{"class", "odd"}}, about_end_of(trend));
  }
  return element("article", {{"class", "picture"}}, content);
}

Markup part(const char* title, const Markup& pictures) {
  return element("h2", title) + (pictures.empty()
                                     ? element("p", "None.")
                                     : element("div", {{"class", "pictures"}}, pictures));
}

Markup pictures_of(const archive::History& history, const archive::Since* since) {
  Markup changed, apart, unchanged;
  std::size_t drawn = 0, left_out = 0, too_few = 0;
  for (const Trend& trend : history.trends) {
    if (trend.points.empty()) continue;
    if (!trend.changes.empty()) {
      changed += picture_of(trend, since);
    } else if (trend.too_few) {
      ++too_few;
    } else if (drawn++ >= kMostDrawn) {
      ++left_out;
    } else {
      (trend.apart_at_end > 0 ? apart : unchanged) += picture_of(trend, since);
    }
  }
  Markup all = part("Changes of costs", changed);
  if (!apart.empty()) all += part("Costs whose last runs lie apart", apart);
  all += part("Costs without a change", unchanged);
  if (left_out > 0) all += element("p", fmt::format("{} more are not drawn.", left_out));
  if (too_few > 0) all += element("p", fmt::format("{} have too few runs to judge.", too_few));
  return all;
}

Markup verdicts_of(const archive::History& history, const archive::Since* since) {
  Markup all;
  for (const VerdictTrend& trend : history.verdicts) {
    Markup items;
    for (const archive::VerdictChange& change : trend.changes) {
      items += element("li", sentence_of(change, trend, since));
    }
    all += element("h3", fmt::format("{} {}", trend.subject, trend.contract));
    all += element(
        "p", fmt::format("{} runs, {} now", trend.points.size(), trend.points.back().verdict));
    if (!items.empty()) all += element("ol", items);
  }
  if (all.empty()) return all;
  return element("h2", "Verdicts") + all;
}

}  // namespace

std::string to_html(const archive::History& history, const archive::Since* since,
                    const std::string& line) {
  const bool is_synthetic = std::ranges::any_of(history.trends, &Trend::synthetic);
  Markup head = element("meta", {{"charset", "utf-8"}});
  head += element("meta", {{"http-equiv", "Content-Security-Policy"},
                           {"content", "default-src 'none'; style-src 'unsafe-inline'"}});
  head += element("meta", {{"name", "viewport"}, {"content", "width=device-width"}});
  head += element("title", "Assay: history") +
          page::own_source("style", page::page_source("style.css"));
  Markup content;
  if (is_synthetic) {
    content += element("p", {{"class", "warning synthetic"}},
                       element("strong",
                               "! Synthetic: this page has numbers that no machine "
                               "measured."));
  }
  content += element("h1", "History") + element("p", {{"class", "line"}}, line);
  content += verdicts_of(history, since) + pictures_of(history, since);
  const Markup whole = element("html", {{"lang", "en"}},
                               element("head", head) + element("body", element("main", content)));
  return "<!DOCTYPE html>\n" + whole.html() + "\n";
}

}  // namespace assay::cli
