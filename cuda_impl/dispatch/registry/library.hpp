// Libraries: groups of registrations with a common lifetime (DSP-401 to DSP-413); native entries,
// and the fallbacks of a new dispatcher (DSP-511, DSP-512).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

using SharedRegistration = std::shared_ptr<Registration>;

/// A definition with an optional kernel.
struct DefineRequest {
  std::string text;  ///< a schema, or just a name if the kernel is typed
  std::string at;
  std::optional<Kernel> kernel = std::nullopt;
  std::string kernel_debug = {};
  std::optional<Key> key = std::nullopt;
  std::optional<AliasKind> alias_kind = std::nullopt;
  std::vector<std::string> tags = {};
};

/// Defines an operator without a library.
SharedRegistration define_operator(Dispatcher& dispatcher, const DefineRequest& request);

enum class LibraryKind : std::uint8_t { kDef, kImpl, kFragment };

struct LibraryOptions {
  LibraryKind kind = LibraryKind::kFragment;
  std::string namespace_name;
  std::optional<Key> key;
  std::string at;
};

/// A moved-from library does nothing. All error messages end with the library's origin.
class Library {
 public:
  Library(Dispatcher& dispatcher, LibraryOptions options);
  Library(Library&&) noexcept = default;
  Library& operator=(Library&& other) noexcept;
  ~Library() { reset(); }

  SharedRegistration define(const DefineRequest& request);
  SharedRegistration implement(const std::string& name, std::optional<Key> key,
                               const Kernel& kernel, const std::string& debug);
  SharedRegistration fall_back(std::optional<Key> key, const Kernel& kernel,
                               const std::string& debug);
  /// Removes its registrations.
  void reset();

 private:
  template <typename Work>
  auto in_block(const Work& work) const;
  void open();
  OperatorName qualified(OperatorName name) const;
  std::optional<Key> key_for(std::optional<Key> given) const;
  SharedRegistration hold(Registration registration);
  std::string kind_text() const;

  std::unique_ptr<const LibraryOptions> options_;
  Dispatcher* dispatcher_;
  std::vector<SharedRegistration> held_;
};

// Native entries: a schema and the names of its kernels, as in native_functions.yaml (DSP-422).

struct NativeEntry {
  std::string func;  ///< a schema; its default namespace is `native`
  std::vector<std::pair<Key, std::string>> dispatch;  ///< kernel names
  bool is_structured = false;
  std::string structured_delegate;  ///< the out variant; must be registered already
  bool checks_device = true;
};

struct NativeOperator {
  std::vector<Registration> registrations;
  std::vector<std::string> ops;  ///< `op@key`, sorted
};

/// Its kernels check the common device and return what is written, or else the first tensor.
NativeOperator register_entry(Dispatcher& dispatcher, const NativeEntry& entry);

void add_default_fallbacks(Dispatcher& dispatcher);

enum class AutogradFallback : std::uint8_t { kNothing, kWarn };
/// Sets the fallback of the autograd keys, for operators without an autograd kernel.
void set_autograd_fallback(Dispatcher& dispatcher, AutogradFallback mode);

}  // namespace assay::cuda::dispatch
