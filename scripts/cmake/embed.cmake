# Writes a C++ file that holds the given texts as raw string literals. Run by assay_embed.
string(REPLACE "|" ";" FILES "${FILES}")
set(rows "")
foreach(file IN LISTS FILES)
  file(READ ${FOLDER}/${file} text)
  string(APPEND rows "    {\"${file}\", R\"EMBEDDED(${text})EMBEDDED\"sv},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated: texts compiled into the program.
#include <string_view>

#include \"harness/protocol/embedded.hpp\"

namespace assay {
namespace {

using namespace std::string_view_literals;  // their lengths are known: clang refuses to count so far

constexpr EmbeddedFile kFiles[] = {
${rows}};

}  // namespace

std::span<const EmbeddedFile> ${SYMBOL}() { return kFiles; }

}  // namespace assay
")
