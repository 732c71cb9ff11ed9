// Parses litmus programs.
#include "harness/check/litmus.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "harness/check/litmus_words.hpp"

namespace assay::litmus {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !text.empty() && std::ranges::all_of(text, letter) &&
         std::isdigit(static_cast<unsigned char>(text.front())) == 0;
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// In quotes and truncated, because any file may be given as a program.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 80;
  const bool is_long = text.size() > kMost;
  return "'" + std::string(text.substr(0, kMost)) + (is_long ? "...'" : "'");
}

std::string all_words() {
  std::string list;
  for (const Word& word : words()) list += (list.empty() ? "" : ", ") + std::string(word.text);
  return list;
}

/// Parses one operation; error messages include its position.
class OperationReader {
 public:
  OperationReader(std::string_view text, int line) : text_(text), line_(line) {}

  Operation read() {
    const std::size_t open = text_.find('(');
    const std::string_view name = trimmed(text_.substr(0, open));
    const auto word = std::ranges::find(words(), name, &Word::text);
    if (word == words().end())
      fail(quoted(name) + " is not an operation; the operations are " + all_words());
    const std::vector<std::string_view> arguments = split(open);
    const bool may_lack = word->arguments == "d";
    if (arguments.size() != word->arguments.size() && !(may_lack && arguments.empty())) {
      fail(quoted(name) + " takes " + std::to_string(word->arguments.size()) + " arguments, not " +
           std::to_string(arguments.size()));
    }
    Operation operation{.verb = word->verb};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      take(operation, word->arguments[i], arguments[i]);
    }
    return operation;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw BadProgram("line " + std::to_string(line_) + ", " + quoted(text_) + ": " + what);
  }

  std::vector<std::string_view> split(std::size_t open) const {
    if (open == std::string_view::npos) return {};
    if (text_.back() != ')') fail("expected ')' at its end");
    std::string_view inside = text_.substr(open + 1, text_.size() - open - 2);
    std::vector<std::string_view> arguments;
    while (true) {
      const std::size_t comma = inside.find(',');
      arguments.push_back(trimmed(inside.substr(0, comma)));
      if (comma == std::string_view::npos) return arguments;
      inside.remove_prefix(comma + 1);
    }
  }

  void take(Operation& operation, char kind, std::string_view text) const {
    switch (kind) {
      case 's':
        operation.stream = stream(text);
        return;
      case 't':
        operation.other = stream(text);
        return;
      case 'o':
        operation.object = name(text, "a name");
        return;
      case 'x':
        operation.location = name(text, "the name of a location");
        return;
      case 'h':
        operation.buffer = name(text, "the name of a host buffer");
        return;
      case 'v':
        operation.value = value(text);
        return;
      default:
        operation.device = device(text);
    }
  }

  std::string name(std::string_view text, const char* what) const {
    if (!is_name(text)) fail("expected " + std::string(what) + ", not " + quoted(text));
    return std::string(text);
  }

  std::int64_t value(std::string_view text) const {
    const auto read = number<std::int64_t>(text);
    if (!read) fail("expected a whole number, not " + quoted(text));
    return *read;
  }

  int device(std::string_view text) const {
    const auto read = number<int>(text);
    if (!read || *read < 0) fail("expected the number of a device, not " + quoted(text));
    return *read;
  }

  Stream stream(std::string_view text) const {
    constexpr std::string_view kLetters = "SBLP";
    const std::size_t at = text.find('@');
    const std::string_view base = text.substr(0, at);
    const std::size_t kind = base.empty() ? std::string_view::npos : kLetters.find(base.front());
    if (!is_name(base) || kind == std::string_view::npos) {
      fail(
          "expected a stream, whose name begins with S (non-blocking), B (blocking), L (legacy) or "
          "P (the thread's default), not " +
          quoted(text));
    }
    Stream read{std::string(text), static_cast<StreamKind>(kind), 0};
    if (at != std::string_view::npos) read.device = device(text.substr(at + 1));
    return read;
  }

  std::string_view text_;
  int line_;
};

Thread& thread_named(Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.threads, name, &Thread::name);
  if (found != program.threads.end()) return *found;
  return program.threads.emplace_back(Thread{std::string(name), {}});
}

/// Parses the thread name at the beginning of `A: st(S0,x,1)`.
std::optional<std::string_view> leading_thread(std::string_view piece) {
  const std::size_t colon = piece.find(':');
  if (colon == std::string_view::npos || !is_name(trimmed(piece.substr(0, colon))))
    return std::nullopt;
  return trimmed(piece.substr(0, colon));
}

void require(bool condition, const std::string& what) {
  if (!condition) throw BadProgram(what);
}

void check_gates(const Program& program) {
  std::set<std::string> gates;
  for (const Operation* operation : program.operations()) {
    if (operation->verb != Verb::kGate) continue;
    const bool is_new = gates.insert(operation->object).second;
    require(is_new, "gate '" + operation->object + "' is put into a stream twice");
  }
  for (const Operation* operation : program.operations()) {
    require(operation->verb != Verb::kOpen || gates.contains(operation->object),
            "no gate '" + operation->object + "' is in any stream");
  }
}

void check_buffers(const Program& program) {
  std::set<std::string> buffers;
  for (const Operation* operation : program.operations()) {
    if (!operation->declares() || operation->buffer.empty()) continue;
    const bool is_new = buffers.insert(operation->buffer).second;
    require(is_new, "host buffer '" + operation->buffer + "' is declared twice");
  }
  for (const Operation* operation : program.operations()) {
    const std::string& name = operation->buffer;
    require(name.empty() || buffers.contains(name),
            "host buffer '" + name + "' is not declared: pinned(" + name + ",0) or pageable(" +
                name + ",0) does that");
  }
}

void check_aliases(const Program& program) {
  std::map<std::string, std::string> other;
  for (const Operation* operation : program.operations()) {
    if (operation->verb != Verb::kAlias) continue;
    const bool is_new = other.emplace(operation->stream.name, operation->other.name).second;
    require(is_new, "stream '" + operation->stream.name + "' is an alias twice");
    require(operation->stream.kind == operation->other.kind &&
                operation->stream.device == operation->other.device,
            "'" + operation->stream.name + "' and '" + operation->other.name +
                "' cannot be the same stream: they differ in kind or device");
  }
  for (const auto& [name, first] : other) {
    std::string at = first;
    for (std::size_t i = 0; i < other.size() && other.contains(at); ++i) at = other.at(at);
    require(!other.contains(at), "stream '" + name + "' is an alias of itself");
  }
}

/// Parses a program, piece by piece.
class Reader {
 public:
  void line(std::string_view text) {
    ++line_;
    text = text.substr(0, text.find('#'));
    while (!text.empty()) {
      const std::size_t semicolon = text.find(';');
      piece(trimmed(text.substr(0, semicolon)));
      text.remove_prefix(semicolon == std::string_view::npos ? text.size() : semicolon + 1);
    }
  }

  Program take() { return std::move(program_); }

 private:
  void piece(std::string_view text) {
    if (const auto thread = leading_thread(text)) {
      thread_ = *thread;
      text = trimmed(text.substr(text.find(':') + 1));
    }
    if (text.empty()) return;
    thread_named(program_, thread_).operations.push_back(OperationReader(text, line_).read());
  }

  Program program_;
  std::string thread_ = "main";
  int line_ = 0;
};

}  // namespace

Program parse(std::string_view text) {
  Reader reader;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    reader.line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  Program program = reader.take();
  require(!program.threads.empty(), "a program needs an operation");
  check_gates(program);
  check_buffers(program);
  check_aliases(program);
  return program;
}

Outcome parse_outcome(std::string_view text) {
  Outcome outcome;
  for (text = trimmed(text); !text.empty();) {
    const std::size_t end = text.find(' ');
    const auto value = number<std::int64_t>(text.substr(0, end));
    if (!value) throw BadProgram(quoted(text) + " is not an outcome: values with spaces between");
    outcome.push_back(*value);
    text = end == std::string_view::npos ? std::string_view() : trimmed(text.substr(end));
  }
  return outcome;
}

}  // namespace assay::litmus
