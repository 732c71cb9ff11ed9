// Splits the text of a litmus program into calls, parses them and replaces names by numbers.
#include "reference/runtime/device/litmus_program.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reference {

// The text form: threads of calls with arguments.

struct LitmusCall {
  std::string verb;
  std::vector<std::string> arguments;
};

struct LitmusThread {
  std::string name;
  std::vector<LitmusCall> calls;
};

/// Throws BadLitmusProgram.
std::vector<LitmusThread> read_litmus_text(std::string_view text);

namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '@' || c == '-';
  });
}

std::string word(std::string_view text, std::string_view call) {
  text = trimmed(text);
  if (is_word(text)) return std::string(text);
  throw BadLitmusProgram("a name or a number was expected in '" + std::string(call) + "', not '" +
                         std::string(text) + "'");
}

LitmusCall call_from(std::string_view text) {
  const auto open = text.find('(');
  LitmusCall call{word(text.substr(0, open), text), {}};
  if (open == std::string_view::npos) return call;
  if (text.back() != ')') {
    throw BadLitmusProgram("')' was expected at the end of '" + std::string(text) + "'");
  }
  std::string_view rest = trimmed(text.substr(open + 1, text.size() - open - 2));
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    call.arguments.push_back(word(rest.substr(0, comma), text));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return call;
}

LitmusThread& thread_named(std::vector<LitmusThread>& threads, std::string_view name) {
  const auto found = std::find_if(threads.begin(), threads.end(),
                                  [&](const LitmusThread& thread) { return thread.name == name; });
  if (found != threads.end()) return *found;
  threads.push_back({std::string(name), {}});
  return threads.back();
}

std::string without_comments(std::string_view text) {
  std::string kept;
  bool is_comment = false;
  for (const char c : text) {
    is_comment = c == '#' || (is_comment && c != '\n');
    if (!is_comment) kept += c == '\n' ? ';' : c;
  }
  return kept;
}

}  // namespace

std::vector<LitmusThread> read_litmus_text(std::string_view text) {
  const std::string kept = without_comments(text);
  std::vector<LitmusThread> threads;
  std::string current;
  std::string_view rest = kept;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(';'), rest.size());
    std::string_view part = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (const auto colon = part.find(':'); colon != std::string_view::npos) {
      current = word(part.substr(0, colon), part);
      thread_named(threads, current);
      part = trimmed(part.substr(colon + 1));
    }
    if (!part.empty()) thread_named(threads, current).calls.push_back(call_from(part));
  }
  return threads;
}

// From the text to a program.

namespace {

constexpr std::size_t kMost = 60;  // per kind: sets of them are 64-bit words

std::uint64_t bit(int number) { return std::uint64_t{1} << number; }

struct Buffer {
  int place;
  bool is_pinned;
};

class Reader {
 public:
  LitmusProgram read(const std::vector<LitmusThread>& threads) {
    for (const LitmusThread& thread : threads) {
      for (const LitmusCall& call : thread.calls) declare(call);
    }
    for (const LitmusThread& thread : threads) {
      thread_ = thread.name;
      steps_.clear();
      for (const LitmusCall& call : thread.calls) {
        if (!is_declaration(call)) add(call);
      }
      program_.threads.push_back(std::move(steps_));
    }
    join_default_streams();
    return std::move(program_);
  }

 private:
  static bool is_declaration(const LitmusCall& call) {
    return call.verb == "pinned" || call.verb == "pageable" || call.verb == "alias";
  }

  void declare(const LitmusCall& call) {
    if (!is_declaration(call)) return;
    need(call, 2);
    const std::string& name = call.arguments[0];
    if (call.verb == "alias") {
      aliases_[name] = call.arguments[1];
      return;
    }
    buffers_[name] = Buffer{new_place(number(call.arguments[1])), call.verb == "pinned"};
  }

  void add(const LitmusCall& call) {
    LitmusStep step;
    step.item = ++items_;
    if (!add_kernel(call, step) && !add_event(call, step) && !add_copy(call, step) &&
        !add_host(call, step)) {
      throw BadLitmusProgram("there is no operation '" + call.verb + "'");
    }
    if (items_ > kMost) throw BadLitmusProgram("more than 60 operations");
    if (step.from >= 0) step.reads |= bit(step.from);
    if (step.to >= 0) step.writes |= bit(step.to);
    steps_.push_back(step);
  }

  bool add_kernel(const LitmusCall& call, LitmusStep& step) {
    const std::string& verb = call.verb;
    if (verb != "st" && verb != "ld" && verb != "k" && verb != "gate") return false;
    need(call, verb == "st" ? 3 : verb == "k" ? 1 : 2);
    into(step, call.arguments[0]);
    if (verb == "gate") step.gate = numbered(gates_, call.arguments[1]);
    if (verb == "st") {
      step.source = LitmusStep::Source::kValue;
      step.value = number(call.arguments[2]);
      step.to = location(call.arguments[1]);
    }
    if (verb == "ld") {
      step.source = LitmusStep::Source::kPlace;
      step.from = location(call.arguments[1]);
      step.seen_as = program_.observations++;
    }
    return true;
  }

  bool add_event(const LitmusCall& call, LitmusStep& step) {
    if (call.verb == "rec" || call.verb == "wait") {
      need(call, 2);
      step.verb = call.verb == "rec" ? LitmusVerb::kRecord : LitmusVerb::kWait;
      into(step, call.arguments[1]);
    } else if (call.verb == "q" || call.verb == "sync") {
      need(call, 1);
      step.verb = call.verb == "q" ? LitmusVerb::kQueryEvent : LitmusVerb::kSyncEvent;
      if (call.verb == "q") step.seen_as = program_.observations++;
    } else {
      return false;
    }
    step.event = numbered(events_, call.arguments[0]);
    step.touches |= bit(static_cast<int>(step.event));
    return true;
  }

  bool add_copy(const LitmusCall& call, LitmusStep& step) {
    const bool is_in = call.verb == "h2d" || call.verb == "h2d_async";
    const bool is_out = call.verb == "d2h" || call.verb == "d2h_async";
    if (!is_in && !is_out) return false;
    need(call, 3);
    into(step, call.arguments[0]);
    const Buffer host = buffer(call.arguments[is_in ? 2 : 1]);
    const int device = location(call.arguments[is_in ? 1 : 2]);
    const bool is_staged = is_in && !host.is_pinned;  // STR-033
    step.source = is_staged ? LitmusStep::Source::kPlaceAtCall : LitmusStep::Source::kPlace;
    step.from = is_in ? host.place : device;
    step.to = is_in ? device : host.place;
    step.is_sync = call.verb == "h2d" || call.verb == "d2h" || (is_out && !host.is_pinned);
    return true;
  }

  bool add_host(const LitmusCall& call, LitmusStep& step) {
    const std::string& verb = call.verb;
    if (verb == "syncd") {
      if (call.arguments.size() > 1) need(call, 1);
      step.verb = LitmusVerb::kSyncDevice;
      step.device = call.arguments.empty() ? 0 : static_cast<int>(number(call.arguments[0]));
      return true;
    }
    static const std::map<std::string, LitmusVerb> kVerbs = {
        {"qs", LitmusVerb::kQueryQueue}, {"syncs", LitmusVerb::kSyncQueue},
        {"open", LitmusVerb::kOpen},     {"signal", LitmusVerb::kSignal},
        {"await", LitmusVerb::kAwait},   {"get", LitmusVerb::kHostRead},
        {"set", LitmusVerb::kHostWrite}};
    const auto found = kVerbs.find(verb);
    if (found == kVerbs.end()) return false;
    need(call, verb == "set" ? 2 : 1);
    step.verb = found->second;
    const std::string& name = call.arguments[0];
    if (verb == "qs" || verb == "syncs") into(step, name);
    if (verb == "open") step.gate = numbered(gates_, name);
    if (verb == "signal" || verb == "await") {
      step.signal = static_cast<int>(numbered(signals_, name));
    }
    if (verb == "get") step.from = buffer(name).place;
    if (verb == "set") {
      step.to = buffer(name).place;
      step.value = number(call.arguments[1]);
    }
    if (verb == "get" || verb == "qs") step.seen_as = program_.observations++;
    return true;
  }

  void into(LitmusStep& step, const std::string& stream) {
    step.queue = queue(stream);
    step.device = program_.queues[step.queue - 1].device;
  }

  /// Accepts `S1`, `B0@1`, `L`, `P`, or an alias.
  QueueId queue(const std::string& name) {
    if (const auto alias = aliases_.find(name); alias != aliases_.end()) {
      if (++depth_ > kMost) throw BadLitmusProgram("'" + name + "' is an alias of itself");
      const QueueId found = queue(alias->second);
      depth_ = 0;
      return found;
    }
    const auto at = name.find('@');
    const int device = at == std::string::npos ? 0 : static_cast<int>(number(name.substr(at + 1)));
    std::string key = name.substr(0, at);
    QueueKind kind = QueueKind::kNonBlocking;
    if (key[0] == 'L') {
      kind = QueueKind::kLegacy;
      key = "L";
    } else if (key[0] == 'P') {
      kind = QueueKind::kBlocking;
      key = "P of " + thread_;
    } else if (key[0] == 'B') {
      kind = QueueKind::kBlocking;
    } else if (key[0] != 'S') {
      throw BadLitmusProgram("'" + name + "' is no stream: S, B, L or P begin its name");
    }
    const std::size_t before = queues_.size();
    const QueueId id = numbered(queues_, key + "@" + std::to_string(device));
    if (queues_.size() > before) program_.queues.push_back({id, device, kind});
    return id;
  }

  int location(const std::string& name) {
    const auto found = locations_.find(name);
    if (found != locations_.end()) return found->second;
    return locations_[name] = new_place(0);
  }

  const Buffer& buffer(const std::string& name) const {
    const auto found = buffers_.find(name);
    if (found != buffers_.end()) return found->second;
    throw BadLitmusProgram("'" + name + "' was not declared by pinned or pageable");
  }

  int new_place(std::int64_t value) {
    if (program_.places.size() == kMost) throw BadLitmusProgram("more than 60 places");
    program_.places.push_back(value);
    return static_cast<int>(program_.places.size() - 1);
  }

  static std::uint64_t numbered(std::map<std::string, std::uint64_t>& names,
                                const std::string& name) {
    const std::uint64_t number = names.try_emplace(name, names.size() + 1).first->second;
    if (number > 30) throw BadLitmusProgram("more than 30 names of one kind");
    return number;
  }

  static std::int64_t number(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    throw BadLitmusProgram("a number was expected, not '" + text + "'");
  }

  static void need(const LitmusCall& call, std::size_t count) {
    if (call.arguments.size() == count) return;
    throw BadLitmusProgram("'" + call.verb + "' takes " + std::to_string(count) + " arguments");
  }

  /// Computes the bits that a call touches: its queue, and the default streams of its device if a
  /// call may concern these. Events use bits 1 to 30, queues 31 to 60.
  void join_default_streams() {
    for (std::vector<LitmusStep>& thread : program_.threads) {
      for (LitmusStep& step : thread) step.touches |= queues_of(step);
    }
  }

  std::uint64_t queues_of(const LitmusStep& step) const {
    std::uint64_t found = 0;
    for (const LitmusProgram::Queue& queue : program_.queues) {
      const bool is_own = queue.id == step.queue;
      const bool is_waited_for = step.verb == LitmusVerb::kSyncDevice;
      const bool is_joined = step.queue != 0 && queue.kind != QueueKind::kNonBlocking &&
                             program_.queues[step.queue - 1].kind != QueueKind::kNonBlocking;
      const bool is_here = queue.device == step.device;
      if (is_own || (is_here && (is_waited_for || is_joined))) {
        found |= bit(static_cast<int>(queue.id) + 30);
      }
    }
    return found;
  }

  LitmusProgram program_;
  std::vector<LitmusStep> steps_;
  std::string thread_;
  std::size_t items_ = 0;
  std::size_t depth_ = 0;
  std::map<std::string, std::string> aliases_;
  std::map<std::string, Buffer> buffers_;
  std::map<std::string, int> locations_;
  std::map<std::string, std::uint64_t> queues_;
  std::map<std::string, std::uint64_t> events_;
  std::map<std::string, std::uint64_t> gates_;
  std::map<std::string, std::uint64_t> signals_;
};

}  // namespace

LitmusProgram read_litmus_program(std::string_view text) {
  return Reader().read(read_litmus_text(text));
}

}  // namespace assay::reference
