// Looks for the fields that the tables of the waist require, and for the replies of blocks.
#include "harness/suite/complete_reply.hpp"

#include <algorithm>

#include "harness/protocol/schema.hpp"
#include "harness/suite/session.hpp"

namespace assay {
namespace {

void refuse_missing_fields(const Command& command, const Reply& reply) {
  for (const std::string& name : required_results(command.verb)) {
    const bool is_blind = std::ranges::find(reply.blind, name) != reply.blind.end();
    if (is_blind || reply.ok.has(name)) continue;
    throw BadReply(command.verb + ": the reply lacks '" + name + "'");
  }
}

void refuse_incomplete_block(const Command& command, const Reply& reply) {
  if (reply.replies.size() != command.body.size()) {
    throw BadReply(command.verb + ": the body has " + std::to_string(command.body.size()) +
                   " commands, the reply has " + std::to_string(reply.replies.size()) + " replies");
  }
  for (std::size_t i = 0; i < command.body.size(); ++i) {
    if (!reply.replies[i].succeeded()) {
      throw BadReply(command.verb + ": the reply is ok, and that of its command " +
                     std::to_string(i + 1) + ", " + command.body[i].verb + ", is not");
    }
    refuse_incomplete(command.body[i], reply.replies[i]);
  }
}

}  // namespace

void refuse_incomplete(const Command& command, const Reply& reply) {
  refuse_missing_fields(command, reply);
  if (command.verb == "scope" || command.verb == "on") refuse_incomplete_block(command, reply);
}

}  // namespace assay
