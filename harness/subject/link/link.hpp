// The client's end of a transport: sends a command and returns its reply; with what some links
// offer beside that.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/subject/subject.hpp"

namespace assay {

/// The subject is gone or violates the protocol. The link can only be used again after
/// `restart`.
class LinkBroken : public std::runtime_error {
 public:
  enum class Cause { kDied, kTimedOut, kGarbled };
  LinkBroken(Cause cause, const std::string& what, std::string last_words = {})
      : std::runtime_error(what), cause_(cause), last_words_(std::move(last_words)) {}
  Cause cause() const { return cause_; }
  /// The last part of its standard error.
  const std::string& last_words() const { return last_words_; }

 private:
  Cause cause_;
  std::string last_words_;
};

class Link {
 public:
  virtual ~Link() = default;
  /// Throws LinkBroken.
  virtual Reply exchange(const Command& command) = 0;
  /// Replaces the subject by a new one.
  virtual void restart() = 0;
};

/// In this process, without text. `make` creates the subject, again at each restart.
std::unique_ptr<Link> connect_in_process(std::function<std::unique_ptr<Subject>()> make);

/// A shared library that exports assay_open, assay_execute and assay_close (plugin.h).
std::unique_ptr<Link> connect_plugin(const std::string& path);

struct ProcessOptions {
  std::vector<std::string> argv;
  /// The limit for one reply.
  std::chrono::milliseconds timeout{30'000};
  /// The maximum length of a line; a longer one breaks the link.
  std::size_t most_line_bytes = std::size_t{256} << 20;
};

/// A child process that reads commands on standard input and replies on standard output.
std::unique_ptr<Link> connect_process(ProcessOptions options);

// Ends a subject: closes its input, waits for it, and kills it if necessary.

/// An optional interface of links. No exchange may follow, unless the link is restarted.
class ClosableLink {
 public:
  virtual ~ClosableLink() = default;
  /// Ends the subject. Returns a sentence if it crashed or exited with a status other than 0.
  /// Without `patience`, it is killed silently after a short time; with `patience`, for a subject
  /// that has something to write, exceeding it is reported too.
  virtual std::optional<std::string> close_subject(
      std::optional<std::chrono::milliseconds> patience) = 0;
};

/// Nothing for a link without this interface.
inline std::optional<std::string> close_subject(
    Link& link, std::optional<std::chrono::milliseconds> patience = std::nullopt) {
  auto* known = dynamic_cast<ClosableLink*>(&link);
  return known == nullptr ? std::nullopt : known->close_subject(patience);
}

// Whether a subject has ever answered; if not, its command line may be wrong.

/// An optional interface of links.
class FirstReply {
 public:
  virtual ~FirstReply() = default;
  /// True if there was at least one valid reply, including before restarts.
  virtual bool has_ever_answered() const = 0;
};

/// False for a link without this interface.
inline bool never_answered(const Link& link) {
  const auto* known = dynamic_cast<const FirstReply*>(&link);
  return known != nullptr && !known->has_ever_answered();
}

// Checks that a text is the reply to a command; for both transports that carry text.

/// Throws MalformedMessage if the text is not a reply or has a different id. Accepts `invalid`
/// without an id, from a subject that could not read the id.
Reply checked_reply(std::string_view text, const Command& command);

}  // namespace assay
