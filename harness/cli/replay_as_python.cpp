// Runs one case to record its messages, and writes them as a Python script.
#include "harness/cli/replay_as_python.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/console/terminal.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/program/python/script.hpp"
#include "harness/recorded/recorded_word.hpp"
#include "harness/run/run_subject.hpp"

namespace assay::cli {
namespace {

/// `amp/unscale/raises_the_flag` becomes "Amp, unscale: raises the flag".
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

std::string whose_reply(const std::string& subject, const SubjectInfo& info,
                        const Contract& contract) {
  const std::string rules =
      fmt::format("under the rules of PyTorch {} on {}; this is not a reply of PyTorch",
                  name_of(contract.release), contract.cuda() ? "CUDA" : "the CPU");
  if (subject == "reference") return "what a reference implementation does " + rules;
  return fmt::format("what the subject {} {} replied {}", info.name, info.version, rules);
}

std::optional<Word> run_case(const AsPython& wanted, DeviceRules rules) {
  ConnectedSubject connected = connect(wanted.subject, wanted.connection);
  RunSubjectOptions options;
  options.selection = wanted.selection;
  options.selection.device_rules = rules;
  options.pool.runner.keep_history = true;
  try {
    const SubjectRun run = run_subject(connected, std::move(options));
    if (run.results.empty()) return std::nullopt;
    const CaseResult& result = run.results.front();
    Word word{result.contract, {}, whose_reply(wanted.subject, run.info, result.contract)};
    for (const Exchange& exchange : result.history) {
      word.exchanges.emplace_back(exchange.command, exchange.reply);
    }
    return word;
  } catch (const NoSupportedContract&) {
    return std::nullopt;
  }
}

std::optional<Word> replied_word(const AsPython& wanted) {
  const auto rules = wanted.selection.device_rules;
  if (rules) return run_case(wanted, *rules);
  if (auto word = run_case(wanted, DeviceRules::kCpu)) return word;
  return run_case(wanted, DeviceRules::kCuda);
}

bool is_answered(const std::pair<Command, Reply>& exchange) {
  using enum Reply::Status;
  return exchange.second.status == kOk || exchange.second.status == kError;
}

}  // namespace

int print_as_python(AsPython wanted) {
  const std::string& case_id = wanted.case_id;
  wanted.selection.filters = {case_id};
  wanted.selection.full = true;
  const bool is_compat = !wanted.selection.deviations;
  if (is_compat) wanted.selection.deviations = Deviations::kCompat;
  std::optional<Word> word;
  if (wanted.expect == Expect::kRecording) word = recorded_word(case_id, wanted.selection);
  if (!word) word = replied_word(wanted);
  if (!word) {
    throw UsageError(fmt::format(
        "{} does not apply to this contract ({}): `assay explain {}` shows where it applies",
        case_id,
        is_compat ? "a script shows what PyTorch does, which is `--deviations compat`"
                  : "--release, --device-rules, --deviations",
        case_id));
  }
  if (std::ranges::none_of(word->exchanges, is_answered)) {
    throw UsageError(fmt::format("{} answers no command of {}, so the script would check nothing",
                                 wanted.subject, case_id));
  }
  try {
    print_data(python::script(title_of(case_id), word->whose, word->contract, word->exchanges));
  } catch (const python::NoForm& lack) {
    throw UsageError(fmt::format("{} cannot be written in Python: {}", case_id, lack.what()));
  }
  return kExitOk;
}

}  // namespace assay::cli
