// Writes what `assay fleet` found.
#include "harness/cli/fleet/fleet_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

using fleet::Difference;
using fleet::Gpu;
using fleet::Verdict;
using Json = nlohmann::ordered_json;

/// Of one GPU, on the terminal.
constexpr std::size_t kMostReasons = 4;

std::string reasons_in_words(const fleet::Judged& judged) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostReasons, judged.reasons.size()); ++i) {
    text += fmt::format("    {}\n", one_line(judged.reasons[i]));
  }
  if (judged.reasons.size() > kMostReasons) {
    text += fmt::format("    {} more in --json and --html\n", judged.reasons.size() - kMostReasons);
  }
  return text;
}

template <typename T>
void put(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

Json json_of(const Difference& one) {
  constexpr std::array kKinds{"quantity", "family", "drift"};
  Json json{{"kind", kKinds[static_cast<std::size_t>(one.kind)]},
            {"family", fleet::name_of(one.family)},
            {"name", one.name},
            {"ratio", one.ratio},
            {"z", one.z},
            {"p", one.p}};
  put(json, "ns", one.own_ns);
  put(json, "others_ns", one.their_ns);
  put(json, "floors", one.own_floor);
  put(json, "others_floors", one.their_floor);
  if (one.own_floor) json["floor"] = one.floor_unit;
  put(json, "roof_share", one.own_roof);
  put(json, "others_roof_share", one.their_roof);
  return json;
}

Json json_of(const Gpu& gpu, const fleet::Judged& judged) {
  Json json{{"gpu", gpu.id},
            {"label", gpu.label},
            {"model", gpu.model},
            {"verdict", fleet::word_of(judged.verdict)},
            {"reasons", judged.reasons},
            {"settings", gpu.settings},
            {"runs", gpu.runs},
            {"benches", gpu.benches},
            {"neighbours", judged.neighbours},
            {"compared", judged.compared},
            {"families", Json::object()},
            {"differences", Json::array()},
            {"wrong", Json::array()}};
  for (std::size_t i = 0; i < fleet::kFamilies; ++i) {
    if (!judged.places[i]) continue;
    json["families"][std::string(fleet::name_of(fleet::Family{static_cast<std::uint8_t>(i)}))] =
        std::exp(judged.places[i]->shift);
  }
  for (const Difference& one : judged.differences) json["differences"].push_back(json_of(one));
  for (const auto& [name, red] : gpu.red) {
    json["wrong"].push_back({{"case", name},
                             {"times", red.times},
                             {"wrong", red.wrong},
                             {"dead", red.dead},
                             {"sentence", red.sentence}});
  }
  return json;
}

/// As the exposition format wants label values.
std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : one_line(text)) {
    if (c == '\\' || c == '"') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string labels_of(const Gpu& gpu) {
  return fmt::format("gpu={},label={},model={}", quoted(gpu.id), quoted(gpu.label),
                     quoted(gpu.model));
}

std::string head_of(const char* name, const char* help) {
  return fmt::format("# TYPE {0} gauge\n# HELP {0} {1}\n", name, help);
}

}  // namespace

bool JudgedFleet::is_synthetic() const {
  return std::ranges::any_of(fleet.gpus, [](const Gpu& gpu) { return gpu.synthetic; });
}

std::string name_of(const Gpu& gpu) {
  return one_line(gpu.label.empty() ? gpu.id : fmt::format("{} ({})", gpu.id, gpu.label));
}

std::string tally(std::size_t count, Verdict verdict) {
  const bool are_odd = verdict == Verdict::kOddOne && count != 1;
  return fmt::format("{} {}", count, are_odd ? "odd ones out" : fleet::name_of(verdict));
}

std::string to_text(const JudgedFleet& judged, bool all) {
  std::string text;
  if (judged.is_synthetic()) text += "imaginary numbers: no machine measured them\n";
  for (std::size_t verdict = 0; verdict < fleet::kVerdicts; ++verdict) {
    const auto wanted = Verdict{static_cast<std::uint8_t>(verdict)};
    if (wanted == Verdict::kLike && !all) continue;
    for (std::size_t i = 0; i < judged.fleet.gpus.size(); ++i) {
      const fleet::Judged& one = judged.judgement.gpus[i];
      if (one.verdict != wanted) continue;
      text += fmt::format("{}: {}\n", name_of(judged.fleet.gpus[i]), fleet::name_of(wanted));
      text += reasons_in_words(one);
    }
  }
  for (const std::string& note : judged.judgement.notes) {
    text += fmt::format("note: {}\n", one_line(note));
  }
  return text;
}

std::string to_json(const JudgedFleet& judged) {
  Json json{{"schema", "assay.fleet/1"},
            {"synthetic", judged.is_synthetic()},
            {"exit", judged.exit_code},
            {"line", judged.line},
            {"alpha", judged.options.alpha},
            {"margin", judged.options.margin},
            {"tests", judged.judgement.tests},
            {"notes", judged.judgement.notes},
            {"counts", Json::object()},
            {"groups", Json::array()},
            {"gpus", Json::array()}};
  for (std::size_t i = 0; i < fleet::kVerdicts; ++i) {
    const auto verdict = Verdict{static_cast<std::uint8_t>(i)};
    json["counts"][std::string(fleet::word_of(verdict))] = judged.judgement.counts[i];
  }
  for (const fleet::Group& group : judged.judgement.groups) {
    json["groups"].push_back(
        {{"name", group.name}, {"gpus", group.members.size()}, {"quantities", group.quantities}});
  }
  for (std::size_t i = 0; i < judged.fleet.gpus.size(); ++i) {
    json["gpus"].push_back(json_of(judged.fleet.gpus[i], judged.judgement.gpus[i]));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_metrics(const JudgedFleet& judged) {
  const auto& gpus = judged.fleet.gpus;
  std::string text = head_of("assay_fleet_synthetic", "1 if the numbers are imaginary.");
  text += fmt::format("assay_fleet_synthetic {}\n", judged.is_synthetic() ? 1 : 0);
  text += head_of("assay_fleet_gpus", "GPUs with this verdict.");
  for (std::size_t i = 0; i < fleet::kVerdicts; ++i) {
    text += fmt::format("assay_fleet_gpus{{verdict=\"{}\"}} {}\n",
                        fleet::word_of(Verdict{static_cast<std::uint8_t>(i)}),
                        judged.judgement.counts[i]);
  }
  text += head_of("assay_fleet_verdict", "1 for the verdict of the GPU and 0 for the others.");
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    for (std::size_t v = 0; v < fleet::kVerdicts; ++v) {
      const auto verdict = Verdict{static_cast<std::uint8_t>(v)};
      text +=
          fmt::format("assay_fleet_verdict{{{},verdict=\"{}\"}} {}\n", labels_of(gpus[i]),
                      fleet::word_of(verdict), judged.judgement.gpus[i].verdict == verdict ? 1 : 0);
    }
  }
  text += head_of("assay_fleet_wrong_cases", "Cases and loops that gave wrong bits.");
  for (const Gpu& gpu : gpus) {
    const auto wrong =
        std::ranges::count_if(gpu.red, [](const auto& red) { return red.second.wrong > 0; });
    text += fmt::format("assay_fleet_wrong_cases{{{}}} {}\n", labels_of(gpu), wrong);
  }
  text += head_of("assay_fleet_time_ratio",
                  "Times of the GPU divided by those of its neighbours, by family.");
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    for (std::size_t f = 0; f < fleet::kFamilies; ++f) {
      const auto& place = judged.judgement.gpus[i].places[f];
      if (!place) continue;
      text += fmt::format("assay_fleet_time_ratio{{{},family=\"{}\"}} {:.6g}\n", labels_of(gpus[i]),
                          fleet::name_of(fleet::Family{static_cast<std::uint8_t>(f)}),
                          std::exp(place->shift));
    }
  }
  return text + "# EOF\n";
}

}  // namespace assay::cli
