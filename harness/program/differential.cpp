// Runs programs on two subjects and compares the replies.
#include "harness/program/differential.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace assay {
namespace {

Command session_command(std::string verb, Fields with = {}) {
  Command command;
  command.id = 0;
  command.verb = std::move(verb);
  command.with = std::move(with);
  return command;
}

/// The unsupported command inside a block, or the command itself.
const std::string& lacking_verb(const Command& command, const Reply& reply) {
  if (!reply.replies.empty() && reply.replies.size() <= command.body.size()) {
    const std::size_t last = reply.replies.size() - 1;
    if (reply.replies[last].status == Reply::Status::kUnsupported) {
      return lacking_verb(command.body[last], reply.replies[last]);
    }
  }
  return command.verb;
}

/// The first command inside a block with different replies, or the command itself.
const std::string& first_differing_verb(const Command& command, const Reply& got,
                                        const Reply& wanted, ProgramComparison comparison) {
  const std::size_t common =
      std::min({command.body.size(), got.replies.size(), wanted.replies.size()});
  for (std::size_t i = 0; i < common; ++i) {
    const ProgramComparison before = comparison;
    if (comparison.compare(command.body[i], got.replies[i], wanted.replies[i])) {
      return first_differing_verb(command.body[i], got.replies[i], wanted.replies[i], before);
    }
  }
  return command.verb;
}

/// `error value`; for an `invalid` reply also the reason, without names.
std::string kind_of(const std::string& answer) {
  return answer.substr(0, answer.find(answer.starts_with("invalid") ? '\'' : ':'));
}

/// The location of a difference without positions in lists and blocks; if the replies are of
/// different kinds, these kinds.
std::string kind_of(const Difference& difference) {
  std::string where = difference.where;
  std::erase_if(where, [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!where.ends_with("the answer")) return " " + where;
  return " " + kind_of(difference.wanted) + " or " + kind_of(difference.got);
}

/// Also inside a block.
bool is_invalid(const Reply& reply) {
  return reply.status == Reply::Status::kInvalid || std::ranges::any_of(reply.replies, is_invalid);
}

bool is_unsupported(const Reply& reply) { return reply.status == Reply::Status::kUnsupported; }

}  // namespace

std::string ProgramResult::signature() const {
  if (end == End::kBroken) return verb + " breaks it";
  // Includes the kinds, so that a program does not shrink to one that is invalid for one of the
  // subjects.
  return difference ? verb + kind_of(*difference) : verb;
}

void Differential::restart(Link& link, const Contract& contract) {
  link.restart();
  link.exchange(session_command("hello", {{"release", name_of(contract.release)},
                                          {"device_rules", name_of(contract.device_rules)},
                                          {"deviations", name_of(contract.deviations)}}));
}

void Differential::prepare(Link& link, const Contract& contract, bool& fresh) {
  if (std::exchange(fresh, false)) return;
  const Reply reply = link.exchange(session_command("reset"));
  const Value* uncleaned = reply.ok.find("uncleaned");
  const List* areas = uncleaned == nullptr ? nullptr : uncleaned->get_if<List>();
  if (!reply.succeeded() || areas == nullptr || !areas->items.empty()) {
    restart(link, contract);
  }
}

/// False if the trusted subject died.
bool Differential::ask_trusted(const Command& command, ProgramResult& result) {
  try {
    result.exchanges.emplace_back(command, trusted_.exchange(command));
    return true;
  } catch (const LinkBroken& broken) {
    result.end = ProgramResult::End::kUnknown;
    result.broken = broken.what();
    restart(trusted_, of_trusted_);
    trusted_is_fresh_ = true;
    return false;
  }
}

/// False if there is nothing to compare.
bool Differential::ask_subject(const Command& command, ProgramResult& result) {
  result.got = subject_.exchange(command);
  const Reply& wanted = result.exchanges.back().second;
  if (!is_unsupported(wanted) && !is_unsupported(*result.got)) {
    if (!is_invalid(wanted)) return true;
    result.end = ProgramResult::End::kMeaningless;
    return false;
  }
  result.end = ProgramResult::End::kUnsupported;
  result.verb = lacking_verb(command, is_unsupported(wanted) ? wanted : *result.got);
  return false;
}

bool Differential::differs(const Command& command, ProgramResult& result) {
  const Reply& wanted = result.exchanges.back().second;
  const ProgramComparison before = comparison_;
  result.difference = comparison_.compare(command, *result.got, wanted);
  const std::vector<std::string>& missing = comparison_.unanswered();
  result.unanswered.insert(missing.begin(), missing.end());
  if (!result.difference) return false;
  result.end = ProgramResult::End::kDiffers;
  result.verb = first_differing_verb(command, *result.got, wanted, before);
  return true;
}

ProgramResult Differential::run(const Block& program, const Freedom& freedom) {
  prepare(trusted_, of_trusted_, trusted_is_fresh_);
  ProgramResult result;
  comparison_ = ProgramComparison(freedom);
  try {
    prepare(subject_, of_subject_, subject_is_fresh_);
    std::int64_t id = 0;
    for (Command command : program) {
      command.id = ++id;
      result.verb = command.verb;
      if (!ask_trusted(command, result) || !ask_subject(command, result)) return result;
      if (differs(command, result)) return result;
    }
  } catch (const LinkBroken& broken) {
    result.end = ProgramResult::End::kBroken;
    result.broken = broken.what();
    restart(subject_, of_subject_);
    subject_is_fresh_ = true;
  }
  return result;
}

}  // namespace assay
