// All moves of the area dispatch.
#include <array>
#include <vector>

#include "harness/program/moves/dispatch_parts.hpp"
#include "harness/program/moves/table.hpp"

namespace assay {
namespace {

constexpr std::array kKinds = {
    DrawKind{"name", [](Draft& draft) -> Value { return some_name(draft); }},
    DrawKind{"op", [](Draft& draft) -> Value { return some_op(draft); }},
    DrawKind{"key", [](Draft& draft) -> Value { return any_key(draft); }},
    DrawKind{"alias", [](Draft& draft) -> Value { return any_alias(draft); }},
    DrawKind{"thread_key", [](Draft& draft) -> Value { return key_for_threads(draft.random()); }},
};

}  // namespace

std::span<const Move> dispatch_moves() {
  static const std::vector<Move> kAll = [] {
    std::vector<Move> all;
    for (const auto part :
         {dispatch_registration_moves(), dispatch_library_moves(), dispatch_call_moves(),
          dispatch_key_moves(), dispatch_tensor_moves(), dispatch_tls_moves(),
          dispatch_schema_moves(), dispatch_ask_moves(), dispatch_watch_moves()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return with_table("dispatch", kKinds, all);
  }();
  return kAll;
}

}  // namespace assay
