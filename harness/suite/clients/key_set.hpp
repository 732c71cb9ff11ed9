// A key set as an argument of commands.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "harness/protocol/value.hpp"

namespace assay {

/// The bits of a key set, in the layout of the contract.
using KeyBits = std::uint64_t;

/// A key set as an argument: its bits, or keys to be united.
class KeySet {
 public:
  KeySet(KeyBits bits) : value_(static_cast<std::int64_t>(bits)) {}
  KeySet(const char* key) : KeySet(std::vector<std::string>{key}) {}
  KeySet(const std::string& key) : KeySet(std::vector<std::string>{key}) {}
  KeySet(const std::vector<std::string>& keys);
  KeySet(std::initializer_list<std::string> keys) : KeySet(std::vector<std::string>(keys)) {}
  operator Value() const { return value_; }

 private:
  Value value_;
};

}  // namespace assay
