// Writes tagged values as JSON.
#include <algorithm>

#include "harness/protocol/json_writer.hpp"
#include "harness/protocol/utf8.hpp"

namespace assay {
namespace {

/// Larger integers are written as strings, because readers in other languages use doubles.
constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;

/// Replaces bytes that are not valid UTF-8, which a runtime's message may contain.
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

/// The number of characters that need no escape.
std::size_t plain_run(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_plain);
  return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

void JsonWriter::string(std::string_view text) {
  out_ += '"';
  while (!text.empty()) {
    const std::size_t run = plain_run(text);
    raw(text.substr(0, run));
    text.remove_prefix(run);
    if (!text.empty()) text.remove_prefix(special(text));
  }
  out_ += '"';
}

/// Writes a character that must be escaped; returns the number of bytes consumed.
std::size_t JsonWriter::special(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte >= 0x80) {
    const std::size_t length = utf8_sequence(text);
    raw(length == 0 ? kReplacement : text.substr(0, length));
    return std::max<std::size_t>(length, 1);
  }
  if (byte < 0x20) {
    raw("\\u00");
    hex(byte, 2);
  } else {
    out_ += '\\';
    out_ += text.front();
  }
  return 1;
}

void JsonWriter::hex(std::uint64_t bits, std::size_t digits) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (std::size_t i = digits; i-- > 0;) out_ += kHex[(bits >> (4 * i)) & 15];
}

void JsonWriter::put(std::int64_t held) {
  if (held >= -kExactInDouble && held <= kExactInDouble) return integer(held);
  tagged("i", std::to_string(held));
}

void JsonWriter::put(const Complex& held) {
  raw("{");
  key("c");
  raw("[");
  string(exact_text(held.real));
  comma();
  string(exact_text(held.imag));
  raw("]}");
}

void JsonWriter::put(const Dict& held) {
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

void JsonWriter::put(const NamedTuple& held) {
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

void JsonWriter::put(const Generator& held) {
  raw("{");
  key("generator");
  raw("{");
  key("device");
  string(to_text(held.device));
  key("seed");
  string(std::to_string(held.seed));
  raw("}}");
}

void JsonWriter::put(const Value::SparsePtr& held) {
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

void JsonWriter::elements(const TensorValue& tensor) {
  const std::size_t width = bits_per_element(tensor.dtype) / 8;
  const std::size_t count = width == 0 ? 0 : tensor.data.size() / width;
  out_.reserve(out_.size() + count * (2 * width + 1) + 64);
  out_ += '"';
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) out_ += ' ';
    const std::uint8_t* element = tensor.data.data() + i * width;
    for (std::size_t byte = width; byte-- > 0;) hex(element[byte], 2);
  }
  out_ += '"';
}

void JsonWriter::tensor_body(const TensorValue& tensor) {
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
    elements(tensor);
  }
  raw("}");
}

void JsonWriter::recipe(const Recipe& recipe) {
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

void JsonWriter::digest(const Digest& digest) {
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

}  // namespace assay
