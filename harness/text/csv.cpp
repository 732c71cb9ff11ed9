// Quotes fields.
#include "harness/text/csv.hpp"

#include "harness/protocol/utf8.hpp"
#include "harness/text/neutral.hpp"

namespace assay {
namespace {

bool opens_a_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

}  // namespace

std::string for_csv(std::string_view text) {
  std::string field = opens_a_formula(text) ? "'" : "";
  field += without_ci_commands(printable(text));
  if (field.find_first_of("\",\n\r") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace assay
