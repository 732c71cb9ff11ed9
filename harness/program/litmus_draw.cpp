// Generates operations of random litmus programs.
#include "harness/program/litmus_draw.hpp"

#include <string_view>
#include <utility>

namespace assay::litmus {
namespace {

constexpr std::initializer_list<Verb> kVerbs = {
    Verb::kStore,       Verb::kStore,     Verb::kStore,      Verb::kLoad,       Verb::kLoad,
    Verb::kLoad,        Verb::kKernel,    Verb::kRecord,     Verb::kRecord,     Verb::kRecord,
    Verb::kWait,        Verb::kWait,      Verb::kWait,       Verb::kQueryEvent, Verb::kQueryEvent,
    Verb::kQueryStream, Verb::kSyncEvent, Verb::kSyncStream, Verb::kSyncDevice, Verb::kCopyIn};

Stream stream(char kind, std::size_t number, int device) {
  constexpr std::string_view kLetters = "SBLP";
  std::string name(1, kind);
  if (kind == 'S' || kind == 'B') name += std::to_string(number);
  if (device != 0) name += "@" + std::to_string(device);
  return {name, static_cast<StreamKind>(kLetters.find(kind)), device};
}

}  // namespace

Draw::Draw(Random& random, const DrawOptions& options) : random_(random), options_(options) {
  const std::size_t streams = 2 + random.below(3);
  bool legacy = false;
  for (std::size_t i = 0; i < streams; ++i) {
    char kind = random.of({'S', 'S', 'S', 'B', 'B', 'P', 'L'});
    if (kind == 'P' && !options.per_thread) kind = 'S';
    if (kind == 'L' && std::exchange(legacy, true)) kind = 'B';
    const int device = options.devices > 1 && random.one_in(8) ? 1 : 0;
    streams_.push_back(stream(kind, i, device));
  }
  events_ = 1 + random.below(3);
  if (!options.copies) return;
  declarations_.push_back({.verb = Verb::kPinned, .buffer = "p"});
  declarations_.push_back({.verb = Verb::kPageable, .buffer = "v"});
}

Operation Draw::operation() {
  Operation drawn{.verb = random_.of(kVerbs)};
  if (drawn.verb == Verb::kCopyIn && declarations_.empty()) drawn.verb = Verb::kRecord;
  switch (drawn.verb) {
    case Verb::kStore:
      drawn.value = ++last_value_;
      [[fallthrough]];
    case Verb::kLoad:
      drawn.stream = any_stream();
      drawn.location = location(drawn.stream);
      return drawn;
    case Verb::kCopyIn:
      return copy();
    case Verb::kKernel:
      drawn.stream = any_stream();
      return drawn;
    case Verb::kRecord:
      drawn.stream = any_stream();
      drawn.object = event(drawn.stream.device);
      return drawn;
    case Verb::kWait:
      drawn.stream = any_stream();
      [[fallthrough]];
    case Verb::kQueryEvent:
    case Verb::kSyncEvent:
      drawn.object = event(any_stream().device);
      return drawn;
    case Verb::kSyncDevice:
      drawn.device = any_stream().device;
      return drawn;
    default:
      drawn.stream = stream_to_ask();
      return drawn;
  }
}

Operation Draw::gate() {
  return {.verb = Verb::kGate, .stream = any_stream(), .object = "g" + std::to_string(gates_++)};
}

/// It is unspecified what a wait for the legacy stream covers (§5.2).
Stream Draw::stream_to_ask() {
  const Stream& drawn = any_stream();
  return drawn.kind == StreamKind::kLegacy ? stream('S', 9, drawn.device) : drawn;
}

/// A location belongs to one device.
std::string Draw::location(const Stream& user) {
  return (random_.one_in(3) ? "y" : "x") + std::string(user.device == 0 ? "" : "1");
}

/// An event belongs to the device where it was first recorded (EVT-005).
std::string Draw::event(int device) {
  return std::string(1, "efh"[random_.below(events_)]) + (device == 0 ? "" : "1");
}

Operation Draw::copy() {
  Operation drawn{.verb = random_.of({Verb::kCopyIn, Verb::kCopyInAsync, Verb::kCopyOut,
                                      Verb::kCopyOutAsync, Verb::kSet, Verb::kGet})};
  drawn.buffer = random_.one_in(2) ? "p" : "v";
  if (drawn.verb == Verb::kSet) drawn.value = ++last_value_;
  if (drawn.verb == Verb::kSet || drawn.verb == Verb::kGet) return drawn;
  drawn.stream = any_stream();
  drawn.location = location(drawn.stream);
  return drawn;
}

}  // namespace assay::litmus
