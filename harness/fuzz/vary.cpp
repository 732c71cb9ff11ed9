// Draws the changes of a program.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/fuzz/case_programs.hpp"
#include "harness/perturb/rewrite.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/suite/tensors.hpp"

namespace assay {
namespace {

constexpr int kMostChanges = 3;
/// The number of draws until a changed command is valid.
constexpr int kMostTries = 8;
constexpr Dtype kDtypes[] = {Dtype::kFloat16, Dtype::kBfloat16, Dtype::kFloat32, Dtype::kFloat64,
                             Dtype::kInt64,   Dtype::kInt32,    Dtype::kUint8,   Dtype::kBool};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::ptrdiff_t at(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

// Values in values.

using Edit = std::function<Value(const Value&)>;

/// Each value in `value`, itself first, in the same order every time. `edit` replaces it.
Value each_edited(const Value& value, const Edit& edit);

template <typename Items>
Value with_items_edited(Items sequence, const Edit& edit) {
  for (Value& item : sequence.items) item = each_edited(item, edit);
  return sequence;
}

Value each_edited(const Value& value, const Edit& edit) {
  Value made = edit(value);
  if (const auto* list = made.get_if<List>()) return with_items_edited(*list, edit);
  if (const auto* tuple = made.get_if<Tuple>()) return with_items_edited(*tuple, edit);
  if (const auto* lazy = made.get_if<Lazy>()) return with_items_edited(*lazy, edit);
  if (const auto* held = made.get_if<Dict>()) {
    Dict dict = *held;
    for (auto& [key, item] : dict.items) item = each_edited(item, edit);
    return dict;
  }
  return made;
}

std::size_t count_values(const Value& value) {
  std::size_t count = 0;
  each_edited(value, [&](const Value& same) {
    ++count;
    return same;
  });
  return count;
}

Value with_one_edited(const Value& value, std::size_t index, const Edit& edit) {
  std::size_t passed = 0;
  return each_edited(value, [&](const Value& one) { return passed++ == index ? edit(one) : one; });
}

// The names and texts of a program.

struct Words {
  std::vector<std::string> objects;
  std::vector<std::string> callbacks;
  std::vector<std::string> texts;
};

void collect(const Block& block, Words& words) {
  for (const Command& command : block) {
    if (!command.as.empty()) words.objects.push_back(command.as);
    for (const auto& [name, value] : command.with) {
      each_edited(value, [&](const Value& one) {
        if (const auto* ref = one.get_if<Ref>()) words.objects.push_back(ref->name);
        if (const auto* called = one.get_if<Callable>()) words.callbacks.push_back(called->name);
        if (const auto* text = one.get_if<std::string>()) words.texts.push_back(*text);
        return one;
      });
    }
    for (const Block* inner : {&command.enter, &command.body}) collect(*inner, words);
  }
}

Words words_of(const Block& program) {
  Words words;
  collect(program, words);
  for (auto* list : {&words.objects, &words.callbacks, &words.texts}) {
    std::ranges::sort(*list);
    list->erase(std::ranges::unique(*list).begin(), list->end());
  }
  return words;
}

// Another value.

class Values {
 public:
  Values(const Words& words, Random& random) : words_(words), random_(random) {}

  Value other(const Value& value) {
    if (value.is<Ref>() && !words_.objects.empty() && !random_.one_in(8))
      return Ref{random_.of(words_.objects)};
    if (value.is<Callable>()) return Callable{random_.of(words_.callbacks)};
    if (const auto* text = value.get_if<std::string>()) return other_text(*text);
    if (value.is<Dtype>()) return random_.of(std::span<const Dtype>(kDtypes));
    if (const auto* device = value.get_if<Device>()) return other_device(*device);
    if (const TensorValue* tensor = value.tensor()) return other_tensor(*tensor);
    if (const auto* list = value.get_if<List>()) return other_items(*list);
    if (const auto* tuple = value.get_if<Tuple>()) return other_items(*tuple);
    if (const auto* truth = value.get_if<bool>()) return random_.one_in(6) ? number() : !*truth;
    if (value.is<std::int64_t>() && !random_.one_in(4)) return whole_number();
    return number();
  }

 private:
  std::int64_t whole_number() {
    return random_.of<std::int64_t>(
        {-2, -1, 0, 0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 100, std::int64_t{1} << 33});
  }

  Value number() {
    switch (random_.below(8)) {
      case 0:
        return None{};
      case 1:
        return random_.one_in(2);
      case 2:
        return one_element();
      case 3:
      case 4:
        return whole_number();
      default:
        return random_.of({-1.0, -0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 65536.0, 0x1p127, 0x1p-126,
                           1e300, kInfinity, -kInfinity, kNan});
    }
  }

  TensorValue one_element() {
    const Dtype dtype = random_.of(std::span<const Dtype>(kDtypes));
    return scalar_of(dtype, is_floating(dtype) ? special() : small(dtype));
  }

  /// Exact in every floating dtype.
  double special() { return random_.of({kInfinity, -kInfinity, kNan, -0.0, 0.0, 0.5, 1.0, 3.0}); }
  double small(Dtype dtype) {
    return static_cast<double>(random_.below(dtype == Dtype::kBool ? 2 : 4));
  }

  Value other_text(const std::string& text) {
    if (const auto device = device_from_text(text); device && device->type != text)
      return to_text(other_device(*device));
    return random_.one_in(6) ? Value(None{}) : Value(random_.of(words_.texts));
  }

  Device other_device(const Device& device) {
    if (random_.one_in(6)) return {"cpu", -1};
    return {device.type == "cpu" || device.type.empty() ? "cuda" : device.type,
            static_cast<int>(random_.between(-1, 1))};
  }

  template <typename Items>
  Value other_items(Items sequence) {
    auto& items = sequence.items;
    if (items.empty()) {
      items.push_back(number());
      return sequence;
    }
    const std::size_t index = random_.below(items.size());
    switch (random_.below(4)) {
      case 0:
        items.erase(items.begin() + at(index));
        break;
      case 1:
        items.insert(items.begin() + at(index), Value(items[index]));
        break;
      case 2:
        std::swap(items[index], items[random_.below(items.size())]);
        break;
      default:
        items.push_back(random_.of(items));
    }
    return sequence;
  }

  /// Keeps the elements where the dtype stays; else they are small numbers.
  Value other_tensor(TensorValue tensor) {
    if (tensor.recipe || bits_per_element(tensor.dtype) == 0) return tensor;
    switch (random_.below(4)) {
      case 0:
        tensor.device = other_device(tensor.device);
        return tensor;
      case 1:
        return with_shape(tensor, tensor.dtype,
                          random_.of<std::vector<std::int64_t>>(
                              {{}, {0}, {1}, {2}, {3}, {1, 1}, {2, 1}, {1, 2}, {2, 2}, {1, 2, 1}}));
      case 2:
        return with_shape(tensor, random_.of(std::span<const Dtype>(kDtypes)), tensor.shape);
      default:
        return with_special_element(tensor);
    }
  }

  Value with_shape(const TensorValue& tensor, Dtype dtype, std::vector<std::int64_t> shape) {
    TensorValue made;
    made.shape = std::move(shape);
    std::vector<double> values;
    for (std::int64_t i = 0; i < made.numel(); ++i) {
      const auto index = static_cast<std::size_t>(i);
      const bool is_held = i < tensor.numel() && is_floating(dtype) && !tensor.data.empty();
      values.push_back(is_held && dtype == tensor.dtype ? tensor.real_at(index) : small(dtype));
    }
    return on(shaped(tensor_of(dtype, values), made.shape), tensor.device);
  }

  Value with_special_element(const TensorValue& tensor) {
    if (tensor.numel() == 0 || !is_floating(tensor.dtype) || tensor.data.empty()) return tensor;
    TensorValue made = tensor;
    constexpr std::uint64_t kSmallest = 1;
    const std::uint64_t bits =
        random_.one_in(8) ? kSmallest : scalar_of(tensor.dtype, special()).bits_at(0);
    made.set_bits(random_.below(static_cast<std::uint64_t>(tensor.numel())), bits);
    return made;
  }

  const Words& words_;
  Random& random_;
};

// Another program.

class Variation {
 public:
  Variation(Block program, Random& random) : program_(std::move(program)), random_(random) {}

  void change() {
    if (program_.empty()) return;
    Block& block = some_block(program_);
    const std::size_t index = random_.below(block.size());
    switch (random_.below(12)) {
      case 0:
        return repeat(block, index);
      case 1:
        block.erase(block.begin() + at(index));
        return;
      case 2:
        if (index + 1 < block.size()) std::swap(block[index], block[index + 1]);
        return;
      case 3:
        return enclose(block, index);
      case 4:
        replace_if_valid(block[index], without_an_argument(block[index]));
        return;
      default:
        return change_an_argument(block[index]);
    }
  }

  Block take() { return std::move(program_); }

 private:
  Block& some_block(Block& block) {
    Command& command = block[random_.below(block.size())];
    for (Block* inner : {&command.enter, &command.body}) {
      if (!inner->empty() && random_.one_in(2)) return some_block(*inner);
    }
    return block;
  }

  /// At once or at the end; for half of those that make something, under a second name.
  void repeat(Block& block, std::size_t index) {
    Command again = block[index];
    if (!again.as.empty() && random_.one_in(2)) again.as += "_again";
    block.insert(random_.one_in(2) ? block.end() : block.begin() + at(index) + 1, std::move(again));
  }

  /// One to three commands in a scope that raises at its end, or on another thread.
  void enclose(Block& block, std::size_t index) {
    const std::size_t end = std::min(block.size(), index + 1 + random_.below(3));
    Command around;
    around.body.assign(block.begin() + at(index), block.begin() + at(end));
    if (random_.one_in(2)) {
      around.verb = "on";
      around.with.set("thread", "elsewhere");
    } else {
      around.verb = "scope";
      Command raise;
      raise.verb = "raise";
      raise.with = {{"kind", "value"}, {"message", "on purpose"}};
      around.body.push_back(std::move(raise));
    }
    block.erase(block.begin() + at(index), block.begin() + at(end));
    block.insert(block.begin() + at(index), std::move(around));
  }

  Command without_an_argument(Command command) {
    if (command.with.empty()) return command;
    Fields fewer;
    std::size_t left = random_.below(command.with.size());
    for (const auto& [name, value] : command.with) {
      if (left-- != 0) fewer.set(name, value);
    }
    command.with = std::move(fewer);
    return command;
  }

  void change_an_argument(Command& command) {
    if (command.with.empty()) return;
    const Words words = words_of(program_);
    Values values(words, random_);
    for (int tries = 0; tries < kMostTries; ++tries) {
      const auto& [name, value] = *(command.with.begin() + at(random_.below(command.with.size())));
      Command changed = command;
      changed.with.set(name, with_one_edited(value, random_.below(count_values(value)),
                                             [&](const Value& one) { return values.other(one); }));
      if (identical(*changed.with.find(name), value)) continue;
      if (replace_if_valid(command, std::move(changed))) return;
    }
  }

  static bool replace_if_valid(Command& command, Command changed) {
    changed.id = 0;  // as the schema wants
    if (!validate_command(to_json(changed)).empty()) return false;
    changed.id.reset();
    command = std::move(changed);
    return true;
  }

  Block program_;
  Random& random_;
};

/// Both programs, one after the other or command by command; the objects of the second have names
/// of their own.
Block joined(Block program, const Block& other, Random& random) {
  const Rewrite renamed{.name = [](const std::string& name) {
    // `$optimizer`: an argument of the callback itself
    return name.starts_with('$') ? name : "other_" + name;
  }};
  const bool is_mixed = random.one_in(2);
  std::size_t place = is_mixed ? random.below(program.size() + 1) : program.size();
  for (const Command& command : other) {
    program.insert(program.begin() + at(place), rewritten(command, renamed));
    ++place;
    if (is_mixed) place = std::min(program.size(), place + random.below(2));
  }
  return program;
}

}  // namespace

Block varied(Block program, const Block& other, Random& random) {
  if (!other.empty() && random.one_in(5)) program = joined(std::move(program), other, random);
  Variation variation(std::move(program), random);
  for (int changes = 0; changes < kMostChanges; ++changes) {
    variation.change();
    if (!random.one_in(3)) break;
  }
  return variation.take();
}

}  // namespace assay
