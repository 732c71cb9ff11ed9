// Reads tensors from JSON: elements, recipes, digests, sparse tensors.
#include <algorithm>
#include <array>

#include "harness/protocol/json_values.hpp"

namespace assay {
namespace {

/// The members of a tensor, in any order.
struct TensorMembers {
  std::optional<Dtype> dtype;
  bool has_shape = false;
  std::optional<std::string> bits;  ///< read before the dtype
  bool has_bits = false;
};

std::vector<std::int64_t> read_integers(JsonScanner& scan, std::string_view what) {
  std::vector<std::int64_t> numbers;
  scan.array(what, [&] { numbers.push_back(scan.integer(what)); });
  return numbers;
}

constexpr std::uint8_t kNoDigit = 0xff;

constexpr auto kDigitValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (unsigned i = 0; i < 10; ++i) values['0' + i] = static_cast<std::uint8_t>(i);
  for (unsigned i = 0; i < 6; ++i) {
    values['a' + i] = values['A' + i] = static_cast<std::uint8_t>(10 + i);
  }
  return values;
}();

std::uint8_t byte_from_hex(const char* digits) {
  const std::uint8_t high = kDigitValues[static_cast<unsigned char>(digits[0])];
  const std::uint8_t low = kDigitValues[static_cast<unsigned char>(digits[1])];
  if ((high | low) == kNoDigit) {
    JsonScanner::malformed("an element's bits: '" + std::string(digits, 2) +
                           "' are not hexadecimal digits");
  }
  return static_cast<std::uint8_t>(high << 4 | low);
}

/// Reads elements as hexadecimal words separated by single spaces.
std::vector<std::uint8_t> bytes_of(std::string_view text, Dtype dtype) {
  const std::size_t width = bits_per_element(dtype) / 8;
  if (width == 0) {
    JsonScanner::malformed("values of dtype " + std::string(name_of(dtype)) + " do not cross");
  }
  const std::size_t stride = 2 * width + 1;
  const std::size_t count = (text.size() + 1) / stride;
  const auto wrong = [&] {
    JsonScanner::malformed("'bits' must hold words of " + std::to_string(2 * width) +
                           " hexadecimal digits");
  };
  if (!text.empty() && (text.size() + 1) % stride != 0) wrong();
  std::vector<std::uint8_t> bytes(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    const char* word = text.data() + i * stride;
    if (i + 1 < count && word[2 * width] != ' ') wrong();
    for (std::size_t byte = 0; byte < width; ++byte) {
      bytes[i * width + byte] = byte_from_hex(word + 2 * (width - 1 - byte));
    }
  }
  const bool has_other_bools = dtype == Dtype::kBool && std::any_of(bytes.begin(), bytes.end(),
                                                                    [](auto b) { return b > 1; });
  if (has_other_bools) JsonScanner::malformed("a bool's bits are 00 or 01");
  return bytes;
}

Recipe read_recipe(JsonScanner& scan) {
  Recipe recipe;
  int required = 0;
  scan.object("a recipe", [&](std::string_view name) {
    if (name == "kind") {
      const std::string_view kind = scan.text("a recipe's kind");
      if (kind != "counter" && kind != "hash") scan.malformed("a recipe is counter or hash");
      recipe.kind = kind == "counter" ? Recipe::Kind::kCounter : Recipe::Kind::kHash;
    } else if (name == "start") {
      recipe.start = unsigned_from_text(scan.text("'start'"), 10, "'start'");
    } else if (name == "step") {
      recipe.step = unsigned_from_text(scan.text("'step'"), 10, "'step'");
    } else if (name == "set") {
      --required;  // `set` is optional
      scan.array("a recipe's set", [&] {
        auto& [index, bits] = recipe.set.emplace_back();
        scan.pair(
            "a recipe's set holds [index, bits] pairs",
            [&, &index = index] { index = static_cast<std::uint64_t>(scan.integer("an index")); },
            [&, &bits = bits] {
              bits = unsigned_from_text(scan.text("bits"), 16, "an element's bits");
            });
      });
    } else {
      scan.malformed("a recipe has no member '" + std::string(name) + "'");
    }
    ++required;
  });
  if (required != 3) scan.malformed("a recipe has 'kind', 'start' and 'step', each once");
  return recipe;
}

Digest read_digest(JsonScanner& scan) {
  Digest digest;
  scan.object("a digest", [&](std::string_view name) {
    if (name == "block") {
      digest.block = static_cast<std::uint64_t>(scan.integer("a digest's block"));
    } else if (name == "crc") {
      scan.array("a digest's crc", [&] {
        const std::uint64_t sum = unsigned_from_text(scan.text("a CRC"), 16, "a CRC");
        if (sum > UINT32_MAX) scan.malformed("a CRC has 32 bits");
        digest.crc.push_back(static_cast<std::uint32_t>(sum));
      });
    } else {
      scan.malformed("a digest has no member '" + std::string(name) + "'");
    }
  });
  if (digest.block < 1 || digest.block > INT64_MAX) {
    scan.malformed("a digest's 'block' must be a positive number of elements");
  }
  return digest;
}

/// The number of elements of a shape; rejects sizes beyond any memory.
std::int64_t checked_numel(const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0) JsonScanner::malformed("a tensor's shape has a negative extent");
    if (extent != 0 && count > kMost / extent) {
      JsonScanner::malformed("a tensor's shape is too large");
    }
    count *= extent;
  }
  return count;
}

Dtype read_dtype(JsonScanner& scan) {
  const std::string_view name = scan.text("a dtype");
  const auto dtype = dtype_named(name);
  if (!dtype) scan.malformed("no dtype is called '" + std::string(name) + "'");
  return *dtype;
}

void read_bits(JsonScanner& scan, TensorValue& tensor, TensorMembers& members) {
  const std::string_view bits = scan.text("bits");
  members.has_bits = true;
  if (members.dtype) {
    tensor.data = bytes_of(bits, *members.dtype);
  } else {
    members.bits = std::string(bits);
  }
}

void read_member(JsonScanner& scan, std::string_view name, TensorValue& tensor,
                 TensorMembers& members) {
  if (name == "dtype") {
    tensor.dtype = read_dtype(scan);
    members.dtype = tensor.dtype;
  } else if (name == "shape") {
    tensor.shape = read_integers(scan, "a tensor's shape");
    members.has_shape = true;
  } else if (name == "bits") {
    read_bits(scan, tensor, members);
  } else if (name == "device") {
    tensor.device = read_device(scan);
  } else if (name == "strides") {
    tensor.strides = read_integers(scan, "a tensor's strides");
  } else if (name == "recipe") {
    tensor.recipe = read_recipe(scan);
  } else if (name == "digest") {
    tensor.digest = read_digest(scan);
  } else {
    scan.malformed("a tensor has no member '" + std::string(name) + "'");
  }
}

void check_content(const TensorValue& tensor, bool has_bits, std::uint64_t count) {
  const int contents =
      int{has_bits} + int{tensor.recipe.has_value()} + int{tensor.digest.has_value()};
  if (contents > 1) JsonScanner::malformed("a tensor has one of 'bits', 'recipe', 'digest'");
  if (contents == 0 && tensor.device.type != "meta") {
    JsonScanner::malformed("a tensor lacks 'bits'");
  }
  const std::size_t width = bits_per_element(tensor.dtype) / 8;
  if (has_bits && tensor.data.size() != count * width) {
    JsonScanner::malformed("a tensor's bits do not fill its shape");
  }
  if (!tensor.recipe) return;
  if (width == 0) JsonScanner::malformed("values of that dtype do not cross, not even by recipe");
  for (const auto& [index, bits] : tensor.recipe->set) {
    if (index >= count) JsonScanner::malformed("a recipe sets an element beyond the end");
  }
}

}  // namespace

TensorValue read_tensor(JsonScanner& scan) {
  TensorValue tensor;
  TensorMembers members;
  scan.object("a tensor", [&](std::string_view name) { read_member(scan, name, tensor, members); });
  if (!members.dtype) scan.malformed("a tensor lacks 'dtype'");
  if (!members.has_shape) scan.malformed("a tensor lacks 'shape'");
  if (members.bits) tensor.data = bytes_of(*members.bits, tensor.dtype);
  const std::int64_t count = checked_numel(tensor.shape);
  if (!tensor.strides.empty() && tensor.strides.size() != tensor.shape.size()) {
    scan.malformed("a tensor's strides and shape differ in rank");
  }
  check_content(tensor, members.has_bits, static_cast<std::uint64_t>(count));
  return tensor;
}

Value read_sparse(JsonScanner& scan) {
  SparseValue sparse;
  std::array<bool, 4> seen{};
  scan.object("a sparse tensor", [&](std::string_view name) {
    if (name == "shape") {
      seen[0] = true;
      sparse.shape = read_integers(scan, "a sparse tensor's shape");
    } else if (name == "indices") {
      seen[1] = true;
      sparse.indices = read_tensor(scan);
    } else if (name == "values") {
      seen[2] = true;
      sparse.values = read_tensor(scan);
    } else if (name == "coalesced") {
      seen[3] = true;
      sparse.coalesced = scan.boolean("'coalesced'");
    } else {
      scan.malformed("a sparse tensor has no member '" + std::string(name) + "'");
    }
  });
  if (seen != std::array{true, true, true, true}) {
    scan.malformed("a sparse tensor has 'shape', 'indices', 'values' and 'coalesced'");
  }
  checked_numel(sparse.shape);
  return sparse;
}

}  // namespace assay
