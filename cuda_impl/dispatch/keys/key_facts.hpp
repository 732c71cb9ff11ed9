// The names of functionalities and backends, and the releases that have them.
#pragma once

#include <string_view>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/dispatch/keys/key.hpp"

namespace assay::cuda::dispatch {

struct FunctionalityFacts {
  std::string_view name;
  bool is_per_backend = false;
  /// The prefix that precedes the backend in the names of the keys.
  std::string_view prefix = {};
  Release since = Release::k1_13;
  Release until = kNewestRelease;

  bool is_in(Release release) const { return since <= release && release <= until; }
};

const FunctionalityFacts& facts(Functionality functionality);
/// Empty for kNone.
std::string_view name_of(Backend backend);

}  // namespace assay::cuda::dispatch
