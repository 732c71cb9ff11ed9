// The client's end of a transport: sends a command and returns its reply.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

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

}  // namespace assay
