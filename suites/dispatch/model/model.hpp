// A small model of dispatch: which kernel a call reaches. The rule of the table (DSP-501 to
// DSP-505), fallthrough masks (DSP-513) and key computation (DSP-208), coded a second time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "suites/dispatch/layout.hpp"

namespace assay::suites {

/// What a slot of an operator's table holds.
struct TableEntry {
  enum class Kind { kMissing, kKernel, kFallthrough, kAmbiguous, kHop };
  Kind kind = Kind::kMissing;
  std::string label;  ///< of a kernel
  bool operator==(const TableEntry&) const = default;
};

/// Where a call ends.
struct Reached {
  TableEntry entry;
  std::string key;   ///< the one that it was chosen by
  KeyBits keys = 0;  ///< the set that the kernel gets
  std::optional<ErrorKind> error;

  /// The kernel's label, or the word for the error.
  std::string text() const;
};

struct CallKeys {
  KeyBits args = 0;
  KeyBits included = 0;
  KeyBits excluded = 0;
};

class Model {
 public:
  Model(Layout layout, Contract contract);

  const Layout& layout() const { return *layout_; }
  bool is_strict() const { return contract_.strict(); }

  /// Registers a kernel; an empty key is the catch-all. The number takes it back.
  int add(const std::string& op, const std::string& key, TableEntry kernel);
  /// The same for a key of every operator. A key must not have two at once.
  int add_fallback(const std::string& key, TableEntry kernel);
  void remove(int registration);
  /// An operator has a schema unless told otherwise.
  void set_schema(const std::string& op, bool has_one);
  bool has_fallback(const std::string& key) const { return newest("", key) != nullptr; }

  /// By the rule, now.
  TableEntry computed(const std::string& op, const std::string& key) const;
  /// What calls see: where PyTorch forgets to refresh (DSP-509), what it has not refreshed.
  TableEntry live(const std::string& op, const std::string& key) const;

  Reached call(const std::string& op, const CallKeys& keys) const;
  Reached redispatch(const std::string& op, KeyBits keys) const;
  /// What is left of the union of all keys (DSP-208, DSP-513).
  KeyBits effective(const std::string& op, const CallKeys& keys) const;

 private:
  struct Registration {
    int number = 0;
    TableEntry kernel;
  };
  /// Of one operator, or, under the empty name, fallbacks: by key, the newest last.
  using Kernels = std::map<std::string, std::vector<Registration>>;
  using Table = std::map<std::string, TableEntry>;
  using Tables = std::map<std::string, Table>;

  const TableEntry* newest(const std::string& op, const std::string& key) const;
  bool has_backend_kernel(const std::string& op, const std::string& autograd_key) const;
  bool has_tied_kernel(const std::string& op, const std::string& autograd_key) const;
  bool tied(const std::string& autograd_key, const std::string& key) const;
  std::optional<TableEntry> composite(const std::string& op, const std::string& key) const;
  KeyBits unmasked(const std::string& op, int backend, KeyBits set) const;
  bool stale(const std::string& op) const;
  void refresh(const std::string& op, const std::string& key);
  void refresh_around(const std::string& op, const std::string& key);
  void refresh_for(const std::string& op, const std::string& key);

  std::shared_ptr<const Layout> layout_;
  Contract contract_;
  int next_ = 1;
  std::map<std::string, Kernels> kernels_;  ///< no list is empty
  std::set<std::string> without_schema_;
  Tables tables_;  ///< as PyTorch keeps them; only in compat
};

/// A model that knows the fallbacks which this subject brings along.
Model model_of(Session& subject);

}  // namespace assay::suites
