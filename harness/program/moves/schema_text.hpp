// Random texts of schemas, right and wrong.
#pragma once

#include <string>

#include "harness/program/random.hpp"

namespace assay {

/// By the grammar, with something wrong here and there.
std::string random_schema(Random& random);

/// Two that fit each other, or nearly.
struct SchemaPair {
  std::string declared;
  std::string inferred;
};
SchemaPair random_schema_pair(Random& random);

}  // namespace assay
