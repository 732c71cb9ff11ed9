// Embedded files, so that the program does not depend on its sources.
#pragma once

#include <span>
#include <string_view>

namespace assay {

struct EmbeddedFile {
  std::string_view name;  ///< relative to the folder that embeds it
  std::string_view text;
};

/// The protocol's schema, one file per area: `areas/amp.json`, …
std::span<const EmbeddedFile> protocol_schema();

/// The texts of the clauses and `index.json`. Defined in assay_spec.
std::span<const EmbeddedFile> clause_texts();

}  // namespace assay
