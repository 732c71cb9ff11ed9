// Reads litmus programs.
#include "cuda_impl/on_cpu/cudart/litmus/program.hpp"

#include <algorithm>
#include <map>
#include <regex>

namespace assay::cuda::on_cpu::litmus {
namespace {

struct Written {
  std::string thread;
  std::string verb;
  std::vector<std::string> words;
};

std::vector<Written> split(const std::string& text) {
  static const std::regex call(R"(\s*(?:(\w+)\s*:)?\s*(?:(\w+)\s*(?:\(([^()]*)\))?)?\s*(?:;|$))");
  static const std::regex word(R"([^\s,]+)");
  std::vector<Written> calls;
  std::string thread = "main";
  std::smatch found;
  for (auto at = text.begin(); at != text.end(); at = found[0].second) {
    if (!std::regex_search(at, text.end(), found, call, std::regex_constants::match_continuous)) {
      throw BadProgram("cannot read '" + std::string(at, text.end()) + "'");
    }
    if (found[1].matched) thread = found[1];
    if (!found[2].matched) continue;
    const std::string words = found[3];
    calls.push_back(
        {thread, found[2], {std::sregex_token_iterator(words.begin(), words.end(), word), {}}});
  }
  return calls;
}

std::int64_t number_in(const std::string& text) {
  static const std::regex number("-?[0-9]{1,18}");
  if (!std::regex_match(text, number)) throw BadProgram("'" + text + "' is not a number");
  return std::stoll(text);
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
    static const std::regex copy("(h2d|d2h)(_async)?");
    std::smatch found;
    if (!std::regex_match(call.verb, found, copy)) return false;
    need(call, 3);
    step.stream = stream(call, 0);
    const bool to_device = found[1] == "h2d";
    const HostBuffer host = buffer(call.words[to_device ? 2 : 1]);
    const int device = location(call.words[to_device ? 1 : 2]);
    step.source = to_device ? host.word : device;
    step.target = to_device ? device : host.word;
    step.reads_at_call = to_device && !host.is_pinned;
    step.host_waits = !found[2].matched || (!to_device && !host.is_pinned);
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
    static const std::regex form("([SBLP])([^@]*)(?:@([0-9]+))?");
    std::smatch found;
    if (!std::regex_match(name, found, form)) {
      throw BadProgram("'" + name + "' is not a stream: its name begins with S, B, L or P");
    }
    const char letter = found.str(1)[0];
    const int device = device_in(found[3].matched ? found.str(3) : "0");
    std::string own = found.str(1) + found.str(2);
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
