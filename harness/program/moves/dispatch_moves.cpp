// Moves of the area dispatch, all themes together.
#include <vector>

#include "harness/program/moves/dispatch_parts.hpp"

namespace assay {

std::span<const Move> dispatch_moves() {
  static const std::vector<Move> kAll = [] {
    std::vector<Move> all;
    for (const auto part :
         {dispatch_registration_moves(), dispatch_library_moves(), dispatch_call_moves(),
          dispatch_key_moves(), dispatch_tensor_moves(), dispatch_tls_moves(),
          dispatch_schema_moves(), dispatch_ask_moves(), dispatch_watch_moves()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace assay
