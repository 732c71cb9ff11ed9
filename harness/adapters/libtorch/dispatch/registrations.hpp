// What the client names of a registration: PyTorch's own handles and libraries.
#pragma once

#include <ATen/core/dispatch/RegistrationHandleRAII.h>
#include <torch/library.h>

#include <optional>
#include <string>

#include "harness/adapters/libtorch/call.hpp"

namespace assay::libtorch {

/// A registration that is not in a library of the client's: a handle of the dispatcher's, or a
/// library for it alone. Dropping it deregisters.
struct NamedRegistration {
  std::optional<c10::RegistrationHandleRAII> handle;
  std::optional<torch::Library> library;
};

/// What was registered in a library ends with it.
struct InLibrary {};

/// `dispatch.library` makes one; empty once it was reset.
struct NamedLibrary {
  std::optional<torch::Library> library;
  std::string name_space;
};

/// `file:line` as PyTorch takes it; the text of the file lives as long as this process.
struct Place {
  const char* file;
  std::uint32_t line;
};
Place place_argument(Call& call);

/// The library argument. Throws InvalidArgument when it was reset.
torch::Library& library_argument(Call& call);

}  // namespace assay::libtorch
