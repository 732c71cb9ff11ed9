// Running programs on two subjects side by side, under the eyes of models.
#include "harness/program/differential.hpp"

#include <algorithm>
#include <cctype>

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

/// `error value`; of what makes no sense also why, without the names.
std::string kind_of(const std::string& answer) {
  return answer.substr(0, answer.find(answer.starts_with("invalid") ? '\'' : ':'));
}

/// Where replies part, whatever the places in lists and blocks; where the answers are of other
/// kinds, those kinds.
std::string kind_of(const Difference& difference) {
  std::string where = difference.where;
  std::erase_if(where, [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!where.ends_with("the answer")) return " " + where;
  return " " + kind_of(difference.wanted) + " or " + kind_of(difference.got);
}

bool is_unsupported(const Reply& reply) { return reply.status == Reply::Status::kUnsupported; }

}  // namespace

std::string Meeting::signature() const {
  if (end == End::kBroken) return verb + " breaks it";
  // The kinds are in it, so that a program does not shrink to one that makes no sense to one of the
  // two.
  return difference ? verb + kind_of(*difference) : verb;
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

/// False when it died over the command.
bool Differential::ask_believed(const Command& command, Meeting& meeting) {
  if (believed_ == nullptr) return true;
  try {
    meeting.exchanges.emplace_back(command, believed_->exchange(command));
    return true;
  } catch (const LinkBroken& broken) {
    meeting.end = Meeting::End::kNobodyKnows;
    meeting.broken = broken.what();
    restart(*believed_);
    believed_is_fresh_ = true;
    return false;
  }
}

/// False when one of the two lacks what is asked.
bool Differential::ask_subject(const Command& command, Meeting& meeting) {
  meeting.got = subject_.exchange(command);
  if (believed_ == nullptr) meeting.exchanges.emplace_back(command, *meeting.got);
  const Reply& wanted = meeting.exchanges.back().second;
  if (!is_unsupported(wanted) && !is_unsupported(*meeting.got)) return true;
  meeting.end = Meeting::End::kUnsupported;
  meeting.verb = lacking_verb(command, is_unsupported(wanted) ? wanted : *meeting.got);
  return false;
}

/// From the other subject, or from what a model says.
bool Differential::differs(const Command& command, Meeting& meeting) {
  Reply& wanted = meeting.exchanges.back().second;
  meeting.difference = compare_replies(command, *meeting.got, wanted);
  for (const auto& model : models_) {
    if (meeting.difference) break;
    const Reply expected = model->expected(command, *meeting.got);
    meeting.difference = compare_replies(command, *meeting.got, expected);
    if (meeting.difference) wanted = expected;
  }
  if (!meeting.difference) return false;
  meeting.end = Meeting::End::kParted;
  meeting.verb = parting_verb(command, *meeting.got, wanted);
  return true;
}

Meeting Differential::run(const Block& program) {
  if (believed_ != nullptr) prepare(*believed_, believed_is_fresh_);
  Meeting meeting;
  try {
    prepare(subject_, subject_is_fresh_);
    for (const auto& model : models_) model->begin(subject_, contract_);
    std::int64_t id = 0;
    for (Command command : program) {
      command.id = ++id;
      meeting.verb = command.verb;
      if (!ask_believed(command, meeting) || !ask_subject(command, meeting)) return meeting;
      if (differs(command, meeting)) return meeting;
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
