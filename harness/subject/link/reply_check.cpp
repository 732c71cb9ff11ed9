// Matches replies to commands.
#include "harness/subject/link/reply_check.hpp"

#include <string>

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

std::string in_words(const std::optional<std::int64_t>& id) {
  return id ? "id " + std::to_string(*id) : "no id";
}

}  // namespace

Reply checked_reply(std::string_view text, const Command& command) {
  Reply reply = reply_from_json(text);
  const bool could_not_read = reply.status == Reply::Status::kInvalid && !reply.id;
  if (reply.id != command.id && !could_not_read) {
    throw MalformedMessage("the command had " + in_words(command.id) + ", the reply has " +
                           in_words(reply.id));
  }
  return reply;
}

}  // namespace assay
