// Reads tagged values from JSON.
#include "harness/protocol/json_values.hpp"

#include <algorithm>
#include <charconv>

namespace assay {
namespace {

double read_real(JsonScanner& scan) {
  const std::string_view text = scan.text("a float");
  const auto value = exact_from_text(text);
  if (!value) scan.malformed("not an exact float: '" + std::string(text.substr(0, 60)) + "'");
  return *value;
}

std::vector<Value> read_items(JsonScanner& scan, std::string_view what, int depth) {
  std::vector<Value> items;
  scan.array(what, [&] { items.push_back(read_value(scan, depth + 1)); });
  return items;
}

Value read_complex(JsonScanner& scan) {
  Complex value;
  scan.pair(
      "a complex number is a pair of floats", [&] { value.real = read_real(scan); },
      [&] { value.imag = read_real(scan); });
  return value;
}

Value read_dict(JsonScanner& scan, int depth) {
  Dict dict;
  scan.array("a dict", [&] {
    std::pair<Value, Value> item;
    scan.pair(
        "a dict holds [key, value] pairs", [&] { item.first = read_value(scan, depth + 1); },
        [&] { item.second = read_value(scan, depth + 1); });
    dict.items.push_back(std::move(item));
  });
  return dict;
}

Value read_named_tuple(JsonScanner& scan, int depth) {
  NamedTuple named;
  bool has_type = false;
  bool has_fields = false;
  scan.object("a named tuple", [&](std::string_view name) {
    if (name == "type") {
      has_type = true;
      named.type = scan.text("a named tuple's type");
    } else if (name == "fields") {
      has_fields = true;
      scan.array("a named tuple's fields", [&] {
        std::pair<std::string, Value> field;
        scan.pair(
            "a named tuple holds [name, value] pairs",
            [&] { field.first = scan.text("a field's name"); },
            [&] { field.second = read_value(scan, depth + 1); });
        named.fields.push_back(std::move(field));
      });
    } else {
      scan.malformed("a named tuple has no member '" + std::string(name) + "'");
    }
  });
  if (!has_type || !has_fields) scan.malformed("a named tuple has 'type' and 'fields'");
  return named;
}

Value read_generator(JsonScanner& scan) {
  Generator generator;
  std::optional<std::uint64_t> seed;
  scan.object("a generator", [&](std::string_view name) {
    if (name == "device") {
      generator.device = read_device(scan);
    } else if (name == "seed") {
      seed = unsigned_from_text(scan.text("a seed"), 10, "a seed");
    } else {
      scan.malformed("a generator has no member '" + std::string(name) + "'");
    }
  });
  if (!seed || generator.device.type.empty()) {
    scan.malformed("a generator has 'device' and 'seed'");
  }
  generator.seed = *seed;
  return generator;
}

Value read_dtype(JsonScanner& scan) {
  const std::string_view name = scan.text("a dtype");
  const auto dtype = dtype_named(name);
  if (!dtype) scan.malformed("no dtype is called '" + std::string(name) + "'");
  return *dtype;
}

Value read_long_integer(JsonScanner& scan) {
  const std::string_view text = scan.text("an integer");
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) {
    scan.malformed("not a 64-bit integer: '" + std::string(text.substr(0, 60)) + "'");
  }
  return value;
}

Value read_tagged(JsonScanner& scan, std::string_view tag, int depth) {
  if (tag == "f") return read_real(scan);
  if (tag == "tensor") return read_tensor(scan);
  if (tag == "ref") return Ref{read_name(scan, "a reference")};
  if (tag == "i") return read_long_integer(scan);
  if (tag == "tuple") return Tuple{read_items(scan, "a tuple", depth)};
  if (tag == "dict") return read_dict(scan, depth);
  if (tag == "device") return read_device(scan);
  if (tag == "dtype") return read_dtype(scan);
  if (tag == "lazy") return Lazy{read_items(scan, "a lazy sequence", depth)};
  if (tag == "named") return read_named_tuple(scan, depth);
  if (tag == "c") return read_complex(scan);
  if (tag == "sparse") return read_sparse(scan);
  if (tag == "generator") return read_generator(scan);
  if (tag == "callable") return Callable{read_name(scan, "a callable")};
  if (tag == "opaque") return Opaque{std::string(scan.text("an opaque kind"))};
  scan.malformed("no value has the tag '" + std::string(tag.substr(0, 60)) + "'");
}

Value read_object(JsonScanner& scan, int depth) {
  std::optional<Value> value;
  scan.object("a value", [&](std::string_view tag) {
    if (value) scan.malformed("a tagged value has one member, its tag");
    value = read_tagged(scan, tag, depth);
  });
  if (!value) scan.malformed("a tagged value has one member, its tag");
  return std::move(*value);
}

}  // namespace

std::string read_name(JsonScanner& scan, std::string_view what) {
  constexpr std::size_t kLongest = 128;
  const std::string_view text = scan.text(what);
  const std::string_view rest = text.substr(text.starts_with('$') ? 1 : 0);
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-.#~").find(c) != std::string_view::npos;
  };
  if (!rest.empty() && rest.size() <= kLongest && std::ranges::all_of(rest, fits)) {
    return std::string(text);
  }
  scan.malformed(std::string(what) + " is 1 to 128 letters, digits and _-.#~, not '" +
                 std::string(text.substr(0, 60)) + "'");
}

std::uint64_t unsigned_from_text(std::string_view text, int base, std::string_view what) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (failure != std::errc{} || end != text.data() + text.size()) {
    JsonScanner::malformed(std::string(what) + ": '" + std::string(text.substr(0, 60)) +
                           "' is not such a number");
  }
  return number;
}

Device read_device(JsonScanner& scan) {
  const std::string_view text = scan.text("a device");
  auto device = device_from_text(text);
  if (!device) scan.malformed("not a device: '" + std::string(text.substr(0, 60)) + "'");
  return std::move(*device);
}

Value read_value(JsonScanner& scan, int depth) {
  if (depth > kDeepestValue) {
    scan.malformed("values nest deeper than " + std::to_string(kDeepestValue));
  }
  switch (scan.peek()) {
    case '{':
      return read_object(scan, depth);
    case '"':
      return scan.text("a string");
    case '[':
      return List{read_items(scan, "a list", depth)};
    case 't':
    case 'f':
      return scan.boolean("a value");
    case 'n':
      scan.null();
      return None{};
    default:
      return std::visit([](auto number) { return Value(number); }, scan.number());
  }
}

Fields read_fields(JsonScanner& scan, std::string_view what) {
  // Limits the linear search for names; no valid message has a hundred.
  constexpr std::size_t kMostFields = 1000;
  Fields fields;
  scan.object(what, [&](std::string_view view) {
    std::string name(view);
    if (fields.size() == kMostFields) {
      scan.malformed(std::string(what) + " has more than " + std::to_string(kMostFields) +
                     " fields");
    }
    if (fields.has(name)) scan.malformed(std::string(what) + " has '" + name + "' twice");
    fields.set(std::move(name), read_value(scan, 0));
  });
  return fields;
}

}  // namespace assay
