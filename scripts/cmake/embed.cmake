# Writes a C++ file that holds the given texts as raw string literals. Run by assay_embed.
string(REPLACE "|" ";" FILES "${FILES}")
set(rows "")
foreach(file IN LISTS FILES)
  file(READ ${FOLDER}/${file} text)
  string(APPEND rows "    {\"${file}\", R\"EMBEDDED(${text})EMBEDDED\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated: texts compiled into the program.
#include <array>
#include \"harness/protocol/embedded.hpp\"

namespace assay {
namespace {

constexpr EmbeddedFile kFiles[] = {
${rows}};

}  // namespace

std::span<const EmbeddedFile> ${SYMBOL}() { return kFiles; }

}  // namespace assay
")
