// assay accept: stores counts as the expectations of `assay gate --expect`.
#include <fmt/format.h>

#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/compare/columns/columns.hpp"
#include "harness/compare/compare.hpp"
#include "harness/compare/expectations.hpp"
#include "harness/console/folders.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/write_whole.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

struct AcceptCommand {
  std::string record, into;
};

compare::Expectations expectations_in(const std::string& path) {
  if (!is_there(path)) return {};
  return compare::expectations_from_toml(read_file(path), path);
}

std::string described(const compare::Accepted& change) {
  const auto number = [](const std::optional<double>& count) {
    return count ? fmt::format("{}", *count) : std::string("none");
  };
  std::string text = fmt::format("{} {}: {} -> {}", change.subject, change.name,
                                 number(change.before), number(change.now));
  if (change.before && change.now && *change.before > 0) {
    text += fmt::format(" ({:+.2f} %)", 100 * (*change.now / *change.before - 1));
  }
  return text + "\n";
}

int run(const AcceptCommand& command) {
  try {
    const auto record = compare::read_bench(command.record);
    compare::Expectations expectations = expectations_in(command.into);
    const auto changes = compare::accept(expectations, *record);
    report::write_whole(command.into, compare::to_toml(expectations));
    for (const compare::Accepted& change : changes) print(described(change));
    print(fmt::format("{} {} of the counts that {} expects of {} changed\n", word_of(kExitOk),
                      changes.size(), command.into, record->meta.build.compiler));
    return kExitOk;
  } catch (const compare::Invalid& error) {
    throw UsageError(error.what());
  }
}

constexpr const char* kFooter =
    "The file holds a set of counts for each build (compiler, type, flags). The set of the "
    "record's build is replaced as a whole; the others stay. The file is created if it does not "
    "exist. Records that are quick, interrupted, partly failed or not repeatable are refused. "
    "Commit the file together with the change that moved the counts.\n"
    "Example: assay bench --count --subject reference --filter 'dispatch/*' -o counts.json\n"
    "         assay accept counts.json --into results/expectations/dispatch.toml";

}  // namespace

void add_accept(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "accept",
      "Accept counted instructions: `assay gate --expect` compares later counts with them");
  command.footer(kFooter);
  auto options = std::make_shared<AcceptCommand>();
  command.add_option("RECORD", options->record, "What `assay bench --count -o` wrote").required();
  command.add_option("--into", options->into, "The file of expected counts").required();
  command.callback([options, &invocation] { invocation.exit_code = run(*options); });
}

}  // namespace assay::cli
