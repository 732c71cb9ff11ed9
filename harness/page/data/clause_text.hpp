// Renders a clause's Markdown as markup: paragraphs, lists, preformatted tables, `code`.
#pragma once

#include <string_view>

#include "harness/page/markup/markup.hpp"
#include "harness/suite/clauses.hpp"

namespace assay::page {

/// The clause without its heading.
Markup clause_body(const Clause& clause);

/// Renders code in backquotes and strong text between double stars; the rest is plain text.
Markup inline_markdown(std::string_view text);

}  // namespace assay::page
