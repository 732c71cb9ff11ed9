// Areas runtime and graph: creating streams, the current stream, queries on streams and events,
// captures, and their replays.
#include <cuda_runtime_api.h>

#include <charconv>

#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/runtime/backends/backends.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {
namespace {

// The argument `mode` of commands that begin a capture.

/// Defaults to `global`.
inline cudaStreamCaptureMode capture_mode(Call& call) {
  const std::string mode = call.arguments().text("mode", "global");
  if (mode == "global") return cudaStreamCaptureModeGlobal;
  if (mode == "thread_local") return cudaStreamCaptureModeThreadLocal;
  if (mode == "relaxed") return cudaStreamCaptureModeRelaxed;
  throw InvalidArgument(call.command().verb + ": there is no mode '" + mode + "'");
}

Stream without_capture(Call& call, int index) {
  if (call.release() < Release::k2_11) {
    throw NotSupported("this release hands out streams that capture as well");
  }
  return non_capturing_stream_from_pool(int_argument(call, "priority", 0), index);
}

Stream from_pool(Call& call) {
  const Device device = device_or_cuda(call);
  GuardBackend& backend = backend_of(device.kind);
  if (call.arguments().boolean("non_capturing", false)) return without_capture(call, device.index);
  const bool is_high = call.arguments().boolean("high", false);
  if (!device.is_cuda() || !call.has("priority")) return backend.pool_stream(device, is_high);
  return stream_from_pool(int_argument(call, "priority", 0), device.index);
}

}  // namespace

void runtime_default_stream(Call& call) {
  const Device device = device_or_cuda(call);
  give_stream(call, backend_of(device.kind).default_stream(device));
}

void runtime_current_stream(Call& call) {
  const Device device = device_or_cuda(call);
  give_stream(call, backend_of(device.kind).get_stream(device));
}

void runtime_set_current_stream(Call& call) {
  const Stream stream = stream_argument(call);
  backend_of(stream.device.kind).set_stream(stream);
}

void runtime_exchange_stream(Call& call) {
  const Stream stream = stream_argument(call);
  give_stream(call, backend_of(stream.device.kind).exchange_stream(stream));
}

void runtime_pool_stream(Call& call) { give_stream(call, from_pool(call)); }

void runtime_new_stream(Call& call) {
  if (call.release() == Release::k1_13) throw NotSupported("1.13 has no hook for new streams");
  const Device device = call.device_as_given("device");
  const int priority = int_argument(call, "priority", 0);
  give_stream(call, backend_of(device.kind).new_stream(device, priority));
}

void runtime_raw_stream(Call& call) {
  const Stream made = create_raw_stream({.device = device_or_cuda(call).index,
                                         .is_blocking = call.arguments().boolean("blocking", false),
                                         .priority = int_argument(call, "priority", 0)});
  give_stream(call, made);
  call.set("handle", made.id);
}

void runtime_destroy_raw_stream(Call& call) { destroy_raw_stream(stream_argument(call)); }

void runtime_external_stream(Call& call) {
  const std::int64_t handle = call.arguments().integer("handle");
  give_stream(call, external_stream(handle, call.device_as_given("device")));
}

void runtime_wrap(Call& call) {
  const bool is_checked = !call.arguments().boolean("unchecked", false);
  give_stream(call, as_cuda_stream(stream_argument(call), is_checked));
}

void runtime_capture_begin(Call& call) { begin_capture(stream_argument(call), capture_mode(call)); }
void runtime_capture_end(Call& call) { end_capture(stream_argument(call)); }

void runtime_capture_status(Call& call) {
  switch (capture_status(stream_argument(call))) {
    case CaptureStatus::kNone:
      return call.result(Value("none"));
    case CaptureStatus::kActive:
      return call.result(Value("active"));
    case CaptureStatus::kInvalidated:
      return call.result(Value("invalidated"));
  }
}

// Stream values, and queries on streams and events.

namespace {

constexpr int kHex = 16;

std::string in_hex(std::uint64_t word) {
  std::string digits(2 * sizeof word, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, word /= kHex) {
    *digit = "0123456789abcdef"[word % kHex];
  }
  return digits;
}

std::uint64_t word_argument(Call& call) {
  const std::string text = call.arguments().text("text");
  std::uint64_t word = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, word, kHex);
  if (read.ec != std::errc() || read.ptr != end) {
    throw InvalidArgument("'text' must be a word of 64 bits in hexadecimal, not '" + text + "'");
  }
  return word;
}

std::string name_of(StreamKind kind) {
  switch (kind) {
    case StreamKind::kLegacy:
      return "legacy";
    case StreamKind::kPerThread:
      return "per_thread";
    case StreamKind::kPool:
      return "pool";
    case StreamKind::kExternal:
      break;
  }
  return "external";
}

}  // namespace

void runtime_stream(Call& call) {
  const Device device = call.device_as_given("device");
  give_stream(call, {device, call.arguments().integer("id")});
}

void runtime_stream_info(Call& call) {
  const Stream asked = stream_argument(call);
  call.set("device", to_waist(asked.device, call.release()));
  call.set("id", asked.id);
  call.set("hash", in_hex(hash_of(asked, call.release())));
  call.set("text", to_text(asked, call.release()));
}

void runtime_handle(Call& call) {
  const Stream asked = stream_argument(call);
  const StreamPlace place = place_of(asked);
  const bool is_in_pool = place.kind == StreamKind::kPool;
  call.result(Value(std::int64_t{reinterpret_cast<std::intptr_t>(handle_of(asked))}));
  call.set("kind", name_of(place.kind));
  call.set("level", is_in_pool ? Value(place.level) : Value());
  call.set("index", is_in_pool ? Value(place.index) : Value());
}

void runtime_priority(Call& call) { call.result(Value(priority_of(stream_argument(call)))); }

void runtime_priority_range(Call& call) {
  const PriorityRange found = priority_range();
  call.set("least", found.least);
  call.set("greatest", found.greatest);
}

void runtime_pack(Call& call) {
  const Stream asked = stream_argument(call);
  if (call.release() == Release::k1_13) return call.result(Value(in_hex(packed(asked))));
  const StreamParts parts = parts_of(asked, call.release());
  call.set("id", parts.id);
  call.set("device_index", parts.device_index);
  call.set("device_type", parts.device_type);
}

void runtime_unpack(Call& call) {
  const bool has_words = call.release() == Release::k1_13;
  if (has_words != call.has("text")) {
    throw NotSupported(has_words ? "this release packs a stream into a word"
                                 : "this release packs a stream into three numbers");
  }
  if (has_words) return give_stream(call, unpacked(word_argument(call)));
  const StreamParts parts{.id = call.arguments().integer("id"),
                          .device_index = call.arguments().integer("device_index"),
                          .device_type = call.arguments().integer("device_type")};
  give_stream(call, stream_from(parts, call.release()));
}

void runtime_equal(Call& call) {
  const auto a = made_stream(call, "a");
  const auto b = made_stream(call, "b");
  call.result(Value(a && b && *a == *b));
}

void runtime_query(Call& call) {
  if (const auto asked = call.object("object").as<Stream>()) {
    return call.result(Value(backend_of(asked->device.kind).query_stream(*asked)));
  }
  const auto event = event_argument(call, "object");
  call.result(Value(std::visit([](const auto& asked) { return asked.query(); }, *event)));
}

void runtime_synchronize(Call& call) {
  if (const auto asked = call.object("object").as<Stream>()) {
    return backend_of(asked->device.kind).synchronize_stream(*asked);
  }
  const auto event = event_argument(call, "object");
  std::visit([](const auto& asked) { asked.synchronize(); }, *event);
}

// Captures, and their replays.

namespace {

std::shared_ptr<Graph> graph_argument(Call& call) { return call.held<Graph>("graph", "graph"); }

std::shared_ptr<PoolOfCaptures> pool_or_none(Call& call) {
  if (call.arguments().optional("pool") == nullptr) return nullptr;
  return call.held<PoolOfCaptures>("pool", "pool of captures");
}

void require_graphs() {
  require(home().is_cuda(), [] {
    return "Tried to instantiate dummy base class CUDAGraph: without CUDA there are no graphs";
  });
}

}  // namespace

void graph_new(Call& call) {
  require_graphs();
  const bool is_kept = call.arguments().boolean("keep", false);
  call.result(Object(std::make_shared<Graph>(is_kept), "graph"));
}

void graph_begin(Call& call) {
  const auto graph = graph_argument(call);
  const auto stream = stream_or_none(call);
  if (!stream) return graph->begin(capture_mode(call), pool_or_none(call));
  graph->begin(capture_mode(call), {stream->device.index, {stream->id, handle_of(*stream)}},
               pool_or_none(call));
}

void graph_end(Call& call) { graph_argument(call)->end(call.release()); }
void graph_replay(Call& call) { graph_argument(call)->replay(); }
void graph_reset(Call& call) { graph_argument(call)->reset(); }
void graph_instantiate(Call& call) { graph_argument(call)->instantiate(); }
void graph_pool(Call& call) {
  call.result(Object(graph_argument(call)->pool(), "pool of captures"));
}
void graph_pool_handle(Call& call) {
  call.result(Object(std::make_shared<PoolOfCaptures>(), "pool of captures"));
}
void graph_is_capturing(Call& call) {
  require_graphs();
  call.result(Value(is_capturing()));
}

}  // namespace assay::cuda
