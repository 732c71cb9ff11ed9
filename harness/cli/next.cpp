// assay next: the one step that brings a runtime, which is being built, furthest.
#include "harness/next/next.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/command_line/options.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/next/shape.hpp"
#include "harness/protocol/json.hpp"
#include "harness/run/waiver_files.hpp"
#include "harness/suite/card/card.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

using Json = nlohmann::ordered_json;

struct NextCommand {
  std::string subject;
  SubjectOptions subject_options;
  std::vector<std::string> support_files;
  NextOptions options;
  int jobs = 1;
  bool json = false;
};

const Level* unfinished(const NextStep& step) {
  const bool is_all_done = step.levels.empty() || step.levels.back().is_done();
  return is_all_done ? nullptr : &step.levels.back();
}

bool has_passed(const NextStep& step) {
  return std::ranges::any_of(step.levels, [](const Level& level) { return level.passed > 0; });
}

int exit_code_of(const NextStep& step) {
  if (!step.lost.empty() || step.failure) return kExitFailure;
  if (unfinished(step) != nullptr) return kExitIncomplete;
  return has_passed(step) ? kExitOk : kExitNothingRan;
}

std::string line_of(const Level& level) {
  if (!level.claimed) {
    return fmt::format("{:<11}{} cases; hello does not claim it\n", level.area, level.cases);
  }
  std::string line =
      fmt::format("{:<11}{} of {} cases pass", level.area, level.passed, level.cases);
  if (level.failed > 0) line += fmt::format(", {} fail", level.failed);
  if (level.open > 0) line += fmt::format(", {} are not answered", level.open);
  if (level.excused > 0) line += fmt::format(", {} are excused", level.excused);
  return line + "\n";
}

/// A line of the protocol may be megabytes.
std::string shown(const std::string& line) {
  constexpr std::size_t kMost = 1000;
  return line.size() <= kMost ? line : line.substr(0, kMost) + "…";
}

std::string list_of(const std::vector<std::string>& fields) {
  return fields.empty() ? "nothing" : fmt::format("{}", fmt::join(fields, ", "));
}

std::string about_command(const NextStep& step) {
  const Level& level = step.levels.back();
  const CommandShape shape = shape_of(step.command->command);
  std::string text = fmt::format("\nnext       {}\n", step.command->command);
  if (!level.claimed) {
    text = fmt::format("\nnext       claim '{}' in hello, and answer {}\n", level.area,
                       step.command->command);
  }
  text += fmt::format("  why      {} of {} open cases need it", step.command->needed, level.open);
  if (step.command->unlocks > 0) {
    text += fmt::format(", {} of them nothing else", step.command->unlocks);
  }
  text += fmt::format("\n  with     {}\n  ok       {}\n", list_of(shape.with), list_of(shape.ok));
  for (const Example& example : step.examples) {
    text += fmt::format("  example  {}\n    > {}\n    < {}\n", example.case_id,
                        shown(to_json(example.exchange.command)),
                        shown(to_json(example.exchange.reply)));
  }
  return text;
}

void print_text(const NextStep& step, const std::string& subject) {
  for (const Level& level : step.levels) print(line_of(level));
  if (!step.lost.empty()) print(fmt::format("given up: {}\n", one_line(step.lost)));
  if (step.command) print(about_command(step));
  if (step.failure) {
    print(fmt::format("\nthe shortest failure of {}\n", step.levels.back().area));
    print(card(*step.failure, {.subject = subject,
                               .colours = has_colours(own_output()),
                               .columns = columns_of_terminal()}));
  }
  if (unfinished(step) == nullptr && step.lost.empty()) {
    print(has_passed(step) ? "\nnothing is left: `assay run` gives the verdict\n"
                           : "\nno case passed: all of them are excused\n");
  }
}

Json json_of(const Level& level) {
  return {{"area", level.area},      {"claimed", level.claimed}, {"cases", level.cases},
          {"passed", level.passed},  {"failed", level.failed},   {"unanswered", level.open},
          {"excused", level.excused}};
}

Json json_of(const Suggestion& command, const std::vector<Example>& examples) {
  const CommandShape shape = shape_of(command.command);
  Json json{{"command", command.command},
            {"needed_by", command.needed},
            {"unlocks", command.unlocks},
            {"with", shape.with},
            {"ok", shape.ok},
            {"examples", Json::array()}};
  for (const Example& example : examples) {
    json["examples"].push_back({{"case", example.case_id},
                                {"command", Json::parse(to_json(example.exchange.command))},
                                {"reply", Json::parse(to_json(example.exchange.reply))}});
  }
  return json;
}

Json json_of(const CaseResult& failure, const std::string& subject) {
  return {{"case", failure.test->id},
          {"clauses", failure.test->clauses},
          {"outcome", name_of(failure.outcome)},
          {"sentence", failure.failure->sentence},
          {"expected", failure.failure->expected},
          {"got", failure.failure->got},
          {"replay", replay_line(failure, subject)}};
}

void print_json(const NextStep& step, const std::string& subject) {
  Json json{{"subject", subject}, {"levels", Json::array()}};
  for (const Level& level : step.levels) json["levels"].push_back(json_of(level));
  if (step.command) json["next"] = json_of(*step.command, step.examples);
  if (step.failure) json["failure"] = json_of(*step.failure, subject);
  if (!step.lost.empty()) json["lost"] = step.lost;
  print_data(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

int next(NextCommand command) {
  const std::set<std::string> areas = all_areas();
  const std::string& level = command.options.level;
  if (!level.empty() && !areas.contains(level)) {
    throw UsageError(fmt::format("--level: there is no area '{}'; the areas with cases: {}", level,
                                 fmt::join(areas, ", ")));
  }
  command.subject_options.support = read_support(command.support_files);
  command.options.run.pool.jobs = command.jobs;
  command.options.run.pool.stop = &catch_interrupts();
  ConnectedSubject subject =
      connect_for_jobs(command.subject, command.subject_options, command.jobs);
  const NextStep step = next_step(subject, command.options);
  if (command.options.run.pool.stop->is_set()) return kExitInterrupted;
  if (command.json) {
    print_json(step, command.subject);
  } else {
    print_text(step, command.subject);
  }
  return exit_code_of(step);
}

constexpr const char* kFooter =
    "Runs the cases of the areas that the subject claims, in the order in which they become useful "
    "(core, dispatch, autocast, amp, optim, scaler, runtime, memory, graph), up to the first that "
    "is not done; after them comes the first that it does not claim. A command counts as not "
    "answered, too, if hello is without it; an entry of a support file excuses it.\n"
    "Exit codes: 0 nothing is left; 1 a case fails; 4 a command is not answered; "
    "5 no case passed.\n"
    "Example: assay next --subject \"python3 my_runtime.py\"\n"
    "         assay next --subject ./my_runtime.so --level scaler --json";

}  // namespace

void add_next(CliCommand app, Invocation& invocation) {
  CliCommand command =
      app.add_subcommand("next", "Name the one command that a runtime should answer next");
  command.footer(kFooter);
  auto options = std::make_shared<NextCommand>();
  command.add_option("--subject", options->subject, "The runtime, as for `assay run`").required();
  command.add_option("--level", options->options.level, "Only this area");
  command.add_flag("--json", options->json, "Print JSON, for a program");
  command.add_option("--support", options->support_files,
                     "File of what the runtime need not support, and why, as "
                     "suites/support/README.md says (repeatable)");
  add_contract(command, options->options.run.selection);
  add_subject_options(command, options->subject_options);
  add_jobs(command, options->jobs);
  command.callback([options, &invocation] { invocation.exit_code = next(*options); });
}

}  // namespace assay::cli
