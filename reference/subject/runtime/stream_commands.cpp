// Areas runtime and graph: creating streams and setting the current one, stream values and the
// meaning of their ids, captures and their replays.
#include <charconv>

#include "reference/memory/cuda_graph.hpp"
#include "reference/runtime/backends/guard_backend.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/pool.hpp"
#include "reference/runtime/streams/stream.hpp"
#include "reference/subject/call.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

BackendRef backend_for(Call& call, Device device) {
  return backend_of(call.runtime(), device.type);
}

int priority_argument(Call& call) { return call.arguments().int32("priority", 0); }

}  // namespace

void runtime_default_stream(Call& call) {
  const Device device = device_or_cuda(call);
  give_stream(call, backend_for(call, device)->default_stream(device));
}

void runtime_current_stream(Call& call) {
  const Device device = device_or_cuda(call);
  give_stream(call, backend_for(call, device)->get_stream(device));
}

void runtime_set_current_stream(Call& call) {
  const Stream stream = stream_argument(call);
  backend_for(call, stream.device)->set_stream(stream);
}

void runtime_exchange_stream(Call& call) {
  const Stream stream = stream_argument(call);
  give_stream(call, backend_for(call, stream.device)->exchange_stream(stream));
}

void runtime_pool_stream(Call& call) {
  const Device device = device_or_cuda(call);
  const BackendRef backend = backend_for(call, device);
  if (call.arguments().boolean("non_capturing", false)) {
    if (call.contract().release < Release::k2_11) {
      throw NotSupported("this release has no getter that avoids captures");
    }
    return give_stream(call, non_capturing_stream_from_pool(call.runtime(), priority_argument(call),
                                                            device.index));
  }
  if (device.is_cuda() && call.has("priority")) {
    return give_stream(call,
                       stream_from_pool(call.runtime(), priority_argument(call), device.index));
  }
  give_stream(call, backend->pool_stream(device, call.arguments().boolean("high", false)));
}

void runtime_new_stream(Call& call) {
  if (call.contract().release == Release::k1_13) {
    throw NotSupported("1.13 has no hook for new streams");
  }
  const Device device = call.device("device");
  give_stream(call, backend_for(call, device)->new_stream(device, priority_argument(call)));
}

void runtime_raw_stream(Call& call) {
  const Device device = device_or_cuda(call);
  const bool is_blocking = call.arguments().boolean("blocking", false);
  const Stream made =
      create_raw_stream(call.runtime(), device.index, is_blocking, priority_argument(call));
  give_stream(call, made);
  call.set("handle", made.id);
}

void runtime_destroy_raw_stream(Call& call) {
  destroy_raw_stream(call.runtime(), stream_argument(call));
}

void runtime_external_stream(Call& call) {
  const auto handle = static_cast<StreamHandle>(call.arguments().integer("handle"));
  give_stream(call, external_stream(handle, call.device("device")));
}

void runtime_wrap(Call& call) {
  const bool is_checked = !call.arguments().boolean("unchecked", false);
  give_stream(call, cuda_stream(stream_argument(call), is_checked));
}

void runtime_priority(Call& call) {
  call.result(Value(priority_of(call.runtime(), stream_argument(call))));
}

void runtime_priority_range(Call& call) {
  const auto [least, greatest] = pool_priority_range(call.runtime());
  call.set("least", least);
  call.set("greatest", greatest);
}

// Stream values and the meaning of their ids.

namespace {

std::string sixteen_digits(std::uint64_t value) {
  char digits[16];
  const auto [end, error] = std::to_chars(digits, digits + 16, value, 16);
  const std::string text(digits, end);
  return std::string(16 - text.size(), '0') + text;
}

std::uint64_t word_from_digits(const std::string& text) {
  std::uint64_t value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, 16);
  if (error != std::errc{} || end != last) {
    throw InvalidArgument("text must be hexadecimal digits of 64 bits, not '" + text + "'");
  }
  return value;
}

}  // namespace

void runtime_stream(Call& call) {
  give_stream(call, {call.device("device"), call.arguments().integer("id")});
}

void runtime_stream_info(Call& call) {
  const Stream asked = stream_argument(call);
  call.set("device", to_protocol(call.runtime(), asked.device));
  call.set("id", asked.id);
  call.set("hash", sixteen_digits(hash_of(asked, call.contract().release)));
  call.set("text", to_text(asked));
}

void runtime_handle(Call& call) {
  const Stream asked = stream_argument(call);
  const StreamPlace place = place_of(call.runtime(), asked);
  const char* kinds[] = {"legacy", "per_thread", "pool", "external"};
  call.result(Value(static_cast<std::int64_t>(handle_of(call.runtime(), asked))));
  call.set("kind", kinds[static_cast<int>(place.kind)]);
  const bool is_pool_s = place.kind == StreamKind::kPool;
  call.set("level", is_pool_s ? Value(place.level) : Value());
  call.set("index", is_pool_s ? Value(place.index) : Value());
}

void runtime_pack(Call& call) {
  const Stream asked = stream_argument(call);
  if (call.contract().release == Release::k1_13) {
    return call.result(Value(sixteen_digits(pack_of(asked))));
  }
  const StreamParts parts = parts_of(asked, call.contract().release);
  call.set("id", parts.id);
  call.set("device_index", parts.device_index);
  call.set("device_type", parts.device_type);
}

void runtime_unpack(Call& call) {
  const bool is_old = call.contract().release == Release::k1_13;
  if (call.has("text") != is_old) {
    throw NotSupported(is_old ? "1.13 packs a stream into one word" : "no packed word since 2.0");
  }
  if (is_old) return give_stream(call, unpacked(word_from_digits(call.arguments().text("text"))));
  const StreamParts parts{call.arguments().integer("id"), call.arguments().integer("device_index"),
                          call.arguments().integer("device_type")};
  give_stream(call, stream_of(parts, call.contract().release));
}

void runtime_equal(Call& call) {
  const Object a = call.object("a");
  const Object b = call.object("b");
  const bool are_streams = a.is<Stream>() && b.is<Stream>();
  call.result(
      Value(are_streams && are_equal(*a.as<Stream>(), class_of(a), *b.as<Stream>(), class_of(b))));
}

void runtime_query(Call& call) {
  const Object object = call.object("object");
  if (object.is<Stream>()) {
    const Stream asked = *object.as<Stream>();
    return call.result(Value(backend_of(call.runtime(), asked.device.type)->query_stream(asked)));
  }
  const auto asked = event_argument(call, "object");
  call.result(Value(std::visit([](const auto& event) { return event.query(); }, asked->event)));
}

void runtime_synchronize(Call& call) {
  const Object object = call.object("object");
  if (object.is<Stream>()) {
    const Stream asked = *object.as<Stream>();
    return backend_of(call.runtime(), asked.device.type)->sync_stream(asked);
  }
  const auto asked = event_argument(call, "object");
  std::visit([](const auto& event) { event.synchronize(); }, asked->event);
}

// Captures.

void runtime_capture_begin(Call& call) {
  begin_capture(call.runtime(), stream_argument(call), capture_mode_argument(call));
}

void runtime_capture_end(Call& call) { end_capture(call.runtime(), stream_argument(call)); }

void runtime_capture_status(Call& call) {
  const char* names[] = {"none", "active", "invalidated"};
  const CaptureStatus found = capture_status(call.runtime(), stream_argument(call));
  call.result(Value(names[static_cast<int>(found)]));
}

// Replays.

namespace {

std::shared_ptr<CudaGraph> graph_argument(Call& call) {
  return call.held<CudaGraph>("graph", "graph");
}

}  // namespace

void graph_new(Call& call) {
  const bool keep = call.arguments().boolean("keep", false);
  call.result(Object(std::make_shared<CudaGraph>(call.runtime(), keep), "graph"));
}

void graph_begin(Call& call) {
  const auto graph = graph_argument(call);
  const CaptureMode mode = capture_mode_argument(call);
  std::shared_ptr<SharedPool> pool;
  if (call.arguments().optional("pool") != nullptr)
    pool = call.held<SharedPool>("pool", "graph pool");
  if (const auto stream = stream_or_none(call)) return graph->begin(*stream, mode, pool);
  graph->begin(mode, pool);
}

void graph_end(Call& call) { graph_argument(call)->end(); }
void graph_replay(Call& call) { graph_argument(call)->replay(); }
void graph_reset(Call& call) { graph_argument(call)->reset(); }
void graph_instantiate(Call& call) { graph_argument(call)->instantiate(); }

void graph_pool(Call& call) { call.result(Object(graph_argument(call)->pool(), "graph pool")); }
void graph_pool_handle(Call& call) {
  call.result(Object(std::make_shared<SharedPool>(), "graph pool"));
}

void graph_is_capturing(Call& call) {
  call.result(Value(is_current_stream_capturing(call.runtime())));
}

}  // namespace assay::reference
