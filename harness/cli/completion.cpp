// assay completion: the scripts with which shells complete this command line, and their answers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <span>

#include "harness/cli/command_line/candidates.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/measure/timed_cases.hpp"
#include "harness/protocol/embedded.hpp"
#include "harness/recorded/transcripts.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/cases.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/litmus/rows.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {

/// `assay.bash` and the like.
std::span<const EmbeddedFile> completion_scripts();

namespace cli {
namespace {

using Candidates = std::vector<Candidate>;

constexpr std::array kShells = {"bash", "zsh", "fish"};

Candidates shells(const std::string&) {
  Candidates all;
  for (const char* shell : kShells) all.push_back({shell, ""});
  return all;
}

Candidates subjects(const std::string& begun) {
  const std::string mutant = "mutant:";
  Candidates all;
  if (begun.starts_with(mutant)) {
    for (const Fault& fault : all_faults()) all.push_back({mutant + fault.name, fault.what});
    return all;
  }
  for (const auto& [name, what] : known_subjects()) {
    all.push_back({name.starts_with(mutant) ? mutant : name, what});
  }
  return all;
}

Candidates bench_subjects(const std::string& begun) {
  Candidates all = subjects(begun);
  all.push_back({"pointer", "the same kernels behind function pointers"});
  return all;
}

Candidates areas(const std::string&) {
  std::set<std::string> found;
  for (const Case& test : all_cases()) found.insert(area_of_case(test.id));
  Candidates all;
  for (const std::string& area : found) all.push_back({area, ""});
  return all;
}

Candidates cases(const std::string& begun) {
  std::vector<std::string> ids;
  for (const Case& test : all_cases()) ids.push_back(test.id);
  return next_parts(ids, begun);
}

/// Nobody looks for a clause without its first letters: they would hide the cases.
Candidates clauses(const std::string& begun) {
  Candidates all;
  if (begun.empty()) return all;
  for (const Clause& clause : all_clauses()) all.push_back({clause.id, clause.title});
  return all;
}

Candidates faults(const std::string&) {
  Candidates all;
  for (const Fault& fault : all_faults()) all.push_back({fault.name, fault.what});
  return all;
}

Candidates transcripts(const std::string& begun) {
  std::vector<std::string> names;
  for (const RecordingSet& set : recordings_in_program()) {
    names.insert(names.end(), set.files.begin(), set.files.end());
  }
  return next_parts(names, begun);
}

Candidates recordings(const std::string&) {
  Candidates all{{"newest", ""}, {"all", ""}, {"none", ""}};
  for (const RecordingSet& set : recordings_in_program()) all.push_back({set.name, ""});
  return all;
}

Candidates loops(const std::string& begun) {
  std::vector<std::string> names;
  for (const measure::CaseFamily& family : measure::all_families()) names.push_back(family.name);
  return next_parts(names, begun);
}

Candidates litmus_programs(const std::string&) {
  Candidates all;
  for (const LitmusRow& row : litmus_rows()) all.push_back({row.id, row.name});
  return all;
}

using Source = Candidates (*)(const std::string& begun);

/// Sources of the values of options, by name and also with the command.
const std::map<std::string, std::vector<Source>>& sources() {
  static const std::map<std::string, std::vector<Source>> all = {
      {"--subject", {subjects}},
      {"--against", {subjects}},
      {"--filter", {cases, clauses}},
      {"--exclude", {cases, clauses}},
      {"--require", {areas}},
      {"--areas", {areas}},
      {"--level", {areas}},
      {"--faults", {faults}},
      {"--debug", {cases}},
      {"--transcripts", {recordings}},
      {"assay completion shell", {shells}},
      {"assay run name", {cases, clauses}},
      {"assay replay name", {cases, transcripts}},
      {"assay explain name", {cases, clauses, faults}},
      {"assay serve subject", {subjects}},
      {"assay selftest faults", {faults, clauses}},
      {"assay litmus NAME", {litmus_programs}},
      {"assay bench name", {loops}},
      {"assay bench --filter", {loops}},
      {"assay bench --exclude", {loops}},
      {"assay bench --subject", {bench_subjects}},
      {"assay bench --against", {}},  // a program
      {"assay compare --filter", {loops}},
  };
  return all;
}

Candidates names_of(const std::string& option, const std::string& begun) {
  const auto& known = sources();
  auto found = known.find(option);
  if (found == known.end()) found = known.find(option.substr(option.rfind(' ') + 1));
  Candidates all;
  if (found == known.end()) return all;
  for (const Source source : found->second) {
    for (Candidate& one : source(begun)) all.push_back(std::move(one));
  }
  return all;
}

/// What follows `--`, which the parser drops if it is empty.
std::vector<std::string> words_behind_dashes(const std::vector<std::string>& argv) {
  const auto dashes = std::ranges::find(argv, "--");
  return dashes == argv.end() ? std::vector<std::string>{} : std::vector(dashes + 1, argv.end());
}

void print_candidates(const CliCommand& app, const std::vector<std::string>& argv) {
  for (const Candidate& one : candidates(app, words_behind_dashes(argv), names_of)) {
    print(fmt::format("{}\t{}\n", one.word, one.what));
  }
}

void print_script(const std::vector<std::string>& shell) {
  const std::span<const EmbeddedFile> scripts = completion_scripts();
  const std::string name = shell.size() == 1 ? "assay." + shell.front() : "";
  const auto script = std::ranges::find(scripts, name, &EmbeddedFile::name);
  if (script == scripts.end()) {
    throw UsageError(fmt::format("completion: expected one of {}, got '{}'",
                                 fmt::join(kShells, ", "), fmt::join(shell, " ")));
  }
  print(script->text);
}

constexpr const char* kFooter =
    "An installation by `cmake --install` or pip has the scripts where the shells look for them, "
    "if its folder `share` is one of theirs (/usr/local/share).\n"
    "Example: eval \"$(assay completion bash)\"    # in ~/.bashrc\n"
    "         eval \"$(assay completion zsh)\"     # in ~/.zshrc, after compinit\n"
    "         assay completion fish | source     # in ~/.config/fish/config.fish";

struct CompletionOptions {
  std::vector<std::string> shell;
  bool words = false;
};

}  // namespace

void add_completion(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "completion", "Print a script with which a shell completes this command line");
  command.footer(kFooter);
  auto options = std::make_shared<CompletionOptions>();
  command.add_option("shell", options->shell, "bash, zsh or fish");
  command.add_flag("--words", options->words,
                   "For the scripts: what may follow on the line behind `--`, a word and its "
                   "description a line");
  command.callback([app, options, &invocation] {
    options->words ? print_candidates(app, invocation.argv) : print_script(options->shell);
  });
}

}  // namespace cli
}  // namespace assay
