// assay port: what changed between two releases of PyTorch, as programs, and where a runtime is.
#include "harness/port/port.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/command_line/options.hpp"
#include "harness/cli/command_line/unmatched_patterns.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/protocol/json.hpp"
#include "harness/run/waiver_files.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"
#include "harness/text/width.hpp"

namespace assay::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PortCommand {
  std::string older, newer;
  std::string subject;  ///< empty: none
  SubjectOptions subject_options;
  std::vector<std::string> support_files;
  PortOptions options;
  int jobs = 1;
  bool all = false;
  bool json = false;
};

/// What was found, and the subject's part in it.
struct Ported {
  std::vector<ChangedRule> rules;
  std::string lost;  ///< why the subject was given up
};

std::map<Side, std::size_t> sides_of(const ChangedRule& rule) {
  std::map<Side, std::size_t> sides;
  for (const ChangedCase& changed : rule.cases) {
    if (changed.side) ++sides[*changed.side];
  }
  return sides;
}

class Text {
 public:
  explicit Text(const PortCommand& command)
      : command_(command),
        older_(command.older),
        newer_(command.newer),
        columns_(columns_of_terminal()) {}

  std::string of(const Ported& ported) const {
    std::string text;
    std::vector<std::string> others;
    for (const ChangedRule& rule : ported.rules) {
      if (rule.says_so() || command_.all) {
        text += of(rule) + "\n";
      } else {
        others.push_back(briefly(rule));
      }
    }
    if (!others.empty()) {
      text += "Cases of other rules show these changes too (--all shows how):\n";
      text += wrapped(fmt::format("{}", fmt::join(others, ", ")), 2, columns_, 40) + "\n";
    }
    text += summary(ported.rules);
    if (!ported.lost.empty()) text += fmt::format("given up: {}\n", one_line(ported.lost));
    return text;
  }

 private:
  std::string in_words(Side side) const {
    switch (side) {
      case Side::kOlder:
        return "as " + older_;
      case Side::kNewer:
        return "as " + newer_;
      case Side::kNeither:
        return "as neither";
      case Side::kSilent:
        return "not answered";
    }
    return "";
  }

  std::string message(const std::string& begin, const std::string& json) const {
    return wrapped_json(begin + json, 4, columns_ - 4, 6);
  }

  /// Of long ones only what differs.
  std::string replies(const ChangedProgram& changed) const {
    constexpr std::size_t kMostBytes = 400;
    std::string older = to_json(changed.older_reply);
    std::string newer = to_json(changed.newer_reply());
    std::string text;
    if (std::max(older.size(), newer.size()) > kMostBytes) {
      text = fmt::format("    < the replies differ in {}\n", one_line(changed.difference.where));
      older = changed.difference.got;
      newer = changed.difference.wanted;
    }
    return text + message(older_ + " < ", older) + message(newer_ + " < ", newer);
  }

  std::string of(const ChangedCase& changed) const {
    std::string text =
        fmt::format("  {} under {}/{}\n", changed.test->id, name_of(changed.newer.device_rules),
                    name_of(changed.newer.deviations));
    for (const auto& [command, reply] : changed.shown.exchanges)
      text += message("> ", to_json(command));
    text += replies(changed.shown);
    if (!changed.recordings.empty()) {
      text += fmt::format("    recorded from PyTorch: {}\n", fmt::join(changed.recordings, ", "));
    }
    if (changed.side) {
      text += fmt::format("    {}: {}\n", one_line(command_.subject), in_words(*changed.side));
    }
    return text;
  }

  std::string of(const ChangedRule& rule) const {
    std::string text = rule.clause == nullptr
                           ? "a rule without a clause\n"
                           : fmt::format("{}  {}\n", rule.clause->id, rule.clause->title);
    for (const std::string& sentence : rule.sentences) text += wrapped(sentence, 2, columns_, 4);
    const std::size_t shown = command_.all ? rule.cases.size() : 1;
    for (std::size_t i = 0; i < shown; ++i) text += of(rule.cases[i]);
    if (shown == rule.cases.size()) return text;
    text += fmt::format("  {} more {}", rule.cases.size() - shown,
                        rule.cases.size() - shown == 1 ? "case shows it" : "cases show it");
    std::string sides;
    for (const auto& [side, count] : sides_of(rule)) {
      sides += fmt::format("{} {} in {}", sides.empty() ? "" : ",", in_words(side), count);
    }
    if (!sides.empty()) text += fmt::format("; of all {}:{}", rule.cases.size(), sides);
    return text + "\n";
  }

  static std::string briefly(const ChangedRule& rule) {
    const std::string id = rule.clause == nullptr ? "no clause" : rule.clause->id;
    return rule.cases.size() == 1 ? id : fmt::format("{} ({})", id, rule.cases.size());
  }

  std::string summary(const std::vector<ChangedRule>& rules) const {
    std::size_t cases = 0;
    std::map<Side, std::size_t> sides;
    for (const ChangedRule& rule : rules) {
      cases += rule.cases.size();
      if (rule.side()) ++sides[*rule.side()];
    }
    std::string text = fmt::format("{} to {}: {} rules changed, {} cases show it\n", older_, newer_,
                                   rules.size(), cases);
    if (command_.subject.empty()) return text;
    std::size_t asked = 0;
    for (const auto& [side, count] : sides) asked += count;
    text += fmt::format("{}: {} of these rules asked", one_line(command_.subject), asked);
    for (const auto& [side, count] : sides) {
      text += fmt::format(", {} {}", count, in_words(side));
    }
    return text + "\n";
  }

  const PortCommand& command_;
  const std::string older_, newer_;
  std::size_t columns_;
};

Json json_of(const ChangedCase& changed) {
  Json json{{"case", changed.test->id},
            {"device_rules", name_of(changed.newer.device_rules)},
            {"deviations", name_of(changed.newer.deviations)},
            {"program", Json::array()},
            {"older", Json::parse(to_json(changed.shown.older_reply))},
            {"newer", Json::parse(to_json(changed.shown.newer_reply()))}};
  for (const auto& [command, reply] : changed.shown.exchanges) {
    json["program"].push_back(Json::parse(to_json(command)));
  }
  if (!changed.recordings.empty()) json["recordings"] = changed.recordings;
  if (changed.side) json["side"] = name_of(*changed.side);
  return json;
}

void print_json(const Ported& ported, const PortCommand& command) {
  Json json{{"older", command.older}, {"newer", command.newer}, {"rules", Json::array()}};
  if (!command.subject.empty()) json["subject"] = command.subject;
  for (const ChangedRule& rule : ported.rules) {
    Json one{{"clause", rule.clause == nullptr ? "" : rule.clause->id},
             {"title", rule.clause == nullptr ? "" : rule.clause->title},
             {"sentences", rule.sentences},
             {"cases", Json::array()}};
    if (const auto side = rule.side()) one["side"] = name_of(*side);
    for (const ChangedCase& changed : rule.cases) one["cases"].push_back(json_of(changed));
    json["rules"].push_back(std::move(one));
  }
  if (!ported.lost.empty()) json["lost"] = ported.lost;
  print_data(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

int exit_code_of(const Ported& ported) {
  if (!ported.lost.empty()) return kExitFailure;
  const auto is = [](Side side) {
    return [side](const ChangedRule& rule) { return rule.side() == side; };
  };
  if (std::ranges::any_of(ported.rules, is(Side::kOlder))) return kExitFailure;
  if (std::ranges::any_of(ported.rules, is(Side::kNeither))) return kExitFailure;
  return std::ranges::any_of(ported.rules, is(Side::kSilent)) ? kExitIncomplete : kExitOk;
}

void check_order(const PortCommand& command) {
  if (command.options.older < command.options.newer) return;
  throw UsageError(fmt::format("{} is not older than {}; the older release comes first",
                               command.older, command.newer));
}

int port(PortCommand command) {
  PortOptions& options = command.options;
  options.older = *release_named(command.older);
  options.newer = *release_named(command.newer);
  check_order(command);
  refuse_unmatched_filters(options.run.selection);
  if (!chooses_any(options.run.selection)) {
    complain(describe_unmatched_patterns(options.run.selection));
    return kExitNothingRan;
  }
  options.run.pool.jobs = command.jobs;
  options.run.pool.stop = &catch_interrupts();
  std::optional<ConnectedSubject> subject;
  if (!command.subject.empty()) {
    command.subject_options.support = read_support(command.support_files);
    subject = connect_for_jobs(command.subject, command.subject_options, command.jobs);
  }
  Ported ported;
  {
    Progress progress;
    progress.show("asking the reference as " + command.older + " and as " + command.newer);
    options.under =
        subject ? contracts_of(*subject, options.run) : contracts_of(options.run.selection);
    ported.rules = changed_rules(options);
    if (subject) {
      progress.show("asking " + command.subject);
      ported.lost = find_sides(*subject, options, ported.rules);
    }
  }
  if (command.json) {
    print_json(ported, command);
  } else {
    print(Text(command).of(ported));
  }
  return exit_code_of(ported);
}

constexpr const char* kFooter =
    "Sends the commands of every case to the reference as both releases, shortens the programs "
    "whose replies differ, and shows them with the clause that says what changed. With --subject, "
    "the runtime answers the same programs, and each rule says which release it agrees with.\n"
    "Exit codes: 0 the runtime is as the newer release, or none was given; 1 as the older one in "
    "some rule, or as neither; 4 it does not answer a program; 5 no case matches.\n"
    "Example: assay port 2.11 2.15\n"
    "         assay port 2.13 2.15 --subject \"python3 my_runtime.py\" --filter 'dispatch/*'";

}  // namespace

void add_port(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("port", "Show what changed between two releases, and where a runtime is");
  command.footer(kFooter);
  auto options = std::make_shared<PortCommand>();
  command.add_option("older", options->older, "A release of PyTorch")
      .required()
      .check(one_of(release_names()));
  command.add_option("newer", options->newer, "A later one")
      .required()
      .check(one_of(release_names()));
  command.add_option("--subject", options->subject, "The runtime, as for `assay run`");
  command.add_flag("--all", options->all, "Show every case of a rule, not only the shortest");
  command.add_flag("--json", options->json, "Print JSON, for a program");
  command
      .add_option("--filter", options->options.run.selection.filters,
                  "Only cases whose id or clause matches this glob or regular expression, as for "
                  "`assay run` (repeatable)")
      .check({complaint_about_pattern, ""});
  command.add_option("--support", options->support_files,
                     "File of what the runtime need not support, and why, as "
                     "suites/support/README.md says (repeatable)");
  add_contract(command, options->options.run.selection);
  add_subject_options(command, options->subject_options);
  add_jobs(command, options->jobs);
  command.callback([options, &invocation] { invocation.exit_code = port(*options); });
}

}  // namespace assay::cli
