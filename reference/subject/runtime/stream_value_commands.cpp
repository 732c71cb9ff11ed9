// Area runtime: stream values and the meaning of their ids.
#include <charconv>

#include "reference/runtime/backends/registry.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/value.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

std::string sixteen_digits(std::uint64_t value) {
  char digits[16];
  const auto [end, error] = std::to_chars(digits, digits + 16, value, 16);
  const std::string text(digits, end);
  return std::string(16 - text.size(), '0') + text;
}

std::uint64_t from_digits(const std::string& text) {
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
  if (is_old) return give_stream(call, unpacked(from_digits(call.arguments().text("text"))));
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

}  // namespace assay::reference
