// Runs one case for its conversation, and has it written as Python.
#include "harness/cli/replay_as_python.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/conduct.hpp"
#include "harness/cli/errors.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/program/python/script.hpp"

namespace assay::cli {
namespace {

/// `amp/unscale/raises_the_flag` is "Amp, unscale: raises the flag".
std::string title_of(const std::string& case_id) {
  const std::size_t last = case_id.rfind('/');
  std::string area = case_id.substr(0, last);
  for (std::size_t at = area.find('/'); at != std::string::npos; at = area.find('/')) {
    area.replace(at, 1, ", ");
  }
  std::string title = area + ": " + case_id.substr(last + 1);
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty()) title[0] = static_cast<char>(std::toupper(title[0]));
  return title;
}

std::vector<CaseResult> run_case(const std::string& subject, const SubjectOptions& connection,
                                 const Selection& selection) {
  ConnectedSubject connected = connect(subject, connection);
  ConductOptions options;
  options.selection = selection;
  options.pool.runner.keep_history = true;
  try {
    return conduct(connected, std::move(options)).results;
  } catch (const UsageError&) {
    return {};  // it holds to no such contract
  }
}

std::vector<CaseResult> run_somewhere(const std::string& subject, const SubjectOptions& connection,
                                      Selection selection) {
  if (selection.device_rules) return run_case(subject, connection, selection);
  selection.device_rules = DeviceRules::kCpu;
  std::vector<CaseResult> results = run_case(subject, connection, selection);
  if (!results.empty()) return results;
  selection.device_rules = DeviceRules::kCuda;
  return run_case(subject, connection, selection);
}

}  // namespace

int print_as_python(const std::string& case_id, const std::string& subject,
                    const SubjectOptions& connection, Selection selection) {
  selection.filters = {case_id};
  selection.full = true;
  const bool is_compat = !selection.deviations;
  if (is_compat) selection.deviations = Deviations::kCompat;
  const std::vector<CaseResult> results = run_somewhere(subject, connection, selection);
  if (results.empty()) {
    throw UsageError(fmt::format(
        "{} does not hold for what was asked ({}): `assay explain {}` says for what it does",
        case_id,
        is_compat ? "a script shows what PyTorch does, which is `--deviations compat`"
                  : "--release, --device-rules, --deviations",
        case_id));
  }
  const CaseResult& result = results.front();
  std::vector<std::pair<Command, Reply>> exchanges;
  for (const Exchange& exchange : result.history) {
    exchanges.emplace_back(exchange.command, exchange.reply);
  }
  try {
    print(python::script(title_of(case_id), result.contract, exchanges));
  } catch (const python::NoForm& lack) {
    throw UsageError(fmt::format("{} cannot be said in Python: {}", case_id, lack.what()));
  }
  return kExitOk;
}

}  // namespace assay::cli
