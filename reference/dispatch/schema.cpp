// Questions about schemas.
#include "reference/dispatch/schema.hpp"

#include <algorithm>

#include "reference/core/fault.hpp"

namespace assay::reference {
namespace {

bool any_write(const AliasInfo& alias) {
  return alias.write || std::ranges::any_of(alias.contained, any_write);
}

}  // namespace

bool AliasInfo::operator==(const AliasInfo& other) const {
  return write == other.write && before == other.before && after == other.after &&
         contained == other.contained;
}

bool SchemaArgument::is_written() const { return alias && any_write(*alias); }

bool FunctionSchema::is_mutable() const {
  return std::ranges::any_of(arguments, &SchemaArgument::is_written);
}

}  // namespace assay::reference
