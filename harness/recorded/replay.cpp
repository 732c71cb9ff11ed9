// Sends a program and compares its replies.
#include "harness/recorded/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "harness/program/compare_replies.hpp"
#include "harness/suite/device_error.hpp"
#include "harness/suite/expect.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

bool unforeseen(const Reply& got, const Reply& wanted, Reply::Status status) {
  return got.status == status && wanted.status != status;
}

}  // namespace

bool replay(Session& subject, const Exchanges& exchanges, MayDiffer may_differ) {
  bool are_alike = true;
  ProgramComparison comparison;
  std::vector<std::string> unanswered;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    const auto& [command, wanted] = exchanges[i];
    const Reply got = subject.ask(command);
    if (unforeseen(got, wanted, Reply::Status::kUnsupported)) throw Unsupported(got.reason);
    const auto difference = comparison.compare(command, got, wanted);
    const bool is_excused =
        got.status == wanted.status && may_differ != nullptr && may_differ(command);
    const std::vector<std::string>& missing = comparison.unanswered();
    if (is_excused) {
      are_alike = are_alike && !difference && missing.empty();
      continue;
    }
    std::ranges::copy_if(missing, std::back_inserter(unanswered), [&](const std::string& field) {
      const bool is_due = field != "code" || has_codes(subject);
      return is_due && std::ranges::find(unanswered, field) == unanswered.end();
    });
    if (!difference) continue;
    const std::string what = difference->where.empty() ? "the reply" : difference->where;
    throw CheckFailed(fmt::format("command {} of {}: {} differs{}", i + 1, exchanges.size(), what,
                                  difference->distance),
                      difference->wanted, difference->got, std::source_location());
  }
  if (!unanswered.empty()) throw NotShown(unanswered);
  return are_alike;
}

}  // namespace assay
