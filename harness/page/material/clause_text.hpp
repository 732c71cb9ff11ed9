// A clause's Markdown as markup: paragraphs, lists, tables as they are written, `code`.
#pragma once

#include <string_view>

#include "harness/page/markup/markup.hpp"
#include "harness/suite/clauses.hpp"

namespace assay::page {

/// Without the clause's heading.
Markup clause_body(const Clause& clause);

/// Code in backquotes and strong words in pairs of stars; all else is text.
Markup inline_markdown(std::string_view text);

}  // namespace assay::page
