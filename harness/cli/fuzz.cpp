// assay fuzz: runs random programs on two subjects, and shrinks and saves those that differ.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "harness/cli/command_line/options.hpp"
#include "harness/cli/commands.hpp"
#include "harness/console/interrupt.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/fuzz/campaign.hpp"
#include "harness/program/transcript.hpp"
#include "harness/protocol/json.hpp"
#include "harness/report/record.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/selftest/chosen_faults.hpp"
#include "harness/suite/card/card.hpp"
#include "harness/suite/card/command_line.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

struct FuzzOptions {
  CampaignOptions campaign;
  std::vector<std::string> faults;
  std::string folder = "fuzz-findings";
  Selection selection;
  std::string from = "random";
  std::vector<std::string> argv;
  double seconds = 0;
  std::uint64_t count = 0;
  bool verbose = false;
};

/// An id in the area of the differing command, or, if that is not one of the campaign's, in another
/// that both subjects have: else the case would not run.
std::string case_id_of(const FuzzOptions& options, const Campaign& campaign,
                       const FuzzFinding& finding) {
  const std::string& verb = finding.result.verb;
  const std::size_t dot = verb.find('.');
  std::string area = dot == std::string::npos ? "core" : verb.substr(0, dot);
  const std::vector<std::string>& areas = campaign.areas();
  if (std::ranges::find(areas, area) == areas.end()) area = areas.front();
  return fmt::format("{}/fuzz/{}_{}_{}", area,
                     dot == std::string::npos ? verb : verb.substr(dot + 1), options.campaign.seed,
                     finding.number);
}

/// The program in the format of `--cases`. The trusted subject's replies are the expected ones.
std::string stored(const FuzzOptions& options, const Campaign& campaign,
                   const FuzzFinding& finding) {
  Transcript transcript;
  transcript.header.subject = options.campaign.trusted;
  transcript.header.name = options.campaign.trusted;
  transcript.header.date = report::now_utc();
  transcript.header.command = fmt::format("{}", fmt::join(options.argv, " "));
  transcript.entries.push_back({case_id_of(options, campaign, finding), campaign.contract(), "fail",
                                finding.result.exchanges});
  const std::string path = fmt::format("{}/{}-{}-{}.jsonl", options.folder, finding.result.verb,
                                       options.campaign.seed, finding.number);
  std::error_code ignored;
  std::filesystem::create_directories(options.folder, ignored);
  report::write_whole(path, to_lines(transcript));
  return path;
}

std::string what_differs(const ProgramResult& result) {
  if (result.end == ProgramResult::End::kBroken) return "  " + result.broken + "\n";
  const Difference& difference = *result.difference;
  return wrapped(
             fmt::format("{} differs{}", difference.where.empty() ? "the reply" : difference.where,
                         difference.distance),
             2, columns_of_terminal(), 4) +
         wrapped("trusted  " + difference.wanted, 2, columns_of_terminal(), 6) +
         wrapped("got       " + difference.got, 2, columns_of_terminal(), 6);
}

std::string described(const FuzzOptions& options, const Campaign& campaign,
                      const FuzzFinding& finding) {
  std::string text =
      fmt::format("DIFFERS program {}, shrunk from {} commands to {}, at {}\n", finding.number,
                  finding.commands_before, finding.result.exchanges.size(), finding.result.verb);
  text += what_differs(finding.result);
  for (const auto& [command, reply] : finding.result.exchanges) {
    text += wrapped("> " + to_json(command), 2, columns_of_terminal(), 12);
  }
  const std::string path = stored(options, campaign, finding);
  text += fmt::format("  kept in {}\n  repeat: {} run --subject {} --cases {} --filter '{}'\n",
                      path, program_name(), shell_quoted(options.campaign.subject),
                      shell_word(options.folder), case_id_of(options, campaign, finding));
  return text;
}

int exit_code_of(const CampaignResult& result) {
  if (!result.findings.empty()) return kExitFailure;
  if (result.interrupted) return kExitInterrupted;
  if (result.succeeded == 0) return kExitNothingRan;
  return result.unexcused.empty() ? kExitOk : kExitIncomplete;
}

/// What was not compared, most programs first, each with whether something excuses that.
std::string not_shown(const CampaignResult& result) {
  std::vector<std::pair<std::uint64_t, std::string>> ranked;
  for (const auto& [field, programs] : result.unanswered) {
    const bool is_excused = !result.unexcused.contains(field);
    ranked.emplace_back(programs, field + (is_excused ? " (excused)" : ""));
  }
  if (ranked.empty()) return "";
  std::ranges::stable_sort(ranked, std::ranges::greater(), &decltype(ranked)::value_type::first);
  std::string text = "not shown by the subject, and so not compared, in programs:";
  for (const auto& [programs, field] : ranked) text += fmt::format(" {} {}", programs, field);
  return wrapped(text, 0, columns_of_terminal(), 20);
}

std::string statistics(const CampaignResult& result) {
  std::string verbs;
  for (const auto& [verb, times] : result.verbs) verbs += fmt::format(" {} {}", verb, times);
  return fmt::format("median length {}; {:.0f} % raise inside a scope; commands:\n",
                     result.median_length(),
                     100.0 * static_cast<double>(result.raised_in_scope) /
                         static_cast<double>(std::max<std::uint64_t>(result.programs, 1))) +
         wrapped(verbs, 2, columns_of_terminal(), 99);
}

std::string verdict(const FuzzOptions& options, const CampaignResult& result, double seconds) {
  const int code = exit_code_of(result);
  const bool is_vain = result.commands > 0 && result.succeeded == 0;
  return fmt::format(
      "{} {} programs with {} commands{} on {} against {}, {} found, {} cut short; seed {}; {:.1f} "
      "s\n",
      word_of(code), result.programs, result.commands,
      is_vain ? ", all of which raised errors," : "", options.campaign.subject,
      options.campaign.trusted, result.findings.size(), result.cut_short, options.campaign.seed,
      seconds);
}

int fuzz_one(FuzzOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Campaign campaign(options.campaign);
  Progress progress;
  campaign.on_progress = [&](const CampaignResult& result) {
    progress.show(fmt::format("{} programs, {} found", result.programs, result.findings.size()));
  };
  // Findings are saved and shown immediately, because the campaign may be interrupted.
  campaign.on_finding = [&](const FuzzFinding& finding) {
    progress.clear();
    print(described(options, campaign, finding));
  };
  SaveOnSignal moment_to_end([] {});
  const CampaignResult result = campaign.run();
  moment_to_end.begin();
  progress.clear();
  if (!result.avoided.empty()) {
    print(wrapped(fmt::format("left out, because one of the two lacks it: {}",
                              fmt::join(result.avoided, ", ")),
                  0, columns_of_terminal(), 20));
  }
  print(not_shown(result));
  if (options.verbose) print(statistics(result));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  print(verdict(options, result, seconds.count()));
  moment_to_end.done();
  return exit_code_of(result);
}

/// Counts the mutants that random programs alone detect.
int fuzz_faults(FuzzOptions& options) {
  std::size_t found = 0;
  std::size_t tried = 0;
  for (const Fault* fault : chosen_faults(options.faults)) {
    if (options.campaign.stop->is_set()) continue;
    CampaignOptions one = options.campaign;
    one.subject = "mutant:" + fault->name;
    one.jobs = 1;
    if (fault->contract) one.wanted = *fault->contract;
    const CampaignResult result = Campaign(one).run();
    ++tried;
    if (!result.findings.empty()) ++found;
    print(fmt::format("{} {} ({} programs)\n", result.findings.empty() ? "missed" : "found ",
                      fault->name, result.programs));
  }
  if (tried == 0) {
    print("NOTHING RAN no fault was selected\n");
    return kExitNothingRan;
  }
  const int code = options.campaign.stop->is_set() ? kExitInterrupted : kExitOk;
  print(fmt::format("{} random programs found {} of {} faults; seed {}\n", word_of(code), found,
                    tried, options.campaign.seed));
  return code;
}

ProgramSource source_named(const std::string& word) {
  if (word == "cases") return ProgramSource::kCases;
  return word == "both" ? ProgramSource::kBoth : ProgramSource::kMoves;
}

int fuzz(FuzzOptions options) {
  if (options.campaign.subject.empty() == options.faults.empty()) {
    throw UsageError("fuzz needs --subject, or --faults instead of it");
  }
  options.campaign.source = source_named(options.from);
  for (const Case& test : all_cases()) options.campaign.cases.push_back(&test);
  options.campaign.stop = &catch_interrupts();
  const std::vector<Contract> contracts = wanted_contracts(options.selection);
  options.campaign.wanted = contracts.front();
  if (options.seconds > 0) options.campaign.time = std::chrono::duration<double>(options.seconds);
  if (options.count > 0) options.campaign.count = options.count;
  if (options.seconds <= 0 && options.count == 0) options.campaign.count = 1000;
  return options.faults.empty() ? fuzz_one(options) : fuzz_faults(options);
}

}  // namespace

void add_fuzz(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "fuzz", "Run random programs on two subjects, and shrink those with different replies");
  command.footer(
      "Example: assay fuzz --subject \"python3 it.py\" --areas core,amp --time 60\n"
      "A finding is saved as a program for `assay run --cases`. The same seed and subjects give\n"
      "the same programs.");
  auto options = std::make_shared<FuzzOptions>();
  options->argv = invocation.argv;
  CampaignOptions& campaign = options->campaign;
  command.add_option("--subject", campaign.subject, "The subject under test, as for `assay run`");
  command.add_option("--against", campaign.trusted, "The subject to compare it with (reference)");
  command.add_option(
      "--faults", options->faults,
      "Instead of a subject: run on every mutant whose fault matches this glob, by name or "
      "clause, and count how many are found (repeatable)");
  command
      .add_option("--areas", campaign.areas,
                  "Areas whose commands the programs use (all that both subjects claim)")
      .delimiter(',');
  command
      .add_option("--from", options->from,
                  "Where programs come from: drawn command by command, those of the cases with "
                  "something changed in each, or alternately (random)")
      .check(one_of({"random", "cases", "both"}));
  command.add_option("--seed", campaign.seed, "Seed for the programs (1)");
  command.add_option("--first", campaign.first, "Number of the first program (0)");
  command.add_option("--count", options->count, "How many programs (1000, unless --time is given)")
      .check(in_range(1, 1000000000));
  command.add_option("--time", options->seconds, "Run for this many seconds")
      .check(in_range(0.1, 1e6));
  command
      .add_option("--findings", campaign.most_findings,
                  "Stop after this many different findings (1)")
      .check(in_range(1, 1000));
  command.add_option("-o,--output", options->folder, "Folder for findings (fuzz-findings)");
  command.add_option("-j,--jobs", campaign.jobs, "Run this many programs in parallel (1)")
      .check(in_range(1, 1024));
  command.add_flag("-v,--verbose", options->verbose, "Statistics of the programs");
  add_contract(command, options->selection);
  add_subject_options(command, campaign.connection);
  command.callback([options, &invocation] { invocation.exit_code = fuzz(*options); });
}

}  // namespace assay::cli
