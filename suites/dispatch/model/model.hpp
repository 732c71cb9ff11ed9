// A model of dispatch that predicts the kernel of a call. An independent implementation of the
// table (DSP-501 to DSP-505), fallthrough masks (DSP-513) and key computation (DSP-208).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "suites/dispatch/layout.hpp"

namespace assay::suites {

/// The contents of a slot in an operator's table.
struct TableEntry {
  enum class Kind { kMissing, kKernel, kFallthrough, kAmbiguous, kHop };
  Kind kind = Kind::kMissing;
  std::string label;  ///< label of a kernel
  bool operator==(const TableEntry&) const = default;
};

/// The kernel or error that a call reaches.
struct ExpectedCall {
  TableEntry entry;
  std::string key;   ///< the key that selected it
  KeyBits keys = 0;  ///< the set passed to the kernel
  std::optional<ErrorKind> error;

  /// The kernel's label, or the name of the error.
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

  /// Registers a kernel; an empty key is the catch-all. The returned number removes it.
  int add(const std::string& op, const std::string& key, TableEntry kernel);
  /// The same for all operators. A key may have only one at a time.
  int add_fallback(const std::string& key, TableEntry kernel);
  void remove(int registration);
  /// Operators have a schema by default.
  void set_schema(const std::string& op, bool has_one);
  bool has_fallback(const std::string& key) const { return newest("", key) != nullptr; }

  /// The entry that follows from the current registrations.
  TableEntry computed(const std::string& op, const std::string& key) const;
  /// The entry that calls use, which may be stale if PyTorch does not refresh it (DSP-509).
  TableEntry live(const std::string& op, const std::string& key) const;

  ExpectedCall call(const std::string& op, const CallKeys& keys) const;
  ExpectedCall redispatch(const std::string& op, KeyBits keys) const;
  /// The union of all keys after masking (DSP-208, DSP-513).
  KeyBits effective(const std::string& op, const CallKeys& keys) const;

 private:
  struct Registration {
    int number = 0;
    TableEntry kernel;
  };
  /// The kernels of one operator (or fallbacks, for the empty name) by key, newest last.
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
  Tables tables_;  ///< as maintained by PyTorch; only under compat
};

/// A model with the subject's initial fallbacks.
Model model_of(Session& subject);

}  // namespace assay::suites
