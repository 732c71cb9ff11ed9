// Running programs on two subjects side by side.
#include "harness/program/differential.hpp"

#include <algorithm>

#include "harness/program/compare_replies.hpp"

namespace assay {
namespace {

Command session_command(std::string verb, Fields with = {}) {
  Command command;
  command.id = 0;
  command.verb = std::move(verb);
  command.with = std::move(with);
  return command;
}

/// The command inside a block that was not supported, or the command itself.
const std::string& lacking_verb(const Command& command, const Reply& reply) {
  if (!reply.replies.empty() && reply.replies.size() <= command.body.size()) {
    const std::size_t last = reply.replies.size() - 1;
    if (reply.replies[last].status == Reply::Status::kUnsupported) {
      return lacking_verb(command.body[last], reply.replies[last]);
    }
  }
  return command.verb;
}

/// The first command inside a block whose replies differ, or the command itself.
const std::string& parting_verb(const Command& command, const Reply& got, const Reply& wanted) {
  const std::size_t common =
      std::min({command.body.size(), got.replies.size(), wanted.replies.size()});
  for (std::size_t i = 0; i < common; ++i) {
    if (compare_replies(command.body[i], got.replies[i], wanted.replies[i])) {
      return parting_verb(command.body[i], got.replies[i], wanted.replies[i]);
    }
  }
  return command.verb;
}

bool is_unsupported(const Reply& reply) { return reply.status == Reply::Status::kUnsupported; }

}  // namespace

std::string Meeting::signature() const {
  if (end == End::kBroken) return verb + " breaks it";
  // A program must not shrink to one that makes no sense to one of the two.
  const bool senseless = got && (got->status == Reply::Status::kInvalid ||
                                 exchanges.back().second.status == Reply::Status::kInvalid);
  return senseless ? verb + " makes no sense" : verb;
}

void Differential::restart(Link& link) {
  link.restart();
  link.exchange(session_command("hello", {{"release", name_of(contract_.release)},
                                          {"device_rules", name_of(contract_.device_rules)},
                                          {"deviations", name_of(contract_.deviations)}}));
}

void Differential::prepare(Link& link, bool& fresh) {
  if (std::exchange(fresh, false)) return;
  const Reply reply = link.exchange(session_command("reset"));
  const Value* uncleaned = reply.ok.find("uncleaned");
  const List* areas = uncleaned == nullptr ? nullptr : uncleaned->get_if<List>();
  if (!reply.succeeded() || areas == nullptr || !areas->items.empty()) restart(link);
}

/// Nothing when it died over the command.
std::optional<Reply> Differential::believed_reply(const Command& command, Meeting& meeting) {
  try {
    return believed_.exchange(command);
  } catch (const LinkBroken& broken) {
    meeting.end = Meeting::End::kNobodyKnows;
    meeting.broken = broken.what();
    restart(believed_);
    believed_is_fresh_ = true;
    return std::nullopt;
  }
}

Meeting Differential::run(const Block& program) {
  prepare(believed_, believed_is_fresh_);
  Meeting meeting;
  try {
    prepare(subject_, subject_is_fresh_);
    std::int64_t id = 0;
    for (Command command : program) {
      command.id = ++id;
      meeting.verb = command.verb;
      std::optional<Reply> answer = believed_reply(command, meeting);
      if (!answer) return meeting;
      meeting.exchanges.emplace_back(command, std::move(*answer));
      const Reply& wanted = meeting.exchanges.back().second;
      meeting.got = subject_.exchange(command);
      if (is_unsupported(wanted) || is_unsupported(*meeting.got)) {
        meeting.end = Meeting::End::kUnsupported;
        meeting.verb = lacking_verb(command, is_unsupported(wanted) ? wanted : *meeting.got);
        return meeting;
      }
      meeting.difference = compare_replies(command, *meeting.got, wanted);
      if (meeting.difference) {
        meeting.end = Meeting::End::kParted;
        meeting.verb = parting_verb(command, *meeting.got, wanted);
        return meeting;
      }
    }
  } catch (const LinkBroken& broken) {
    meeting.end = Meeting::End::kBroken;
    meeting.broken = broken.what();
    restart(subject_);
    subject_is_fresh_ = true;
  }
  return meeting;
}

}  // namespace assay
