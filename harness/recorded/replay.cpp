// Sends a program and compares its replies.
#include "harness/recorded/replay.hpp"

#include <fmt/format.h>

#include "harness/program/compare_replies.hpp"
#include "harness/suite/expect.hpp"

namespace assay {
namespace {

bool unforeseen(const Reply& got, const Reply& wanted, Reply::Status status) {
  return got.status == status && wanted.status != status;
}

}  // namespace

bool replay(Session& subject, const Exchanges& exchanges, MayDiffer may_differ) {
  bool are_alike = true;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    const auto& [command, wanted] = exchanges[i];
    const Reply got = subject.ask(command);
    if (unforeseen(got, wanted, Reply::Status::kUnsupported)) throw Unsupported(got.reason);
    const auto difference = compare_replies(command, got, wanted);
    if (!difference) continue;
    if (got.status == wanted.status && may_differ != nullptr && may_differ(command)) {
      are_alike = false;
      continue;
    }
    const std::string what = difference->where.empty() ? "the reply" : difference->where;
    throw CheckFailed(fmt::format("command {} of {}: {} differs{}", i + 1, exchanges.size(), what,
                                  difference->distance),
                      difference->wanted, difference->got, std::source_location());
  }
  return are_alike;
}

}  // namespace assay
