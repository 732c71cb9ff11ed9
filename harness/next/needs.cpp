// Counts what cases lack.
#include "harness/next/needs.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace assay {
namespace {

using Use = std::function<void(const Command&)>;

void visit(const Block& block, const Use& use);

void visit(const Command& command, const Use& use) {
  use(command);
  visit(command.enter, use);
  visit(command.body, use);
  visit(command.observe, use);
  for (const auto& [thread, block] : command.threads) visit(block, use);
}

void visit(const Block& block, const Use& use) {
  for (const Command& command : block) visit(command, use);
}

bool is_answer(const Reply& reply) {
  return reply.status == Reply::Status::kOk || reply.status == Reply::Status::kError;
}

/// A block that is answered as a whole has answered commands only.
void add_answered(const Command& command, const Reply& reply, std::set<std::string>& found) {
  if (is_answer(reply)) return visit(command, [&](const Command& one) { found.insert(one.verb); });
  const std::size_t known = std::min(command.body.size(), reply.replies.size());
  for (std::size_t i = 0; i < known; ++i) add_answered(command.body[i], reply.replies[i], found);
}

struct Worth {
  std::size_t unlocks = 0;
  std::size_t needed = 0;
  double nearer = 0;
};

}  // namespace

std::set<std::string> commands_in(const std::vector<Exchange>& conversation) {
  std::set<std::string> found;
  for (const Exchange& exchange : conversation) {
    visit(exchange.command, [&](const Command& command) { found.insert(command.verb); });
  }
  return found;
}

std::set<std::string> answered_in(const std::vector<Exchange>& conversation) {
  std::set<std::string> found;
  for (const Exchange& exchange : conversation) {
    add_answered(exchange.command, exchange.reply, found);
  }
  return found;
}

std::vector<Suggestion> suggestions(const std::vector<OpenCase>& cases) {
  std::map<std::string, Worth> worth;
  for (const OpenCase& open : cases) {
    for (const std::string& command : open.lacks) {
      Worth& one = worth[command];
      ++one.needed;
      one.unlocks += open.lacks.size() == 1 ? 1U : 0U;
      one.nearer += 1.0 / static_cast<double>(open.lacks.size());
    }
  }
  std::vector<Suggestion> found;
  for (const auto& [command, one] : worth) found.push_back({command, one.unlocks, one.needed});
  std::ranges::stable_sort(found, std::ranges::greater(), [&](const Suggestion& one) {
    return std::pair(one.unlocks, worth.at(one.command).nearer);
  });
  return found;
}

}  // namespace assay
