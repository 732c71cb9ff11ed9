// Reads litmus programs.
#include "cuda_impl/on_cpu/cudart/litmus/program.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <map>
#include <sstream>
#include <string_view>

namespace assay::cuda::on_cpu::litmus {
namespace {

struct Written {
  std::string thread;
  std::string verb;
  std::vector<std::string> words;
};

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_of_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// What is left of a text. Every call first skips blanks.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  std::string_view rest() const { return rest_; }
  bool is_at_end() {
    skip_blanks();
    return rest_.empty();
  }
  bool take(char wanted) {
    if (is_at_end() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// May be empty.
  std::string word() {
    skip_blanks();
    return cut(std::ranges::find_if_not(rest_, is_of_a_word) - rest_.begin());
  }
  /// What comes before the next of these characters, or before the end.
  std::string before(std::string_view ends) {
    return cut(static_cast<std::ptrdiff_t>(std::min(rest_.find_first_of(ends), rest_.size())));
  }

 private:
  void skip_blanks() { cut(std::ranges::find_if_not(rest_, is_blank) - rest_.begin()); }
  std::string cut(std::ptrdiff_t count) {
    const std::string_view text = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(text.size());
    return std::string(text);
  }

  std::string_view rest_;
};

/// Words between blanks and commas.
std::vector<std::string> words_of(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Calls such as `thread: verb(word, word);`, in which all but the verb may be absent.
std::vector<Written> split(const std::string& text) {
  std::vector<Written> calls;
  std::string thread = "main";
  for (Scanner scan(text); !scan.is_at_end();) {
    const std::string_view begin = scan.rest();
    const auto refuse = [&] { throw BadProgram("cannot read '" + std::string(begin) + "'"); };
    std::string verb = scan.word();
    if (!verb.empty() && scan.take(':')) {
      thread = std::move(verb);
      verb = scan.word();
    }
    std::string words;
    if (!verb.empty() && scan.take('(')) {
      words = scan.before("()");
      if (!scan.take(')')) refuse();
    }
    if (!scan.is_at_end() && !scan.take(';')) refuse();
    if (!verb.empty()) calls.push_back({thread, std::move(verb), words_of(std::move(words))});
  }
  return calls;
}

std::int64_t number_in(const std::string& text) {
  constexpr std::size_t kMostDigits = 18;
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool is_long = text.size() > kMostDigits + (text.starts_with('-') ? 1 : 0);
  if (error == std::errc() && stop == end && !is_long) return number;
  throw BadProgram("'" + text + "' is not a number");
}

/// Numbers names in the order of their first use.
class Names {
 public:
  int operator[](const std::string& name) {
    return indices_.try_emplace(name, static_cast<int>(indices_.size())).first->second;
  }
  std::size_t count() const { return indices_.size(); }

 private:
  std::map<std::string, int> indices_;
};

struct HostBuffer {
  int word = kNone;
  bool is_pinned = false;
};

class Reader {
 public:
  Program read(const std::vector<Written>& calls) {
    for (const Written& call : calls) declare(call);
    Names threads;
    for (const Written& call : calls) {
      if (is_declaration(call)) continue;
      const auto thread = static_cast<std::size_t>(threads[call.thread]);
      program_.threads.resize(threads.count());
      program_.threads[thread].push_back(step_of(call));
    }
    number_steps();
    program_.events = events_.count();
    program_.gates = gates_.count();
    program_.signals = signals_.count();
    return std::move(program_);
  }

 private:
  static bool is_declaration(const Written& call) {
    return call.verb == "pinned" || call.verb == "pageable" || call.verb == "alias";
  }

  void declare(const Written& call) {
    if (!is_declaration(call)) return;
    need(call, 2);
    if (call.verb == "alias") {
      aliases_[call.words[0]] = call.words[1];
    } else {
      buffers_[call.words[0]] = {new_word(number_in(call.words[1])), call.verb == "pinned"};
    }
  }

  Step step_of(const Written& call) {
    Step step;
    const bool is_known = add_kernel(call, step) || add_event(call, step) || add_copy(call, step) ||
                          add_wait(call, step) || add_host(call, step);
    if (!is_known) throw BadProgram("there is no operation '" + call.verb + "'");
    return step;
  }

  bool add_kernel(const Written& call, Step& step) {
    const std::string& verb = call.verb;
    if (verb != "k" && verb != "gate" && verb != "st" && verb != "ld") return false;
    need(call, verb == "k" ? 1 : verb == "st" ? 3 : 2);
    step.stream = stream(call, 0);
    if (verb == "gate") step.gate = gates_[call.words[1]];
    if (verb == "st") step.value = number_in(call.words[2]);
    if (verb == "st") step.target = location(call.words[1]);
    if (verb == "ld") step.source = location(call.words[1]);
    step.is_observed = verb == "ld";
    return true;
  }

  bool add_event(const Written& call, Step& step) {
    static const std::map<std::string, Kind> kinds = {{"rec", Kind::kRecord},
                                                      {"wait", Kind::kStreamWait},
                                                      {"q", Kind::kQueryEvent},
                                                      {"sync", Kind::kSyncEvent}};
    const auto kind = kinds.find(call.verb);
    if (kind == kinds.end()) return false;
    step.kind = kind->second;
    const bool is_work = step.kind == Kind::kRecord || step.kind == Kind::kStreamWait;
    need(call, is_work ? 2 : 1);
    step.event = events_[call.words[0]];
    if (is_work) step.stream = stream(call, 1);
    step.is_observed = step.kind == Kind::kQueryEvent;
    return true;
  }

  bool add_copy(const Written& call, Step& step) {
    const bool to_device = call.verb == "h2d" || call.verb == "h2d_async";
    if (!to_device && call.verb != "d2h" && call.verb != "d2h_async") return false;
    need(call, 3);
    step.stream = stream(call, 0);
    const HostBuffer host = buffer(call.words[to_device ? 2 : 1]);
    const int device = location(call.words[to_device ? 1 : 2]);
    step.source = to_device ? host.word : device;
    step.target = to_device ? device : host.word;
    step.reads_at_call = to_device && !host.is_pinned;
    step.host_waits = !call.verb.ends_with("_async") || (!to_device && !host.is_pinned);
    return true;
  }

  bool add_wait(const Written& call, Step& step) {
    if (call.verb == "syncd") {
      if (!call.words.empty()) need(call, 1);
      step.kind = Kind::kSyncDevice;
      step.device = device_in(call.words.empty() ? "0" : call.words[0]);
      return true;
    }
    if (call.verb != "qs" && call.verb != "syncs") return false;
    need(call, 1);
    step.stream = stream(call, 0);
    step.is_observed = call.verb == "qs";
    step.kind = step.is_observed ? Kind::kQueryStream : Kind::kSyncStream;
    return true;
  }

  bool add_host(const Written& call, Step& step) {
    static const std::map<std::string, Kind> kinds = {{"open", Kind::kOpen},
                                                      {"signal", Kind::kSignal},
                                                      {"await", Kind::kAwait},
                                                      {"set", Kind::kHostWrite},
                                                      {"get", Kind::kHostRead}};
    const auto kind = kinds.find(call.verb);
    if (kind == kinds.end()) return false;
    step.kind = kind->second;
    need(call, step.kind == Kind::kHostWrite ? 2 : 1);
    const std::string& name = call.words[0];
    if (step.kind == Kind::kOpen) step.gate = gates_[name];
    if (step.kind == Kind::kSignal || step.kind == Kind::kAwait) step.signal = signals_[name];
    if (step.kind == Kind::kHostWrite) step.target = buffer(name).word;
    if (step.kind == Kind::kHostWrite) step.value = number_in(call.words[1]);
    if (step.kind == Kind::kHostRead) step.source = buffer(name).word;
    step.is_observed = step.kind == Kind::kHostRead;
    return true;
  }

  /// `S1`, `B0@1`, `L`, `P`, or an alias.
  int stream(const Written& call, std::size_t word) {
    std::string name = call.words[word];
    for (std::size_t renamed = 0; aliases_.contains(name); ++renamed) {
      if (renamed == aliases_.size()) throw BadProgram("'" + name + "' is an alias of itself");
      name = aliases_[name];
    }
    const char letter = name.empty() ? '\0' : name.front();
    if (std::string_view("SBLP").find(letter) == std::string_view::npos) {
      throw BadProgram("'" + name + "' is not a stream: its name begins with S, B, L or P");
    }
    const std::size_t at = std::min(name.find('@'), name.size());
    const int device = device_in(at == name.size() ? "0" : name.substr(at + 1));
    std::string own = name.substr(0, at);
    if (letter == 'L') own = "L";
    if (letter == 'P') own = "P of " + call.thread;
    const int index = streams_[own + "@" + std::to_string(device)];
    if (static_cast<std::size_t>(index) == program_.streams.size()) {
      const LineKind kind = letter == 'S'   ? LineKind::kNonBlocking
                            : letter == 'L' ? LineKind::kLegacy
                                            : LineKind::kBlocking;
      program_.streams.push_back({device, kind});
    }
    return index;
  }

  static int device_in(const std::string& text) {
    const std::int64_t device = number_in(text);
    if (device < 0 || device >= kMostDevices) throw BadProgram("there is no device " + text);
    return static_cast<int>(device);
  }

  int new_word(std::int64_t value) {
    program_.words.push_back(value);
    return static_cast<int>(program_.words.size()) - 1;
  }
  int location(const std::string& name) {
    const auto found = locations_.find(name);
    return found != locations_.end() ? found->second : locations_[name] = new_word(0);
  }
  HostBuffer buffer(const std::string& name) const {
    const auto found = buffers_.find(name);
    if (found != buffers_.end()) return found->second;
    throw BadProgram("'" + name + "' was not declared by pinned or pageable");
  }

  static void need(const Written& call, std::size_t count) {
    if (call.words.size() == count) return;
    throw BadProgram("'" + call.verb + "' takes " + std::to_string(count) + " arguments");
  }

  void number_steps() {
    std::size_t steps = 0;
    for (std::vector<Step>& thread : program_.threads) {
      for (Step& step : thread) {
        step.number = steps++;
        if (step.is_observed) step.observation = program_.observations++;
      }
    }
  }

  Program program_;
  Names streams_;
  Names events_;
  Names gates_;
  Names signals_;
  std::map<std::string, std::string> aliases_;
  std::map<std::string, HostBuffer> buffers_;
  std::map<std::string, int> locations_;
};

}  // namespace

Program read_program(const std::string& text) {
  std::string line = text;
  std::ranges::replace(line, '\n', ';');
  return Reader().read(split(line));
}

}  // namespace assay::cuda::on_cpu::litmus
