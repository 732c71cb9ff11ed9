// What is known of each functionality and backend: names, and the releases that have them.
#pragma once

#include <string_view>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/dispatch/keys/key.hpp"

namespace assay::cuda::dispatch {

struct FunctionalityFacts {
  std::string_view name;
  bool is_per_backend = false;
  /// What stands before the backend in the names of its keys.
  std::string_view prefix = {};
  Release since = Release::k1_13;
  Release until = Release::k2_11;

  bool is_in(Release release) const { return since <= release && release <= until; }
};

const FunctionalityFacts& facts(Functionality functionality);
/// Empty for none.
std::string_view name_of(Backend backend);

}  // namespace assay::cuda::dispatch
