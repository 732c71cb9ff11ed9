// assay waivers: checks a file of waivers, or suggests one for a run.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/read_record.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/run/waiver_files.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/runner/verdict.hpp"
#include "harness/text/neutral.hpp"

namespace assay::cli {
namespace {

struct SuggestOptions {
  std::string record, output;
  std::string expires;
  WaiverTexts texts;
};

/// Problems of a waiver that are visible without a run; empty if there are none.
std::string problem_of(const Waiver& waiver, std::chrono::year_month_day today) {
  if (waiver.expires < today) return "expired after " + assay::to_text(waiver.expires);
  const bool any = std::any_of(all_cases().begin(), all_cases().end(), [&](const Case& test) {
    return glob_matches(waiver.cases, test.id);
  });
  return any ? "" : fmt::format("unknown case '{}'", one_line(waiver.cases));
}

int check(const std::vector<std::string>& files) {
  const std::vector<Waiver> waivers = read_waivers(files);
  std::size_t bad = 0;
  for (const Waiver& waiver : waivers) {
    const std::string trouble = problem_of(waiver, today_utc());
    if (trouble.empty()) continue;
    ++bad;
    print(fmt::format("{}: {}\n", waiver.place, trouble));
  }
  const int code = bad == 0 ? kExitOk : kExitWaivers;
  print(fmt::format("{} {} of {} waivers are in order\n", word_of(code), waivers.size() - bad,
                    waivers.size()));
  return code;
}

/// Long enough to fix most failures, short enough not to be forgotten.
std::chrono::year_month_day in_90_days() {
  return {std::chrono::sys_days(today_utc()) + std::chrono::days(90)};
}

std::chrono::year_month_day day_of(const SuggestOptions& options) {
  if (options.expires.empty()) return in_90_days();
  const auto day = day_from_text(options.expires);
  if (day) return *day;
  throw UsageError(
      fmt::format("--expires: expected a day such as 2027-03-31, got '{}'", options.expires));
}

int suggest(SuggestOptions options) {
  options.texts.expires = day_of(options);
  const std::string text = suggested_waivers(read_run(options.record), options.texts);
  if (options.output.empty()) {
    print_data(text, DataFormat::kToml);
    return kExitOk;
  }
  report::write_whole(options.output, text);
  const std::size_t count = waivers_from_toml(text, options.output).size();
  const bool is_written = !is_unwritten(options.texts.reason) &&
                          !is_unwritten(options.texts.link) && !is_unwritten(options.texts.owner);
  print(fmt::format("PASS wrote {} {} to {}{}\n", count, count == 1 ? "waiver" : "waivers",
                    options.output, is_written ? "" : "; fill in reason, link and owner"));
  return kExitOk;
}

void add_check(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand("check", "Check these files");
  auto files = std::make_shared<std::vector<std::string>>();
  command.add_option("files", *files, "Waiver files").required();
  command.callback([files, &invocation] { invocation.exit_code = check(*files); });
}

void add_suggest(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand("suggest", "Write waivers for all failures of a run");
  auto options = std::make_shared<SuggestOptions>();
  command.add_option("record", options->record, "What `assay run --json` wrote").required();
  command.add_option("-o,--output", options->output, "The waiver file (standard output)");
  command.add_option("--expires", options->expires, "The day on which they expire (in 90 days)");
  command.add_option("--reason", options->texts.reason, "Why the failures are accepted");
  command.add_option("--link", options->texts.link, "Where they are discussed");
  command.add_option("--owner", options->texts.owner, "Who removes the waivers");
  command.callback([options, &invocation] { invocation.exit_code = suggest(*options); });
}

}  // namespace

void add_waivers(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand("waivers", "Check or suggest waivers");
  command.footer("Example: assay waivers suggest run.json -o waivers.toml");
  command.require_subcommand();
  add_check(command, invocation);
  add_suggest(command, invocation);
}

}  // namespace assay::cli
