// Writes JSON directly to a string, for the speed of the pipe.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/protocol/json.hpp"

namespace assay {

/// Appends to one string. Private to this folder.
class JsonWriter {
 public:
  void value(const Value& value) {
    std::visit([this](const auto& held) { put(held); }, value.storage());
  }
  void command(const Command& command);
  void reply(const Reply& reply);
  std::string take() { return std::move(out_); }

 private:
  void raw(std::string_view text) { out_ += text; }

  /// Writes `"name":`, preceded by a comma unless it is the first member.
  void key(std::string_view name) {
    comma();
    string(name);
    out_ += ':';
  }
  void comma() {
    if (out_.back() != '{' && out_.back() != '[') out_ += ',';
  }
  void string(std::string_view text);
  std::size_t special(std::string_view text);
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
  void elements(const TensorValue& tensor);
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

}  // namespace assay
