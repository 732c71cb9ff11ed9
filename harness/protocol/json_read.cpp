// JSON text to messages. Whatever the text holds, the answer is a message or a MalformedMessage
// that says what is wrong.
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;  // fields keep the order in which they came

constexpr int kDeepest = 200;

[[noreturn]] void malformed(const std::string& what) { throw MalformedMessage(what); }

std::string shortened(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  return text;
}

const std::string& text_of(const Json& json, std::string_view what) {
  if (!json.is_string()) malformed(std::string(what) + " must be a string, not " + shortened(json));
  return json.get_ref<const std::string&>();
}

std::int64_t integer_of(const Json& json, std::string_view what) {
  const bool fits =
      json.is_number_integer() &&
      (!json.is_number_unsigned() || json.get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
  if (!fits) malformed(std::string(what) + " must be a 64-bit integer, not " + shortened(json));
  return json.get<std::int64_t>();
}

template <typename Number>
Number number_of(std::string_view text, int base, std::string_view what) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (failure != std::errc{} || end != text.data() + text.size() || text.empty()) {
    malformed(std::string(what) + ": '" + std::string(text) + "' is not such a number");
  }
  return number;
}

const Json& member(const Json& object, const char* name, std::string_view owner) {
  if (!object.is_object()) malformed(std::string(owner) + " must be an object");
  const auto found = object.find(name);
  if (found == object.end()) malformed(std::string(owner) + " lacks '" + name + "'");
  return *found;
}

const Json& array_of(const Json& json, std::string_view what) {
  if (!json.is_array()) malformed(std::string(what) + " must be an array, not " + shortened(json));
  return json;
}

Value value_of(const Json& json, int depth);

std::vector<Value> items_of(const Json& json, std::string_view what, int depth) {
  std::vector<Value> items;
  items.reserve(array_of(json, what).size());
  for (const Json& item : json) items.push_back(value_of(item, depth + 1));
  return items;
}

std::vector<std::int64_t> integers_of(const Json& json, std::string_view what) {
  std::vector<std::int64_t> numbers;
  for (const Json& item : array_of(json, what)) numbers.push_back(integer_of(item, what));
  return numbers;
}

double real_of(const Json& json) {
  const auto value = exact_from_text(text_of(json, "a float"));
  if (!value) malformed("not an exact float: " + shortened(json));
  return *value;
}

Device device_of(const Json& json) {
  const auto device = device_from_text(text_of(json, "a device"));
  if (!device) malformed("not a device: " + shortened(json));
  return *device;
}

Dtype dtype_of(const Json& json) {
  const auto dtype = dtype_named(text_of(json, "a dtype"));
  if (!dtype) malformed("no dtype is called " + shortened(json));
  return *dtype;
}

/// Elements as hexadecimal words with one space between them.
std::vector<std::uint8_t> bytes_of(const std::string& text, Dtype dtype) {
  const std::size_t digits = bits_per_element(dtype) / 4;
  if (digits == 0) malformed("values of dtype " + std::string(name_of(dtype)) + " do not cross");
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / (digits + 1) * (digits / 2) + digits);
  for (std::size_t at = 0; at < text.size(); at += digits + 1) {
    const bool whole =
        at + digits <= text.size() && (at + digits == text.size() || text[at + digits] == ' ');
    if (!whole)
      malformed("'bits' must hold words of " + std::to_string(digits) + " hexadecimal digits");
    const auto bits = number_of<std::uint64_t>({text.data() + at, digits}, 16, "an element's bits");
    for (std::size_t byte = 0; byte < digits / 2; ++byte) {
      bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * byte)));
    }
  }
  return bytes;
}

Recipe recipe_of(const Json& json) {
  Recipe recipe;
  const std::string& kind = text_of(member(json, "kind", "a recipe"), "a recipe's kind");
  if (kind != "counter" && kind != "hash") malformed("no recipe is of kind '" + kind + "'");
  recipe.kind = kind == "counter" ? Recipe::Kind::kCounter : Recipe::Kind::kHash;
  const auto number = [&](const char* name) {
    return number_of<std::uint64_t>(text_of(member(json, name, "a recipe"), name), 10, name);
  };
  recipe.start = number("start");
  recipe.step = number("step");
  if (!json.contains("set")) return recipe;
  for (const Json& pair : array_of(json["set"], "a recipe's set")) {
    if (!pair.is_array() || pair.size() != 2) malformed("a recipe's set holds [index, bits] pairs");
    const auto index = static_cast<std::uint64_t>(integer_of(pair[0], "an index"));
    recipe.set.emplace_back(
        index, number_of<std::uint64_t>(text_of(pair[1], "bits"), 16, "an element's bits"));
  }
  return recipe;
}

Digest digest_from(const Json& json) {
  Digest digest;
  digest.block = static_cast<std::uint64_t>(integer_of(member(json, "block", "a digest"), "block"));
  for (const Json& sum : array_of(member(json, "crc", "a digest"), "crc")) {
    digest.crc.push_back(number_of<std::uint32_t>(text_of(sum, "a CRC"), 16, "a CRC"));
  }
  return digest;
}

/// How many elements a shape makes; refuses what no memory holds.
std::int64_t checked_numel(const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0) malformed("a tensor's shape has a negative extent");
    if (extent != 0 && count > kMost / extent) malformed("a tensor's shape is too large");
    count *= extent;
  }
  return count;
}

TensorValue tensor_of(const Json& json) {
  TensorValue tensor;
  tensor.dtype = dtype_of(member(json, "dtype", "a tensor"));
  tensor.shape = integers_of(member(json, "shape", "a tensor"), "a shape");
  const std::int64_t count = checked_numel(tensor.shape);
  if (json.contains("strides")) {
    tensor.strides = integers_of(json["strides"], "strides");
    if (tensor.strides.size() != tensor.shape.size()) malformed("strides and shape differ in rank");
  }
  if (json.contains("device")) tensor.device = device_of(json["device"]);
  if (json.contains("recipe")) {
    tensor.recipe = recipe_of(json["recipe"]);
    for (const auto& [index, bits] : tensor.recipe->set) {
      if (index >= static_cast<std::uint64_t>(count))
        malformed("a recipe sets an element beyond the end");
    }
    return tensor;
  }
  if (json.contains("digest")) {
    tensor.digest = digest_from(json["digest"]);
    return tensor;
  }
  if (!json.contains("bits") && tensor.device.type == "meta") return tensor;
  tensor.data = bytes_of(text_of(member(json, "bits", "a tensor"), "bits"), tensor.dtype);
  if (tensor.data.size() !=
      static_cast<std::size_t>(count) * (bits_per_element(tensor.dtype) / 8)) {
    malformed("a tensor's bits do not fill its shape");
  }
  return tensor;
}

Value sparse_of(const Json& json) {
  SparseValue sparse;
  sparse.shape = integers_of(member(json, "shape", "a sparse tensor"), "a shape");
  checked_numel(sparse.shape);
  sparse.indices = tensor_of(member(json, "indices", "a sparse tensor"));
  sparse.values = tensor_of(member(json, "values", "a sparse tensor"));
  const Json& coalesced = member(json, "coalesced", "a sparse tensor");
  if (!coalesced.is_boolean()) malformed("'coalesced' must be true or false");
  sparse.coalesced = coalesced.get<bool>();
  return sparse;
}

Value dict_of(const Json& json, int depth) {
  Dict dict;
  for (const Json& pair : array_of(json, "a dict")) {
    if (!pair.is_array() || pair.size() != 2) malformed("a dict holds [key, value] pairs");
    dict.items.emplace_back(value_of(pair[0], depth + 1), value_of(pair[1], depth + 1));
  }
  return dict;
}

Value named_tuple_of(const Json& json, int depth) {
  NamedTuple named;
  named.type = text_of(member(json, "type", "a named tuple"), "a named tuple's type");
  for (const Json& pair : array_of(member(json, "fields", "a named tuple"), "fields")) {
    if (!pair.is_array() || pair.size() != 2) malformed("a named tuple holds [name, value] pairs");
    named.fields.emplace_back(text_of(pair[0], "a field's name"), value_of(pair[1], depth + 1));
  }
  return named;
}

Value complex_of(const Json& json) {
  if (!json.is_array() || json.size() != 2) malformed("a complex number is a pair of floats");
  return Complex{real_of(json[0]), real_of(json[1])};
}

Value generator_of(const Json& json) {
  const auto& seed = text_of(member(json, "seed", "a generator"), "a seed");
  return Generator{device_of(member(json, "device", "a generator")),
                   number_of<std::uint64_t>(seed, 10, "a seed")};
}

Value tagged_value(const std::string& tag, const Json& json, int depth) {
  if (tag == "f") return real_of(json);
  if (tag == "tensor") return tensor_of(json);
  if (tag == "ref") return Ref{text_of(json, "a reference")};
  if (tag == "i") return number_of<std::int64_t>(text_of(json, "an integer"), 10, "an integer");
  if (tag == "tuple") return Tuple{items_of(json, "a tuple", depth)};
  if (tag == "dict") return dict_of(json, depth);
  if (tag == "device") return device_of(json);
  if (tag == "dtype") return dtype_of(json);
  if (tag == "lazy") return Lazy{items_of(json, "a lazy sequence", depth)};
  if (tag == "named") return named_tuple_of(json, depth);
  if (tag == "c") return complex_of(json);
  if (tag == "sparse") return sparse_of(json);
  if (tag == "generator") return generator_of(json);
  if (tag == "callable") return Callable{text_of(json, "a callable")};
  if (tag == "opaque") return Opaque{text_of(json, "an opaque kind")};
  malformed("no value has the tag '" + tag + "'");
}

Value value_of(const Json& json, int depth) {
  if (depth > kDeepest) malformed("values nest deeper than " + std::to_string(kDeepest));
  switch (json.type()) {
    case Json::value_t::null:
      return None{};
    case Json::value_t::boolean:
      return json.get<bool>();
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return integer_of(json, "an integer");
    case Json::value_t::number_float:
      return json.get<double>();
    case Json::value_t::string:
      return json.get_ref<const std::string&>();
    case Json::value_t::array:
      return List{items_of(json, "a list", depth)};
    case Json::value_t::object:
      break;
    default:
      malformed("not a value: " + shortened(json));
  }
  if (json.size() != 1) malformed("a tagged value has one member, its tag: " + shortened(json));
  return tagged_value(json.begin().key(), json.begin().value(), depth);
}

Fields fields_of(const Json& json, std::string_view what) {
  if (!json.is_object()) malformed(std::string(what) + " must be an object");
  Fields fields;
  for (const auto& [name, item] : json.items()) fields.set(name, value_of(item, 0));
  return fields;
}

Command command_of(const Json& json, int depth);

Block block_of(const Json& json, std::string_view what, int depth) {
  Block block;
  for (const Json& item : array_of(json, what)) block.push_back(command_of(item, depth + 1));
  return block;
}

void read_member(Command& command, const std::string& name, const Json& json, int depth) {
  if (name == "id") {
    command.id = integer_of(json, "'id'");
  } else if (name == "do") {
    command.verb = text_of(json, "'do'");
  } else if (name == "with") {
    command.with = fields_of(json, "'with'");
  } else if (name == "as") {
    command.as = text_of(json, "'as'");
  } else if (name == "count") {
    if (!json.is_boolean()) malformed("'count' must be true or false");
    command.count = json.get<bool>();
  } else if (name == "digest") {
    const std::int64_t block = integer_of(json, "'digest'");
    if (block < 1) malformed("'digest' must be a positive number of elements");
    command.digest = static_cast<std::uint64_t>(block);
  } else if (name == "enter") {
    command.enter = block_of(json, "'enter'", depth);
  } else if (name == "body") {
    command.body = block_of(json, "'body'", depth);
  } else if (name == "observe") {
    command.observe = block_of(json, "'observe'", depth);
  } else if (name == "threads") {
    if (!json.is_object()) malformed("'threads' must be an object");
    for (const auto& [thread, block] : json.items()) {
      command.threads.emplace_back(thread, block_of(block, "a thread's block", depth));
    }
  } else {
    malformed("a command has no member '" + name + "'");
  }
}

Command command_of(const Json& json, int depth) {
  if (depth > kDeepest) malformed("blocks nest deeper than " + std::to_string(kDeepest));
  if (!json.is_object()) malformed("a command must be an object, not " + shortened(json));
  Command command;
  for (const auto& [name, item] : json.items()) read_member(command, name, item, depth);
  if (command.verb.empty()) malformed("a command lacks 'do'");
  return command;
}

ErrorReply error_of(const Json& json) {
  ErrorReply error;
  const auto kind = error_kind_named(text_of(member(json, "kind", "an error"), "an error's kind"));
  if (!kind) malformed("no error is of kind " + shortened(json["kind"]));
  error.kind = *kind;
  error.message = text_of(member(json, "message", "an error"), "an error's message");
  if (json.contains("code")) error.code = value_of(json["code"], 0);
  return error;
}

std::vector<Warning> warnings_of(const Json& json) {
  std::vector<Warning> warnings;
  for (const Json& pair : array_of(json, "'warnings'")) {
    if (!pair.is_array() || pair.size() != 2) malformed("a warning is a [category, text] pair");
    warnings.push_back({text_of(pair[0], "a category"), text_of(pair[1], "a warning's text")});
  }
  return warnings;
}

Reply reply_of(const Json& json, int depth);

void read_member(Reply& reply, const std::string& name, const Json& json, int depth,
                 int& outcomes) {
  const auto outcome = [&](Reply::Status status) {
    reply.status = status;
    ++outcomes;
  };
  if (name == "id") {
    if (!json.is_null()) reply.id = integer_of(json, "'id'");
  } else if (name == "ok") {
    outcome(Reply::Status::kOk);
    reply.ok = fields_of(json, "'ok'");
  } else if (name == "error") {
    outcome(Reply::Status::kError);
    reply.error = error_of(json);
  } else if (name == "unsupported" || name == "invalid") {
    outcome(name == "invalid" ? Reply::Status::kInvalid : Reply::Status::kUnsupported);
    reply.reason = text_of(json, "a reason");
  } else if (name == "warnings") {
    reply.warnings = warnings_of(json);
  } else if (name == "counts") {
    reply.counts = fields_of(json, "'counts'");
  } else if (name == "blind") {
    for (const Json& field : array_of(json, "'blind'"))
      reply.blind.push_back(text_of(field, "a field"));
  } else if (name == "replies") {
    for (const Json& inner : array_of(json, "'replies'")) {
      reply.replies.push_back(reply_of(inner, depth + 1));
    }
  } else {
    malformed("a reply has no member '" + name + "'");
  }
}

Reply reply_of(const Json& json, int depth) {
  if (depth > kDeepest) malformed("replies nest deeper than " + std::to_string(kDeepest));
  if (!json.is_object()) malformed("a reply must be an object, not " + shortened(json));
  Reply reply;
  int outcomes = 0;
  for (const auto& [name, item] : json.items()) read_member(reply, name, item, depth, outcomes);
  if (outcomes != 1)
    malformed("a reply has exactly one of 'ok', 'error', 'unsupported', 'invalid'");
  return reply;
}

Json parsed(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& failure) {
    malformed(std::string("not JSON: ") + failure.what());
  }
}

}  // namespace

Command command_from_json(std::string_view text) { return command_of(parsed(text), 0); }
Reply reply_from_json(std::string_view text) { return reply_of(parsed(text), 0); }
Value value_from_json(std::string_view text) { return value_of(parsed(text), 0); }

}  // namespace assay
