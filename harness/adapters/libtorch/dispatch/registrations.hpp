// Named registrations: PyTorch's handles and libraries.
#pragma once

#include <ATen/core/dispatch/RegistrationHandleRAII.h>
#include <torch/library.h>

#include <optional>
#include <string>

#include "harness/adapters/libtorch/call.hpp"

namespace assay::libtorch {

/// A registration outside of the client's libraries: a dispatcher handle, or a library of its own.
/// Dropping it deregisters.
struct NamedRegistration {
  std::optional<c10::RegistrationHandleRAII> handle;
  std::optional<torch::Library> library;
};

/// Ends with its library's registrations.
struct InLibrary {};

/// Made by `dispatch.library`; empty after a reset.
struct NamedLibrary {
  std::optional<torch::Library> library;
  std::string name_space;
};

/// `file:line` for PyTorch; the file name lives as long as the process.
struct Place {
  const char* file;
  std::uint32_t line;
};
Place place_argument(Call& call);

/// The library argument. Throws InvalidArgument if it was reset.
torch::Library& library_argument(Call& call);

}  // namespace assay::libtorch
