// The layout of keys in the bits of a key set, and the keys of aliases: the part of the model that
// handles names.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/clients/dispatch.hpp"

namespace assay::suites {

/// A key with its own slot. `backend` is -1 for a functionality without backends.
struct RuntimeKey {
  int functionality = 0;
  int backend = -1;
  bool operator==(const RuntimeKey&) const = default;
};

/// DSP-101 to DSP-108 and DSP-112, computed only from the two lists of names.
class Layout {
 public:
  Layout(KeyLists lists, Release release);

  Release release() const { return release_; }
  /// All keys with a slot, in slot order, `Undefined` first.
  const std::vector<std::string>& runtime_keys() const { return runtime_keys_; }
  bool is_runtime(const std::string& key) const { return by_name_.contains(key); }
  bool is_per_backend(int functionality) const;
  const std::vector<std::string>& backends() const { return lists_.backends; }

  std::string name_of(RuntimeKey key) const;
  RuntimeKey parse(const std::string& key) const { return by_name_.at(key); }

  KeyBits bits_of(const std::string& key) const;
  KeyBits union_of(const std::vector<std::string>& keys) const;
  KeyBits backend_bits() const;
  /// The bit of a functionality, or 0 if the contract has none with that name.
  KeyBits functionality_bit(const std::string& functionality) const;

  /// The key to which a set is dispatched. A functionality without a backend bit uses the first.
  std::string highest(KeyBits set) const;
  /// The index of the highest backend bit, 0 if there is none.
  int highest_backend(KeyBits set) const;

  /// DSP-106. Not for `Undefined`.
  bool alias_has(std::string_view alias, const std::string& key) const;
  /// DSP-107, for the backend component of `key`, if any.
  std::string autograd_of(const std::string& key) const;
  bool is_autograd(const std::string& key) const;
  /// True if `key` belongs to the backends' aliases (DSP-106, B).
  bool is_backend_key(const std::string& key) const;
  /// The keys that a new thread includes (DSP-209).
  KeyBits included_by_default() const;
  /// All keys below that key's functionality, and PythonDispatcher (DSP-115).
  KeyBits full_after(const std::string& key) const;
  /// The same for the lowest autograd key.
  KeyBits after_autograd() const;

 private:
  std::string functionality_of(const std::string& key) const;

  KeyLists lists_;
  Release release_;
  std::vector<std::string> runtime_keys_;
  std::map<std::string, RuntimeKey> by_name_;
};

/// The layout of this session's contract. The lists of names come from the subject; other cases
/// compare them with the clauses.
Layout layout_of(Session& subject);

}  // namespace assay::suites
