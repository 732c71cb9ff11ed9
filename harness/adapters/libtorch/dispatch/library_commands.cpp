// Area dispatch: libraries.
#include <charconv>
#include <set>

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/dispatch/registrations.hpp"
#include "harness/adapters/libtorch/keys.hpp"

namespace assay::libtorch {
namespace {

torch::Library::Kind kind_argument(Call& call) {
  const std::string kind = call.arguments().text("kind");
  if (kind == "DEF") return torch::Library::DEF;
  if (kind == "IMPL") return torch::Library::IMPL;
  if (kind == "FRAGMENT") return torch::Library::FRAGMENT;
  throw InvalidArgument("dispatch.library: there is no kind '" + kind + "'");
}

c10::optional<c10::DispatchKey> library_key(Call& call) {
  const auto key = key_or_none(call, "key");
  return key ? c10::make_optional(*key) : c10::nullopt;
}

}  // namespace

void dispatch_library(Call& call) {
  auto made = std::make_shared<NamedLibrary>();
  made->name_space = call.arguments().text("namespace");
  const Place place = place_argument(call);
  made->library.emplace(kind_argument(call), made->name_space, library_key(call), place.file,
                        place.line);
  call.result(Object(std::move(made), "library"));
}

void dispatch_reset_library(Call& call) {
  call.held<NamedLibrary>("library", "library")->library.reset();
}

void dispatch_move_library(Call& call) {
  const auto from = call.held<NamedLibrary>("library", "library");
  auto made = std::make_shared<NamedLibrary>();
  made->name_space = from->name_space;
  made->library.emplace(std::move(library_argument(call)));
  call.result(Object(std::move(made), "library"));
}

void dispatch_assign(Call& call) {
  if (call.object("to").is<NamedLibrary>()) {
    const auto to = call.held<NamedLibrary>("to", "library");
    const auto from = call.held<NamedLibrary>("from", "library");
    if (!to->library || !from->library) throw InvalidArgument("the library was reset");
    *to->library = std::move(*from->library);
    return;
  }
  const auto to = call.held<NamedRegistration>("to", "registration");
  const auto from = call.held<NamedRegistration>("from", "registration");
  if (!to->handle || !from->handle)
    throw NotSupported("PyTorch has no handle of this registration");
  *to->handle = std::move(*from->handle);
}

Place place_argument(Call& call) {
  static std::set<std::string> files;
  const std::string at = call.arguments().text("at", "a client:0");
  const std::size_t colon = at.rfind(':');
  std::uint32_t line = 0;
  if (colon != std::string::npos) {
    std::from_chars(at.data() + colon + 1, at.data() + at.size(), line);
  }
  const auto [file, is_new] = files.insert(at.substr(0, colon));
  return {file->c_str(), line};
}

torch::Library& library_argument(Call& call) {
  const auto held = call.held<NamedLibrary>("library", "library");
  if (!held->library) throw InvalidArgument("the library was reset");
  return *held->library;
}

}  // namespace assay::libtorch
