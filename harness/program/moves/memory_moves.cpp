// Moves of the area memory: blocks of several streams, limits, options, pinned memory.
#include <vector>

#include "harness/program/moves.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// Of all classes, often at their borders.
std::int64_t some_size(Random& random) {
  if (random.one_in(12)) return 0;
  if (random.one_in(3)) {
    return random.of({std::int64_t{1}, std::int64_t{512}, std::int64_t{513}, kMiB, kMiB + 1,
                      10 * kMiB, 10 * kMiB - 511, 19 * kMiB, 20 * kMiB + 1});
  }
  return random.between(1, random.of({std::int64_t{4096}, kMiB, 24 * kMiB}));
}

std::string new_stream(Draft& draft) {
  return draft.make("runtime.pool_stream", {{"device", Device{"cuda", 0}}}, {"", "queue"});
}

/// A stream of the first device.
Ref some_stream(Draft& draft) {
  const bool enough = draft.count("queue") >= 3;
  if (draft.count("queue") > 0 && (enough || !draft.random().one_in(3))) {
    return Ref{draft.any("queue")->name};
  }
  return Ref{new_stream(draft)};
}

std::string new_block(Draft& draft) {
  Fields with{{"size", some_size(draft.random())}};
  if (!draft.random().one_in(3)) with.set("stream", some_stream(draft));
  return draft.make("memory.allocate", std::move(with), {"", "block"});
}

Ref some_block(Draft& draft) {
  const Known* known = draft.any("block");
  return Ref{known != nullptr ? known->name : new_block(draft)};
}

/// Commands that memory alone knows need devices that have it.
template <bool (*write)(Draft&)>
bool on_cuda(Draft& draft) {
  return draft.contract().cuda() && write(draft);
}

bool allocate(Draft& draft) {
  new_block(draft);
  return true;
}

bool look_at(Draft& draft) {
  draft.add("memory.block", {{"block", some_block(draft)}});
  return true;
}

/// Seldom a second time: that is an error.
bool free_block(Draft& draft) {
  const Ref block = some_block(draft);
  draft.add("memory.free", {{"block", block}});
  if (!draft.random().one_in(8)) draft.forget(block.name);
  return true;
}

bool free_address(Draft& draft) {
  draft.add("memory.free_address", {{"address", draft.random().of({0, 8})}});
  return true;
}

bool record_stream(Draft& draft) {
  const Ref block = some_block(draft);
  draft.add("memory.record_stream", {{"block", block}, {"stream", some_stream(draft)}});
  return true;
}

bool record_tensor_stream(Draft& draft) {
  const Ref tensor = some_tensor(draft);
  draft.add("memory.record_tensor_stream", {{"tensor", tensor}, {"stream", some_stream(draft)}});
  return true;
}

/// Freed while a second stream is held up, then asked for again: before the gate is open, and
/// after.
bool held_up(Draft& draft) {
  const Ref own{new_stream(draft)};
  const Ref user{new_stream(draft)};
  const Value size = some_size(draft.random());
  const Fields wanted{{"size", size}, {"stream", own}};
  const std::string block = draft.fresh("shared");
  const std::string gate = draft.fresh("gate");
  draft.add("memory.allocate", wanted, block);
  draft.add("memory.record_stream", {{"block", Ref{block}}, {"stream", user}});
  draft.add("runtime.gate", {{"stream", user}}, gate);
  draft.add("memory.free", {{"block", Ref{block}}});
  const std::string early = draft.make("memory.allocate", wanted, {"", "block"});
  draft.add("memory.block", {{"block", Ref{early}}});
  draft.add("runtime.open", {{"gate", Ref{gate}}});
  const std::string late = draft.make("memory.allocate", wanted, {"", "block"});
  draft.add("memory.block", {{"block", Ref{late}}});
  return true;
}

bool write_and_read(Draft& draft) {
  Random& random = draft.random();
  const std::string block =
      draft.make("memory.allocate", {{"size", random.between(16, 4096)}}, {"", "block"});
  Fields fill{{"block", Ref{block}}, {"byte", random.between(0, 255)}, {"count", 16}};
  if (random.one_in(2)) fill.set("offset", random.between(0, 8));
  draft.add("memory.write", std::move(fill));
  draft.add("memory.read", {{"block", Ref{block}}, {"offset", 8}, {"count", 8}});
  return true;
}

template <const char* const& verb>
bool plain(Draft& draft) {
  draft.add(verb, {});
  return true;
}
constexpr const char* kStats = "memory.stats";
constexpr const char* kSegments = "memory.segments";
constexpr const char* kEmptyCache = "memory.empty_cache";
constexpr const char* kResetPeak = "memory.reset_peak";
constexpr const char* kResetAccumulated = "memory.reset_accumulated";

bool set_fraction(Draft& draft) {
  draft.add("memory.set_fraction",
            {{"fraction", draft.random().of({0.5, 0.25, 0x1p-11, 1.0, -1.0, 2.0})}});
  return true;
}

bool configure(Draft& draft) {
  draft.add("memory.configure",
            {{"options", draft.random().of({"max_split_size_mb:32", "max_split_size_mb:1",
                                            "garbage_collection_threshold:0.5",
                                            "garbage_collection_threshold:2",
                                            "roundup_power2_divisions:4", "no_such_option:1"})}});
  return true;
}

bool set_uncached(Draft& draft) {
  draft.add("memory.uncached", {{"value", false}});
  return true;
}

bool set_backend(Draft& draft) {
  draft.add("memory.backend", {{"name", "native"}});
  return true;
}

std::string new_callback(Draft& draft, bool result) {
  Command command;
  command.verb = "callback";
  command.as = draft.fresh("called");
  command.body = draft.block([&] { draft.add("value", {{"value", result}}); }, true);
  const std::string name = command.as;
  draft.add(std::move(command));
  return name;
}

bool observe(Draft& draft) {
  draft.add("memory.observer", {{"function", Callable{new_callback(draft, true)}}});
  return true;
}

bool give_back_when_asked(Draft& draft) {
  draft.add("memory.free_callback", {{"function", Callable{new_callback(draft, false)}}});
  return true;
}

bool size_text(Draft& draft) {
  draft.add("memory.size_text", {{"bytes", some_size(draft.random())}});
  return true;
}

bool round(Draft& draft) {
  draft.add("memory.round", {{"size", some_size(draft.random()) + 1}});
  return true;
}

/// A capture with an allocation in it.
bool capture(Draft& draft) {
  const Ref stream{new_stream(draft)};
  const std::string pool = draft.fresh("pool");
  draft.add("memory.capture_pool", {{"stream", stream}}, pool);
  draft.add("runtime.capture_begin", {{"stream", stream}});
  draft.make("memory.allocate", {{"size", some_size(draft.random())}, {"stream", stream}},
             {"", "block"});
  draft.add("runtime.capture_end", {{"stream", stream}});
  draft.add("memory.release_pool", {{"pool", Ref{pool}}});
  return true;
}

bool pin(Draft& draft) {
  draft.make("memory.pin", {{"size", some_size(draft.random())}}, {"", "pinned"});
  return true;
}

bool pinned_record(Draft& draft) {
  if (draft.any("pinned") == nullptr) pin(draft);
  const Ref block{draft.any("pinned")->name};
  Fields with{{"block", block}, {"stream", some_stream(draft)}};
  if (draft.random().one_in(3)) with.set("foreign", true);
  draft.add("memory.pinned_record", std::move(with));
  return true;
}

bool free_pinned(Draft& draft) {
  if (draft.any("pinned") == nullptr) return false;
  const std::string name = draft.any("pinned")->name;
  draft.add("memory.free", {{"block", Ref{name}}});
  draft.forget(name);
  return true;
}

bool pin_memory(Draft& draft) {
  draft.add("memory.pin_memory", {{"tensor", some_tensor(draft)}}, draft.fresh("pinned_copy"));
  return true;
}

bool is_pinned(Draft& draft) {
  draft.add("memory.is_pinned", {{"tensor", some_tensor(draft)}});
  return true;
}

}  // namespace

std::span<const Move> memory_moves() {
  static const std::vector<Move> kMoves = {
      {"memory.allocate", 8, on_cuda<allocate>},
      {"memory.block", 4, on_cuda<look_at>},
      {"memory.free", 6, on_cuda<free_block>},
      {"memory.free_address", 1, on_cuda<free_address>},
      {"memory.record_stream", 3, on_cuda<record_stream>},
      {"memory.record_tensor_stream", 1, on_cuda<record_tensor_stream>},
      {"memory.allocate", 3, on_cuda<held_up>},
      {"memory.write", 2, on_cuda<write_and_read>},
      {"memory.read", 1, on_cuda<write_and_read>},
      {"memory.stats", 3, on_cuda<plain<kStats>>},
      {"memory.segments", 1, on_cuda<plain<kSegments>>},
      {"memory.empty_cache", 1, on_cuda<plain<kEmptyCache>>},
      {"memory.reset_peak", 1, on_cuda<plain<kResetPeak>>},
      {"memory.reset_accumulated", 1, on_cuda<plain<kResetAccumulated>>},
      {"memory.set_fraction", 1, on_cuda<set_fraction>},
      {"memory.configure", 1, on_cuda<configure>},
      {"memory.uncached", 1, on_cuda<set_uncached>},
      {"memory.backend", 1, on_cuda<set_backend>},
      {"memory.observer", 1, on_cuda<observe>},
      {"memory.free_callback", 1, on_cuda<give_back_when_asked>},
      {"memory.size_text", 1, size_text},
      {"memory.round", 1, on_cuda<round>},
      {"memory.capture_pool", 1, on_cuda<capture>},
      {"memory.release_pool", 1, on_cuda<capture>},
      {"memory.pin", 2, on_cuda<pin>},
      {"memory.pinned_record", 1, on_cuda<pinned_record>},
      {"memory.free", 1, on_cuda<free_pinned>},
      {"memory.pin_memory", 1, on_cuda<pin_memory>},
      {"memory.is_pinned", 1, on_cuda<is_pinned>},
  };
  return kMoves;
}

}  // namespace assay
