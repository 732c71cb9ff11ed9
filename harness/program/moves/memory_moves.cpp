// Moves of the area memory: blocks on several streams, limits, settings, pinned memory.
#include <array>

#include "harness/program/moves/table.hpp"
#include "harness/program/moves/values.hpp"

namespace assay {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// Sizes of all size classes, often at their boundaries.
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

/// Memory commands apply only to devices with memory.
template <bool (*write)(Draft&)>
bool on_cuda(Draft& draft) {
  return draft.contract().cuda() && write(draft);
}

bool allocate(Draft& draft) {
  new_block(draft);
  return true;
}

/// Rarely frees a block twice, which is an error. Not later, because another block may then be
/// there.
bool free_block(Draft& draft) {
  const Ref block = some_block(draft);
  draft.add("memory.free", {{"block", block}});
  if (draft.random().one_in(8)) draft.add("memory.free", {{"block", block}});
  draft.forget(block.name);
  return true;
}

/// Frees a block while a second stream is blocked by a gate, then allocates before and after the
/// gate opens.
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

bool round(Draft& draft) {
  draft.add("memory.round", {{"size", some_size(draft.random()) + 1}});
  return true;
}

/// A capture that contains an allocation.
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

constexpr std::array kKinds = {
    DrawKind{"block", [](Draft& draft) -> Value { return some_block(draft); }},
    DrawKind{"stream", [](Draft& draft) -> Value { return some_stream(draft); }},
    DrawKind{"size", [](Draft& draft) -> Value { return some_size(draft.random()); }},
};

const std::array kMoves = {
    Move{"memory.allocate", 8, on_cuda<allocate>},
    Move{"memory.free", 6, on_cuda<free_block>},
    Move{"memory.allocate", 3, on_cuda<held_up>},
    Move{"memory.write", 2, on_cuda<write_and_read>},
    Move{"memory.read", 1, on_cuda<write_and_read>},
    Move{"memory.observer", 1, on_cuda<observe>},
    Move{"memory.free_callback", 1, on_cuda<give_back_when_asked>},
    Move{"memory.round", 1, on_cuda<round>},
    Move{"memory.capture_pool", 1, on_cuda<capture>},
    Move{"memory.release_pool", 1, on_cuda<capture>},
    Move{"memory.pinned_record", 1, on_cuda<pinned_record>},
    Move{"memory.free", 1, on_cuda<free_pinned>},
};

}  // namespace

std::span<const Move> memory_moves() {
  static const std::vector<Move> kAll = with_table("memory", kKinds, kMoves);
  return kAll;
}

}  // namespace assay
