// Sends the commands of a case together.
#include "suites/dispatch/model/batch.hpp"

#include <iterator>

#include "harness/suite/session.hpp"

namespace assay::suites {

void Batch::then(const std::function<void(Session&)>& program, std::string words, Check check) {
  Block block = subject_.block(program);
  if (check) expected_.push_back({commands_.size(), std::move(words), std::move(check)});
  std::move(block.begin(), block.end(), std::back_inserter(commands_));
}

void Batch::flush() {
  Block sent = std::exchange(commands_, {});
  const std::vector<Expected> expected = std::exchange(expected_, {});
  if (sent.empty()) return;
  Command command;
  command.verb = "scope";
  command.body = std::move(sent);
  const Reply reply = subject_.ask(command);
  for (const Expected& one : expected) {
    if (one.index >= reply.replies.size()) break;
    const Reply& own = reply.replies[one.index];
    if (own.status == Reply::Status::kUnsupported) throw Unsupported(own.reason);
    const ScopedTrace place(one.words);
    if (own.status == Reply::Status::kUnsupported) throw Unsupported(own.reason);
    expect_true(own.succeeded(), "it succeeds, not: " + own.error.message + own.reason);
    one.check(own);
  }
  if (reply.status == Reply::Status::kUnsupported) throw Unsupported(reply.reason);
  expect_true(reply.succeeded(), "the block ends, not: " + reply.error.message + reply.reason);
  refuse_incomplete(command, reply);
}

}  // namespace assay::suites
