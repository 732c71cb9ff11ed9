// Writes what `assay history` found.
#include "harness/cli/archive/history_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

using archive::Change;
using archive::History;
using archive::Judged;
using archive::Since;
using archive::Trend;
using archive::VerdictChange;
using archive::VerdictTrend;
using Json = nlohmann::ordered_json;

std::string commit_of(const archive::Circumstances& of) {
  if (of.commit.empty()) return "an unknown commit";
  return of.commit.substr(0, 12) + (of.dirty ? "+" : "");
}

std::string direction_of(const Change& change, const archive::SeriesName& name) {
  const bool is_time = name.unit == "ns" && !name.exact;
  if (is_time) return change.worse ? "slower" : "faster";
  return change.after > change.before ? "more" : "fewer";
}

std::string share_of(const Change& change) {
  if (!std::isfinite(change.ratio) || change.ratio == 0) return "";
  const double ratio = std::max(change.ratio, 1 / change.ratio);
  return fmt::format(" by {:.2g} %", 100 * (ratio - 1));
}

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

std::string state_of(const Trend& trend) {
  std::string text = fmt::format("{} run{}", trend.points.size(), plural(trend.points.size()));
  if (trend.synthetic) text += ", imaginary numbers";
  if (trend.too_few) return text + ", too few to judge";
  const archive::Point& now = trend.points.back();
  text += fmt::format(", {:.4g} {} now", now.center, one_line(trend.name.unit));
  if (!trend.name.exact) text += fmt::format(", noise of a run {:.2g} %", 100 * trend.noise);
  if (trend.apart_at_end > 0) text += "; " + about_end_of(trend);
  return text;
}

std::string in_words(const Change& change, const Trend& trend, const Since* since) {
  const archive::Point& first = trend.points[change.index];
  std::string text =
      fmt::format("{}{}: {:.4g} to {:.4g} {}, at {} ({}, run {} of {}",
                  direction_of(change, trend.name), share_of(change), change.before, change.after,
                  one_line(trend.name.unit), one_line(commit_of(first.circumstances)),
                  one_line(first.started), change.index + 1, trend.points.size());
  text += change.p ? fmt::format(", p {:.2g})", *change.p) : std::string(", exact)");
  if (since != nullptr && since->is_newer(first)) text += " NEW";
  return text;
}

std::string in_words(const VerdictChange& change, const VerdictTrend& trend, const Since* since) {
  const Judged& before = trend.points[change.index - 1];
  const Judged& after = trend.points[change.index];
  std::string text = fmt::format("{} to {}, at {} ({}, run {} of {})", one_line(before.verdict),
                                 one_line(after.verdict), one_line(commit_of(after.circumstances)),
                                 one_line(after.started), change.index + 1, trend.points.size());
  if (after.passed < before.passed) {
    text += fmt::format(", {} cases pass instead of {}", after.passed, before.passed);
  }
  if (since != nullptr && since->is_newer(after)) text += " NEW";
  return text;
}

std::string reasons_as_sentence(const std::vector<archive::Reason>& reasons) {
  std::string text;
  for (const archive::Reason& reason : reasons) {
    text += fmt::format("{} {}: {}", text.empty() ? "." : "; also", name_of(reason.cause),
                        reason.words);
  }
  return text;
}

std::string reasons_in_words(const std::vector<archive::Reason>& reasons) {
  std::string text;
  for (const archive::Reason& reason : reasons) {
    const char* also = &reason == &reasons.front() ? "" : "also ";
    text += fmt::format("      {}{}: {}\n", also, name_of(reason.cause), one_line(reason.words));
  }
  return text;
}

std::string text_of(const Change& change, const Trend& trend, const Since* since) {
  return "    " + in_words(change, trend, since) + "\n" + reasons_in_words(change.reasons);
}

std::string list_of(const char* what, const std::vector<std::string>& cases) {
  if (cases.empty()) return "";
  constexpr std::size_t kMost = 5;
  std::string text = fmt::format("      {} case{} {}:", cases.size(), plural(cases.size()), what);
  for (std::size_t i = 0; i < std::min(kMost, cases.size()); ++i) text += " " + one_line(cases[i]);
  if (cases.size() > kMost) text += " …";
  return text + "\n";
}

std::string text_of(const VerdictChange& change, const VerdictTrend& trend, const Since* since) {
  std::string text = "    " + in_words(change, trend, since) + "\n";
  text += list_of("newly red", change.newly_red) + list_of("no longer red", change.no_longer_red);
  if (!change.newly_red.empty()) {
    for (const std::string& cause : trend.points[change.index].causes) {
      text += fmt::format("      fails as if: {}\n", one_line(cause));
    }
  }
  return text + reasons_in_words(change.reasons);
}

Json json_of(const std::vector<archive::Reason>& reasons) {
  Json list = Json::array();
  for (const archive::Reason& reason : reasons) {
    list.push_back({{"cause", name_of(reason.cause)}, {"words", reason.words}});
  }
  return list;
}

template <typename Point>
Json place_json(const Point& point) {
  return {{"hash", point.hash},
          {"started", point.started},
          {"commit", point.circumstances.commit},
          {"dirty", point.circumstances.dirty},
          {"machine", point.circumstances.machine}};
}

Json json_of(const Trend& trend, const Since* since) {
  Json json{{"subject", trend.name.subject},
            {"contract", trend.name.contract},
            {"name", trend.name.name},
            {"quantity", trend.name.quantity},
            {"unit", trend.name.unit},
            {"exact", trend.name.exact},
            {"machine", trend.machine},
            {"synthetic", trend.synthetic},
            {"too_few", trend.too_few},
            {"noise", trend.noise},
            {"apart_at_end", trend.apart_at_end},
            {"runs", Json::array()},
            {"changes", Json::array()}};
  for (const archive::Point& point : trend.points) {
    Json one = place_json(point);
    one["median"] = point.center;
    json["runs"].push_back(std::move(one));
  }
  for (const Change& change : trend.changes) {
    const archive::Point& first = trend.points[change.index];
    Json one{{"index", change.index},
             {"commit_before", trend.points[change.index - 1].circumstances.commit},
             {"commit", first.circumstances.commit},
             {"started", first.started},
             {"before", change.before},
             {"after", change.after},
             {"ratio", change.ratio},
             {"worse", change.worse},
             {"cause", name_of(change.cause())},
             {"reasons", json_of(change.reasons)}};
    if (change.p) one["p"] = *change.p;
    if (since != nullptr) one["new"] = since->is_newer(first);
    json["changes"].push_back(std::move(one));
  }
  return json;
}

Json json_of(const archive::Failed& failed, const Since* since) {
  Json json{{"subject", failed.series.subject},
            {"contract", failed.series.contract},
            {"name", failed.series.name},
            {"quantity", failed.series.quantity},
            {"hash", failed.hash},
            {"started", failed.started},
            {"commit", failed.commit},
            {"reason", failed.reason}};
  if (since != nullptr) json["new"] = since->is_newer(failed);
  return json;
}

Json json_of(const VerdictTrend& trend, const Since* since) {
  Json json{{"subject", trend.subject},
            {"contract", trend.contract},
            {"runs", Json::array()},
            {"changes", Json::array()}};
  for (const Judged& judged : trend.points) {
    Json one = place_json(judged);
    one["verdict"] = judged.verdict;
    one["exit"] = judged.exit_code;
    one["red"] = judged.red.size();
    json["runs"].push_back(std::move(one));
  }
  for (const VerdictChange& change : trend.changes) {
    Json one{{"index", change.index},
             {"worse", change.worse},
             {"flaky", change.flaky},
             {"newly_red", change.newly_red},
             {"no_longer_red", change.no_longer_red},
             {"cause", name_of(change.cause())},
             {"reasons", json_of(change.reasons)}};
    if (since != nullptr) one["new"] = since->is_newer(trend.points[change.index]);
    json["changes"].push_back(std::move(one));
  }
  return json;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + for_csv(cell);
  return line + "\n";
}

/// Seconds since 1970 of `2026-11-21T11:00:00Z`; 0 if it is no such time.
std::int64_t seconds_of(const std::string& started) {
  std::tm time{};
  if (strptime(started.c_str(), "%Y-%m-%dT%H:%M:%S", &time) == nullptr) return 0;
  return timegm(&time);
}

}  // namespace

std::string name_of(const Trend& trend) {
  std::string text = fmt::format("{} {} {}", one_line(trend.name.subject),
                                 one_line(trend.name.quantity), one_line(trend.name.name));
  if (!trend.name.contract.empty()) text += fmt::format(" ({})", one_line(trend.name.contract));
  if (!trend.machine.empty()) text += " on " + one_line(trend.machine);
  return text;
}

std::string about_end_of(const Trend& trend) {
  const std::size_t count = trend.apart_at_end;
  const std::string runs = count == 1 ? "run lies" : fmt::format("{} runs lie", count);
  return fmt::format("the last {} apart, and no change is confirmed yet", runs);
}

std::string sentence_of(const Change& change, const Trend& trend, const Since* since) {
  return in_words(change, trend, since) + reasons_as_sentence(change.reasons);
}

std::string sentence_of(const VerdictChange& change, const VerdictTrend& trend,
                        const Since* since) {
  return in_words(change, trend, since) + reasons_as_sentence(change.reasons);
}

bool is_bad_from_the_first(const VerdictTrend& trend, const Since& since) {
  if (trend.points.empty()) return false;
  const Judged& first = trend.points.front();
  return since.is_newer(first) && first.exit_code != kExitOk && first.exit_code != kExitIncomplete;
}

std::string to_text(const History& history, const Since* since, bool all) {
  std::string text;
  for (const VerdictTrend& trend : history.verdicts) {
    const bool is_bad = since != nullptr && is_bad_from_the_first(trend, *since);
    if (trend.changes.empty() && !all && !is_bad) continue;
    text += fmt::format(
        "verdict on {}{}\n  {} run{}, {} now\n", one_line(trend.subject),
        trend.contract.empty() ? "" : fmt::format(" ({})", one_line(trend.contract)),
        trend.points.size(), plural(trend.points.size()), one_line(trend.points.back().verdict));
    if (is_bad)
      text +=
          fmt::format("    {} from its first run NEW\n", one_line(trend.points.front().verdict));
    for (const VerdictChange& change : trend.changes) text += text_of(change, trend, since);
  }
  for (const Trend& trend : history.trends) {
    if (trend.points.empty()) continue;
    if (trend.changes.empty() && trend.apart_at_end == 0 && !all) continue;
    text += fmt::format("{}\n  {}\n", name_of(trend), state_of(trend));
    for (const Change& change : trend.changes) text += text_of(change, trend, since);
  }
  for (const archive::Failed& failed : history.failed) {
    text += fmt::format(
        "{} {} {}\n    not measured at {} ({}){}: {}\n", one_line(failed.series.subject),
        one_line(failed.series.quantity), one_line(failed.series.name),
        failed.commit.empty() ? "an unknown commit" : one_line(failed.commit),
        one_line(failed.started), since != nullptr && since->is_newer(failed) ? " NEW" : "",
        one_line(failed.reason));
  }
  return text;
}

std::string to_json(const History& history, const Since* since, const std::string& line,
                    int exit_code) {
  Json json{{"schema", "assay.history/1"}, {"exit", exit_code},         {"line", line},
            {"costs", Json::array()},      {"verdicts", Json::array()}, {"failed", Json::array()}};
  for (const Trend& trend : history.trends) json["costs"].push_back(json_of(trend, since));
  for (const VerdictTrend& trend : history.verdicts) {
    json["verdicts"].push_back(json_of(trend, since));
  }
  for (const archive::Failed& failed : history.failed) {
    json["failed"].push_back(json_of(failed, since));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_csv(const History& history) {
  const bool only_synthetic =
      std::ranges::all_of(history.trends, [](const Trend& trend) { return trend.synthetic; });
  struct Run {
    std::string started, commit;
    std::map<std::size_t, double> values;
  };
  std::vector<std::string> header{"time", "commit"};
  std::map<std::pair<std::int64_t, std::string>, Run> runs;
  for (const Trend& trend : history.trends) {
    if (trend.synthetic && !only_synthetic) continue;
    for (const archive::Point& point : trend.points) {
      Run& run = runs[{seconds_of(point.started), point.hash}];
      run.commit = point.circumstances.commit;
      run.values[header.size()] = point.center;
    }
    header.push_back(name_of(trend));
  }
  std::string text = csv_line(header);
  for (const auto& [key, run] : runs) {
    std::vector<std::string> cells{fmt::format("{}", key.first), run.commit};
    for (std::size_t column = 2; column < header.size(); ++column) {
      const auto value = run.values.find(column);
      cells.push_back(value == run.values.end() ? "" : fmt::format("{}", value->second));
    }
    text += csv_line(cells);
  }
  return text;
}

}  // namespace assay::cli
