// Finds the command at which a case stopped.
#include "harness/suite/unsupported_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "harness/protocol/schema.hpp"

namespace assay {
namespace {

bool is_unsupported(const Reply& reply) { return reply.status == Reply::Status::kUnsupported; }

/// A guard that could not be entered. Its reply is at the position of the body's first reply, and
/// the message distinguishes the two.
const Command* refused_guard(const Command& command, const Reply& reply) {
  if (reply.replies.size() != 1) return nullptr;
  const std::string& why = reply.replies.back().reason;
  const auto found = std::ranges::find_if(command.enter, [&](const Command& guard) {
    return why.find(guard.verb) != std::string::npos;
  });
  return found == command.enter.end() ? nullptr : &*found;
}

/// The replies of a block are those of the commands in its body.
const Command* inner_command(const Command& command, const Reply& reply) {
  const std::size_t said = reply.replies.size();
  if (said == 0 || !is_unsupported(reply.replies.back())) return nullptr;
  if (const Command* guard = refused_guard(command, reply)) return guard;
  return said <= command.body.size() ? &command.body[said - 1] : nullptr;
}

const std::string& innermost(const Command& command, const Reply& reply) {
  const Command* inner = inner_command(command, reply);
  return inner == nullptr ? command.verb : innermost(*inner, reply.replies.back());
}

/// The last of the commands in a block, or the command itself, that was answered blind.
const Command* blind_command(const Command& command, const Reply& reply, const std::string& field) {
  for (std::size_t i = std::min(command.body.size(), reply.replies.size()); i-- > 0;) {
    if (const auto* inner = blind_command(command.body[i], reply.replies[i], field)) return inner;
  }
  return std::ranges::find(reply.blind, field) == reply.blind.end() ? nullptr : &command;
}

}  // namespace

NotShown::NotShown(std::vector<std::string> fields)
    : Unsupported(fmt::format("the subject does not show {}", fmt::join(fields, ", "))),
      fields_(std::move(fields)) {}

std::string stopped_at(const std::vector<Exchange>& history) {
  if (history.empty()) return "";
  const auto& [command, reply] = history.back();
  return is_unsupported(reply) ? innermost(command, reply) : command.verb;
}

std::string blind_at(const std::vector<Exchange>& history, const std::string& field) {
  for (auto exchange = history.rbegin(); exchange != history.rend(); ++exchange) {
    const Command* command = blind_command(exchange->command, exchange->reply, field);
    if (command == nullptr) continue;
    return comparison_of(command->verb, field) ? command->verb + "." + field : command->verb;
  }
  return "";
}

std::string command_of(const std::string& field) {
  const std::size_t last = field.rfind('.');
  if (last == std::string::npos || knows(field)) return field;
  const std::string command = field.substr(0, last);
  return knows(command) ? command : field;
}

std::string area_of_case(const std::string& id) { return id.substr(0, id.find('/')); }

std::string area_of_command(const std::string& verb) {
  const std::size_t dot = verb.find('.');
  if (dot == std::string::npos) return "";
  const std::string first = verb.substr(0, dot);
  return knows(first) ? "" : first;  // `value.result` is a field of a command of no area
}

}  // namespace assay
