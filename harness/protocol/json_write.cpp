// Messages to JSON text. Written straight into a string: the pipe's speed depends on it.
#include <charconv>
#include <cstdlib>
#include <type_traits>

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

/// Integers beyond this are text: readers in other languages hold numbers as doubles.
constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;

class Writer {
 public:
  void value(const Value& value) {
    std::visit([this](const auto& held) { put(held); }, value.storage());
  }
  void command(const Command& command);
  void reply(const Reply& reply);
  std::string take() { return std::move(out_); }

 private:
  void raw(std::string_view text) { out_ += text; }

  /// `"name":`, with a comma before it unless it opens an object.
  void key(std::string_view name) {
    comma();
    string(name);
    out_ += ':';
  }
  void comma() {
    if (out_.back() != '{' && out_.back() != '[') out_ += ',';
  }
  void string(std::string_view text);
  void integer(std::int64_t number) {
    char buffer[24];
    const auto [end, failure] = std::to_chars(buffer, buffer + sizeof buffer, number);
    raw({buffer, end});
  }
  void tagged(std::string_view tag, std::string_view text) {
    raw("{");
    key(tag);
    string(text);
    raw("}");
  }
  void array(const std::vector<Value>& items) {
    raw("[");
    for (const Value& item : items) {
      comma();
      value(item);
    }
    raw("]");
  }
  void tagged_array(std::string_view tag, const std::vector<Value>& items) {
    raw("{");
    key(tag);
    array(items);
    raw("}");
  }
  template <typename Number>
  void integers(const std::vector<Number>& numbers) {
    raw("[");
    for (const Number number : numbers) {
      comma();
      integer(static_cast<std::int64_t>(number));
    }
    raw("]");
  }
  void fields(const Fields& fields) {
    raw("{");
    for (const auto& [name, held] : fields) {
      key(name);
      value(held);
    }
    raw("}");
  }
  void block(const Block& block) {
    raw("[");
    for (const Command& inner : block) {
      comma();
      command(inner);
    }
    raw("]");
  }
  void optional_block(std::string_view name, const Block& commands) {
    if (commands.empty()) return;
    key(name);
    block(commands);
  }
  void hex(std::uint64_t bits, std::size_t digits);
  void tensor_body(const TensorValue& tensor);
  void recipe(const Recipe& recipe);
  void digest(const Digest& digest);
  void error(const ErrorReply& error);
  void outcome(const Reply& reply);

  void put(const None&) { raw("null"); }
  void put(bool held) { raw(held ? "true" : "false"); }
  void put(std::int64_t held);
  void put(double held) { tagged("f", exact_text(held)); }
  void put(const Complex& held);
  void put(const std::string& held) { string(held); }
  void put(Dtype held) { tagged("dtype", name_of(held)); }
  void put(const Device& held) { tagged("device", to_text(held)); }
  void put(const Ref& held) { tagged("ref", held.name); }
  void put(const List& held) { array(held.items); }
  void put(const Tuple& held) { tagged_array("tuple", held.items); }
  void put(const Lazy& held) { tagged_array("lazy", held.items); }
  void put(const Dict& held);
  void put(const NamedTuple& held);
  void put(const Generator& held);
  void put(const Callable& held) { tagged("callable", held.name); }
  void put(const Opaque& held) { tagged("opaque", held.kind); }
  void put(const Value::TensorPtr& held) {
    raw("{");
    key("tensor");
    tensor_body(*held);
    raw("}");
  }
  void put(const Value::SparsePtr& held);

  std::string out_;
};

void Writer::string(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (byte < 0x20) {
      out_ += "\\u00";
      out_ += kHex[byte >> 4];
      out_ += kHex[byte & 15];
    } else {
      out_ += c;
    }
  }
  out_ += '"';
}

void Writer::hex(std::uint64_t bits, std::size_t digits) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (std::size_t i = digits; i-- > 0;) out_ += kHex[(bits >> (4 * i)) & 15];
}

void Writer::put(std::int64_t held) {
  if (held >= -kExactInDouble && held <= kExactInDouble) return integer(held);
  tagged("i", std::to_string(held));
}

void Writer::put(const Complex& held) {
  raw("{");
  key("c");
  raw("[");
  string(exact_text(held.real));
  comma();
  string(exact_text(held.imag));
  raw("]}");
}

void Writer::put(const Dict& held) {
  raw("{");
  key("dict");
  raw("[");
  for (const auto& [name, item] : held.items) {
    comma();
    raw("[");
    value(name);
    comma();
    value(item);
    raw("]");
  }
  raw("]}");
}

void Writer::put(const NamedTuple& held) {
  raw("{");
  key("named");
  raw("{");
  key("type");
  string(held.type);
  key("fields");
  raw("[");
  for (const auto& [name, item] : held.fields) {
    comma();
    raw("[");
    string(name);
    comma();
    value(item);
    raw("]");
  }
  raw("]}}");
}

void Writer::put(const Generator& held) {
  raw("{");
  key("generator");
  raw("{");
  key("device");
  string(to_text(held.device));
  key("seed");
  string(std::to_string(held.seed));
  raw("}}");
}

void Writer::put(const Value::SparsePtr& held) {
  raw("{");
  key("sparse");
  raw("{");
  key("shape");
  integers(held->shape);
  key("indices");
  tensor_body(held->indices);
  key("values");
  tensor_body(held->values);
  key("coalesced");
  put(held->coalesced);
  raw("}}");
}

void Writer::tensor_body(const TensorValue& tensor) {
  raw("{");
  key("dtype");
  string(name_of(tensor.dtype));
  key("shape");
  integers(tensor.shape);
  if (!tensor.strides.empty()) {
    key("strides");
    integers(tensor.strides);
  }
  if (!tensor.device.type.empty()) {
    key("device");
    string(to_text(tensor.device));
  }
  if (tensor.recipe) {
    recipe(*tensor.recipe);
  } else if (tensor.digest) {
    digest(*tensor.digest);
  } else if (tensor.device.type != "meta") {
    key("bits");
    out_ += '"';
    const std::size_t width = bits_per_element(tensor.dtype) / 8;
    const std::size_t count = width == 0 ? 0 : tensor.data.size() / width;
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) out_ += ' ';
      hex(tensor.bits_at(i), 2 * width);
    }
    out_ += '"';
  }
  raw("}");
}

void Writer::recipe(const Recipe& recipe) {
  key("recipe");
  raw("{");
  key("kind");
  string(recipe.kind == Recipe::Kind::kCounter ? "counter" : "hash");
  key("start");
  string(std::to_string(recipe.start));
  key("step");
  string(std::to_string(recipe.step));
  if (!recipe.set.empty()) {
    key("set");
    raw("[");
    for (const auto& [index, bits] : recipe.set) {
      comma();
      raw("[");
      integer(static_cast<std::int64_t>(index));
      raw(",\"");
      hex(bits, 16);
      raw("\"]");
    }
    raw("]");
  }
  raw("}");
}

void Writer::digest(const Digest& digest) {
  key("digest");
  raw("{");
  key("block");
  integer(static_cast<std::int64_t>(digest.block));
  key("crc");
  raw("[");
  for (const std::uint32_t sum : digest.crc) {
    comma();
    raw("\"");
    hex(sum, 8);
    raw("\"");
  }
  raw("]}");
}

void Writer::command(const Command& command) {
  raw("{");
  if (command.id) {
    key("id");
    integer(*command.id);
  }
  key("do");
  string(command.verb);
  if (!command.with.empty()) {
    key("with");
    fields(command.with);
  }
  if (!command.as.empty()) {
    key("as");
    string(command.as);
  }
  if (command.count) {
    key("count");
    raw("true");
  }
  if (command.digest != 0) {
    key("digest");
    integer(static_cast<std::int64_t>(command.digest));
  }
  optional_block("enter", command.enter);
  optional_block("body", command.body);
  if (!command.threads.empty()) {
    key("threads");
    raw("{");
    for (const auto& [thread, commands] : command.threads) {
      key(thread);
      block(commands);
    }
    raw("}");
  }
  optional_block("observe", command.observe);
  raw("}");
}

void Writer::error(const ErrorReply& error) {
  raw("{");
  key("kind");
  string(name_of(error.kind));
  key("message");
  string(error.message);
  if (error.code) {
    key("code");
    value(*error.code);
  }
  raw("}");
}

void Writer::outcome(const Reply& reply) {
  switch (reply.status) {
    case Reply::Status::kOk:
      key("ok");
      return fields(reply.ok);
    case Reply::Status::kError:
      key("error");
      return error(reply.error);
    case Reply::Status::kUnsupported:
      key("unsupported");
      return string(reply.reason);
    case Reply::Status::kInvalid:
      key("invalid");
      return string(reply.reason);
  }
}

void Writer::reply(const Reply& reply) {
  raw("{");
  if (reply.id) {
    key("id");
    integer(*reply.id);
  }
  outcome(reply);
  if (!reply.warnings.empty()) {
    key("warnings");
    raw("[");
    for (const Warning& warning : reply.warnings) {
      comma();
      raw("[");
      string(warning.category);
      comma();
      string(warning.text);
      raw("]");
    }
    raw("]");
  }
  if (!reply.counts.empty()) {
    key("counts");
    fields(reply.counts);
  }
  if (!reply.blind.empty()) {
    key("blind");
    raw("[");
    for (const std::string& name : reply.blind) {
      comma();
      string(name);
    }
    raw("]");
  }
  if (!reply.replies.empty()) {
    key("replies");
    raw("[");
    for (const Reply& inner : reply.replies) {
      comma();
      this->reply(inner);
    }
    raw("]");
  }
  raw("}");
}

}  // namespace

std::string to_json(const Command& command) {
  Writer writer;
  writer.command(command);
  return writer.take();
}

std::string to_json(const Reply& reply) {
  Writer writer;
  writer.reply(reply);
  return writer.take();
}

std::string to_json(const Value& value) {
  Writer writer;
  writer.value(value);
  return writer.take();
}

}  // namespace assay
