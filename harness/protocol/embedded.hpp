// Texts that are compiled into the program, so that it can be moved away from its sources.
#pragma once

#include <span>
#include <string_view>

namespace assay {

struct EmbeddedFile {
  std::string_view name;  ///< relative to the folder that embeds it
  std::string_view text;
};

/// The schema of the waist, one file an area: `areas/amp.json`, …
std::span<const EmbeddedFile> protocol_schema();

/// The texts of the clauses and `index.json`. Link assay_spec for it.
std::span<const EmbeddedFile> clause_texts();

}  // namespace assay
