// Random schema texts, valid and invalid.
#pragma once

#include <string>

#include "harness/program/random.hpp"

namespace assay {

/// Follows the grammar, with occasional errors.
std::string random_schema(Random& random);

/// Two schemas that match or nearly match.
struct SchemaPair {
  std::string declared;
  std::string inferred;
};
SchemaPair random_schema_pair(Random& random);

}  // namespace assay
