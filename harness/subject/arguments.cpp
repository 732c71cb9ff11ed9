// Reads typed arguments of a command.
#include "harness/subject/arguments.hpp"

#include <utility>

namespace assay {

Arguments::Arguments(const Command& command) : command_(command) {
  if (command.with.size() > 64) throw InvalidArgument(command.verb + ": more than 64 arguments");
}

const Value* Arguments::optional(std::string_view name) {
  std::uint64_t bit = 1;
  for (const auto& [known, value] : command_.with) {
    if (known == name) {
      read_ |= bit;
      return &value;
    }
    bit <<= 1;
  }
  return nullptr;
}

const Value& Arguments::value(std::string_view name) {
  const Value* found = optional(name);
  if (found == nullptr) {
    throw InvalidArgument(command_.verb + ": lacks the argument '" + std::string(name) + "'");
  }
  return *found;
}

void Arguments::wrong(std::string_view name, std::string_view wanted, const Value& got) const {
  throw InvalidArgument(command_.verb + ": '" + std::string(name) + "' must be " +
                        std::string(wanted) + ", not " + std::string(kind_of(got)));
}

bool Arguments::boolean(std::string_view name) {
  const Value& found = value(name);
  if (const bool* held = found.get_if<bool>()) return *held;
  wrong(name, "a bool", found);
}

bool Arguments::boolean(std::string_view name, bool fallback) {
  return optional(name) == nullptr ? fallback : boolean(name);
}

std::int64_t Arguments::integer(std::string_view name) {
  const Value& found = value(name);
  if (const auto* held = found.get_if<std::int64_t>()) return *held;
  wrong(name, "an int", found);
}

std::int64_t Arguments::integer(std::string_view name, std::int64_t fallback) {
  return optional(name) == nullptr ? fallback : integer(name);
}

int Arguments::int32(std::string_view name) {
  const std::int64_t number = integer(name);
  if (std::in_range<int>(number)) return static_cast<int>(number);
  wrong(name, "an int of 32 bits", value(name));
}

int Arguments::int32(std::string_view name, int fallback) {
  return optional(name) == nullptr ? fallback : int32(name);
}

double Arguments::real(std::string_view name) {
  const Value& found = value(name);
  if (const double* held = found.get_if<double>()) return *held;
  if (const auto* held = found.get_if<std::int64_t>()) return static_cast<double>(*held);
  wrong(name, "a float", found);
}

double Arguments::real(std::string_view name, double fallback) {
  return optional(name) == nullptr ? fallback : real(name);
}

std::string Arguments::text(std::string_view name) {
  const Value& found = value(name);
  if (const auto* held = found.get_if<std::string>()) return *held;
  wrong(name, "a string", found);
}

std::string Arguments::text(std::string_view name, std::string fallback) {
  return optional(name) == nullptr ? std::move(fallback) : text(name);
}

Dtype Arguments::dtype(std::string_view name) {
  const Value& found = value(name);
  if (const Dtype* held = found.get_if<Dtype>()) return *held;
  wrong(name, "a dtype", found);
}

Device Arguments::device(std::string_view name) {
  const Value& found = value(name);
  if (const Device* held = found.get_if<Device>()) return *held;
  wrong(name, "a device", found);
}

const std::vector<Value>& Arguments::items(std::string_view name) {
  const Value& found = value(name);
  if (const List* held = found.get_if<List>()) return held->items;
  if (const Tuple* held = found.get_if<Tuple>()) return held->items;
  wrong(name, "a list", found);
}

std::vector<std::int64_t> Arguments::integers(std::string_view name) {
  std::vector<std::int64_t> numbers;
  for (const Value& item : items(name)) {
    const auto* held = item.get_if<std::int64_t>();
    if (held == nullptr) wrong(name, "a list of ints", item);
    numbers.push_back(*held);
  }
  return numbers;
}

const std::string& Arguments::ref(std::string_view name) {
  const Value& found = value(name);
  if (const Ref* held = found.get_if<Ref>()) return held->name;
  wrong(name, "a reference", found);
}

void Arguments::done() const {
  std::uint64_t bit = 1;
  for (const auto& [name, value] : command_.with) {
    if ((read_ & bit) == 0)
      throw NotSupported(command_.verb + " has no argument '" + name + "' here");
    bit <<= 1;
  }
}

}  // namespace assay
