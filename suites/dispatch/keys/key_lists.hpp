// The keys of each release as listed in the clauses, and the bits and slots that follow from rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay::suites {

/// A key by its components: `AutogradCUDA` is AutogradFunctionality and CUDA.
struct ModelKey {
  std::string name;
  std::string functionality;
  std::string backend;  ///< empty for keys without a backend
};

/// An independent model of key sets and slots, computed only from lists of names.
class KeyModel {
 public:
  explicit KeyModel(Release release);

  const std::vector<std::string>& backends() const { return backends_; }
  /// Without Undefined.
  const std::vector<std::string>& functionalities() const { return functionalities_; }
  const std::vector<std::string>& per_backend() const { return per_backend_; }
  const std::vector<std::string>& aliases() const { return aliases_; }
  /// The keys with a slot, in the order of slots, starting at slot 1.
  const std::vector<ModelKey>& keys() const { return keys_; }
  std::int64_t slots() const { return static_cast<std::int64_t>(keys_.size()) + 1; }

  std::uint64_t backend_bit(const std::string& backend) const;
  std::uint64_t functionality_bit(const std::string& functionality) const;
  std::uint64_t set_of(const ModelKey& key) const;
  std::uint64_t all_backends() const;
  std::uint64_t full() const;
  bool is_per_backend(const std::string& functionality) const;
  bool has_backend(const std::string& name) const;
  bool has_functionality(const std::string& name) const;

  /// The keys whose bits are all in the set.
  std::vector<std::string> keys_in(std::uint64_t set) const;
  std::string highest_in(std::uint64_t set) const;

 private:
  std::vector<std::string> backends_;
  std::vector<std::string> functionalities_;
  std::vector<std::string> per_backend_;
  std::vector<std::string> aliases_;
  std::vector<ModelKey> keys_;
};

const KeyModel& key_model(Release release);

/// The name of a functionality's instance for a backend.
std::string instance_name(const std::string& functionality, const std::string& backend);

/// True if one of the texts equals it.
bool is_one_of(const std::vector<std::string>& texts, const std::string& text);

}  // namespace assay::suites
