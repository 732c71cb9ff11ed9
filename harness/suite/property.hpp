// What a subject's platform is like, whatever the subject's authors do: stated in `hello`. Cases
// that such a platform cannot pass are not judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class Property : std::uint8_t {
  kFlushesSubnormals,  ///< subnormal numbers become zero
  kBoolFlag,           ///< the flag of non-finite gradients is a bool, and no number
  kDoubleScale,        ///< the scale is kept in double
};

/// `flushes_subnormals`
std::string_view name_of(Property property);
std::optional<Property> property_named(std::string_view name);
std::vector<std::string> property_names();

/// `the platform flushes subnormals`
std::string_view in_words(Property property);

}  // namespace assay
