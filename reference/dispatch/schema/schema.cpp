// Member functions of schemas.
#include "reference/dispatch/schema/schema.hpp"

#include <algorithm>

namespace assay::reference {

bool AliasInfo::operator==(const AliasInfo& other) const {
  return write == other.write && before == other.before && after == other.after &&
         contained == other.contained;
}

bool SchemaArgument::is_written() const { return alias && alias->write; }

bool FunctionSchema::is_mutable() const {
  return std::ranges::any_of(arguments, &SchemaArgument::is_written);
}

}  // namespace assay::reference
