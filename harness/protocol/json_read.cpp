// Parses JSON messages. Any text gives either a message or a MalformedMessage with the
// reason.
#include <algorithm>
#include <array>

#include "harness/protocol/json_values.hpp"

namespace assay {
namespace {

Command read_command(JsonScanner& scan, int depth);

/// Refuses a member that occurs twice, because one of the two would be lost.
class EachOnce {
 public:
  void note(std::string_view what, std::string_view name) {
    const auto end = seen_.begin() + count_;
    if (count_ == kMost || std::find(seen_.begin(), end, name) != end) {
      JsonScanner::malformed(std::string(what) + " has '" + std::string(name.substr(0, 60)) +
                             "' twice");
    }
    seen_[static_cast<std::size_t>(count_++)] = name;
  }

 private:
  /// More members than any message has: none of them allocates.
  static constexpr std::ptrdiff_t kMost = 16;
  std::array<std::string, kMost> seen_;
  std::ptrdiff_t count_ = 0;
};

Block read_block(JsonScanner& scan, std::string_view what, int depth) {
  Block block;
  scan.array(what, [&] { block.push_back(read_command(scan, depth + 1)); });
  return block;
}

std::uint64_t read_block_size(JsonScanner& scan) {
  const std::int64_t size = scan.integer("'digest'");
  if (size < 1) scan.malformed("'digest' must be a positive number of elements");
  return static_cast<std::uint64_t>(size);
}

void read_threads(JsonScanner& scan, Command& command, int depth) {
  scan.object("'threads'", [&](std::string_view view) {
    std::string name(view);
    const bool is_repeated = std::ranges::any_of(
        command.threads, [&](const auto& thread) { return thread.first == name; });
    if (is_repeated) scan.malformed("'threads' has '" + name + "' twice");
    command.threads.emplace_back(std::move(name), read_block(scan, "a thread's block", depth));
  });
}

void read_member(JsonScanner& scan, std::string_view name, Command& command, int depth) {
  if (name == "do") {
    command.verb = scan.text("'do'");
  } else if (name == "with") {
    command.with = read_fields(scan, "'with'");
  } else if (name == "as") {
    command.as = scan.text("'as'");
  } else if (name == "id") {
    command.id = scan.integer("'id'");
  } else if (name == "count") {
    command.count = scan.boolean("'count'");
  } else if (name == "digest") {
    command.digest = read_block_size(scan);
  } else if (name == "enter") {
    command.enter = read_block(scan, "'enter'", depth);
  } else if (name == "body") {
    command.body = read_block(scan, "'body'", depth);
  } else if (name == "observe") {
    command.observe = read_block(scan, "'observe'", depth);
  } else if (name == "threads") {
    read_threads(scan, command, depth);
  } else {
    scan.malformed("a command has no member '" + std::string(name.substr(0, 60)) + "'");
  }
}

Command read_command(JsonScanner& scan, int depth) {
  if (depth > kDeepestValue) {
    scan.malformed("blocks nest deeper than " + std::to_string(kDeepestValue));
  }
  Command command;
  EachOnce members;
  scan.object("a command", [&](std::string_view name) {
    members.note("a command", name);
    read_member(scan, name, command, depth);
  });
  if (command.verb.empty()) scan.malformed("a command lacks 'do'");
  return command;
}

ErrorReply read_error(JsonScanner& scan) {
  ErrorReply error;
  std::optional<ErrorKind> kind;
  bool has_message = false;
  EachOnce members;
  scan.object("an error", [&](std::string_view name) {
    members.note("an error", name);
    if (name == "kind") {
      const std::string_view text = scan.text("an error's kind");
      kind = error_kind_named(text);
      if (!kind) scan.malformed("no error is of kind '" + std::string(text.substr(0, 60)) + "'");
    } else if (name == "message") {
      has_message = true;
      error.message = scan.text("an error's message");
    } else if (name == "code") {
      error.code = read_value(scan, 0);
    } else {
      scan.malformed("an error has no member '" + std::string(name.substr(0, 60)) + "'");
    }
  });
  if (!kind || !has_message) scan.malformed("an error has 'kind' and 'message'");
  error.kind = *kind;
  return error;
}

std::vector<Warning> read_warnings(JsonScanner& scan) {
  std::vector<Warning> warnings;
  scan.array("'warnings'", [&] {
    Warning warning;
    scan.pair(
        "a warning is a [category, text] pair",
        [&] { warning.category = scan.text("a warning's category"); },
        [&] { warning.text = scan.text("a warning's text"); });
    warnings.push_back(std::move(warning));
  });
  return warnings;
}

std::optional<std::int64_t> read_reply_id(JsonScanner& scan) {
  if (scan.peek() != 'n') return scan.integer("'id'");
  scan.null();
  return std::nullopt;
}

Reply read_reply(JsonScanner& scan, int depth);

/// False if `name` is not one of the four outcomes.
bool read_outcome(JsonScanner& scan, std::string_view name, Reply& reply) {
  if (name == "ok") {
    reply.status = Reply::Status::kOk;
    reply.ok = read_fields(scan, "'ok'");
  } else if (name == "error") {
    reply.status = Reply::Status::kError;
    reply.error = read_error(scan);
  } else if (name == "unsupported") {
    reply.status = Reply::Status::kUnsupported;
    reply.reason = scan.text("'unsupported'");
  } else if (name == "invalid") {
    reply.status = Reply::Status::kInvalid;
    reply.reason = scan.text("'invalid'");
  } else {
    return false;
  }
  return true;
}

void read_addition(JsonScanner& scan, std::string_view name, Reply& reply, int depth) {
  if (name == "id") {
    reply.id = read_reply_id(scan);
  } else if (name == "warnings") {
    reply.warnings = read_warnings(scan);
  } else if (name == "counts") {
    reply.counts = read_fields(scan, "'counts'");
  } else if (name == "blind") {
    scan.array("'blind'", [&] { reply.blind.emplace_back(scan.text("a blind field")); });
  } else if (name == "replies") {
    scan.array("'replies'", [&] { reply.replies.push_back(read_reply(scan, depth + 1)); });
  } else {
    scan.malformed("a reply has no member '" + std::string(name.substr(0, 60)) + "'");
  }
}

Reply read_reply(JsonScanner& scan, int depth) {
  if (depth > kDeepestValue) {
    scan.malformed("replies nest deeper than " + std::to_string(kDeepestValue));
  }
  Reply reply;
  int outcomes = 0;
  EachOnce members;
  scan.object("a reply", [&](std::string_view name) {
    members.note("a reply", name);
    if (read_outcome(scan, name, reply)) {
      ++outcomes;
    } else {
      read_addition(scan, name, reply, depth);
    }
  });
  if (outcomes != 1) {
    scan.malformed("a reply has exactly one of 'ok', 'error', 'unsupported', 'invalid'");
  }
  return reply;
}

/// The id of a message that is otherwise invalid.
std::optional<std::int64_t> id_in(std::string_view text) {
  JsonScanner scan(text);
  std::optional<std::int64_t> id;
  try {
    scan.object("a message", [&](std::string_view name) {
      if (name == "id") {
        id = scan.integer("'id'");
      } else {
        scan.skip();
      }
    });
  } catch (const MalformedMessage&) {
    return id;
  }
  return id;
}

template <typename Read>
auto whole(std::string_view text, const Read& read) {
  JsonScanner scan(text);
  try {
    auto message = read(scan);
    scan.end();
    return message;
  } catch (const MalformedMessage& failure) {
    throw MalformedMessage(failure.what(), id_in(text));
  }
}

}  // namespace

Command command_from_json(std::string_view text) {
  return whole(text, [](JsonScanner& scan) { return read_command(scan, 0); });
}

Reply reply_from_json(std::string_view text) {
  return whole(text, [](JsonScanner& scan) { return read_reply(scan, 0); });
}

Value value_from_json(std::string_view text) {
  return whole(text, [](JsonScanner& scan) { return read_value(scan, 0); });
}

}  // namespace assay
