// Registration blocks for one namespace: DEF, FRAGMENT and IMPL; operator definitions with an
// optional kernel, key and inferred schema.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

/// The parameters of a definition besides the schema.
struct DefOptions {
  std::optional<Kernel> kernel = {};
  std::string kernel_debug = {};
  std::optional<DispatchKey> key = {};  ///< of the kernel
  std::optional<AliasKind> alias_kind = {};
  std::vector<std::string> tags = {};
  std::string at = {};
};

using SchemaOrName = std::variant<OperatorName, FunctionSchema>;

/// DSP-407. Without a schema, infers it from the kernel's signature (DSP-313). If the kernel is
/// rejected, the definition is removed; in compat mode it is moved to `kept`.
Registration define_operator(Dispatcher& dispatcher, const SchemaOrName& what,
                             const DefOptions& options, Registration& kept);

enum class LibraryKind : std::uint8_t { kDef, kImpl, kFragment };

/// PyTorch's name of the block kind, followed by the clauses': `TORCH_LIBRARY_IMPL (IMPL)`.
std::string name_of(LibraryKind kind);

struct LibraryOptions {
  LibraryKind kind = LibraryKind::kDef;
  std::string name_space;
  std::optional<DispatchKey> key = {};
  std::string at = {};  ///< the place of the block, for messages
};

/// A library's registration ends with its handle or with the library, whichever comes first.
using SharedRegistration = std::shared_ptr<Registration>;

/// DSP-401 to DSP-407. Error messages end with the block's kind and place (DSP-403). A moved-from
/// library has no effect.
class Library {
 public:
  Library(Dispatcher& dispatcher, LibraryOptions options);
  ~Library() { reset(); }
  Library(Library&&) noexcept = default;
  /// Removes its present registrations first.
  Library& operator=(Library&& other) noexcept;

  /// `text` is a schema, or only a name if the kernel has a signature.
  SharedRegistration define(const std::string& text, const DefOptions& options);
  SharedRegistration impl(const std::string& name, std::optional<DispatchKey> key,
                          const Kernel& kernel, const std::string& debug);
  SharedRegistration fallback(std::optional<DispatchKey> key, const Kernel& kernel,
                              const std::string& debug);
  /// Removes all registrations and releases the namespace.
  void reset();

 private:
  SharedRegistration hold(Registration registration);
  template <typename Work>
  auto in_block(const Work& work) const;
  void open();
  OperatorName qualified(OperatorName name) const;
  std::optional<DispatchKey> key_for(std::optional<DispatchKey> given) const;

  /// Null after a move.
  std::unique_ptr<const LibraryOptions> options_;
  Dispatcher* dispatcher_;
  std::vector<SharedRegistration> held_;
};

}  // namespace assay::reference
