// Libraries: groups of registrations with a common lifetime (DSP-401 to DSP-413).
#pragma once

#include <memory>
#include <optional>
#include <string>
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

}  // namespace assay::cuda::dispatch
