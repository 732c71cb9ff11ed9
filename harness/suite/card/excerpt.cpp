// Truncates texts and replies.
#include "harness/suite/card/excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

constexpr std::size_t kMostSentence = 4 << 10;
constexpr std::size_t kMostValue = 16 << 10;
/// Larger than any correct reply, except those of sweeps.
constexpr std::size_t kMostReply = 64 << 10;
constexpr std::size_t kMostReplies = 1 << 20;
/// The size kept of a reply when no space is left.
constexpr std::size_t kLeast = 256;

/// Does not split a character.
std::size_t whole_characters(std::string_view text, std::size_t bytes) {
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::size_t end = bytes;
  while (end > 0 && bytes - end < 4 && continues(end)) --end;
  return end;
}

Reply shortened(const Reply& reply, const std::string& text, std::size_t most) {
  Reply brief;
  brief.id = reply.id;
  brief.status = reply.status;
  const std::string beginning = excerpt(text, most);
  if (reply.status == Reply::Status::kOk) brief.ok.set("cut", Value(beginning));
  if (reply.status == Reply::Status::kError) {
    brief.error.kind = reply.error.kind;
    brief.error.message = beginning;
  }
  brief.reason = beginning;
  return brief;
}

}  // namespace

std::string excerpt(std::string text, std::size_t most_bytes) {
  const std::size_t size = text.size();
  if (size <= most_bytes) return text;
  text.resize(whole_characters(text, most_bytes));
  return text + fmt::format("… (cut; {} bytes in all)", size);
}

void shorten(CaseResult& result) {
  if (result.failure) {
    Failure& failure = *result.failure;
    failure.sentence = excerpt(std::move(failure.sentence), kMostSentence);
    failure.expected = excerpt(std::move(failure.expected), kMostValue);
    failure.got = excerpt(std::move(failure.got), kMostValue);
  }
  result.excuse = excerpt(std::move(result.excuse), kMostSentence);
  std::size_t left = kMostReplies;
  for (Exchange& exchange : result.history) {
    const std::string text = to_json(exchange.reply);
    const std::size_t room = std::min(kMostReply, std::max(left, kLeast));
    if (text.size() > room)
      exchange.reply = shortened(exchange.reply, text, std::min(room, kMostValue));
    left -= std::min(left, text.size());
  }
}

}  // namespace assay
