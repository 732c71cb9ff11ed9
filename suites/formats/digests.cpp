// Reads the digests compiled into the program.
#include "suites/formats/digests.hpp"

#include <sstream>
#include <stdexcept>
#include <string>

namespace assay::suites {
namespace {

ExpectedDigests read_sweep(std::string_view text, std::string_view sweep) {
  std::istringstream input{std::string(text)};
  std::string word;
  ExpectedDigests found;
  bool inside = false;
  while (input >> word) {
    if (word == "#") {
      std::getline(input, word);
    } else if (word == "sweep") {
      std::string name;
      std::uint64_t block = 0;
      input >> name >> word >> block;
      inside = name == sweep;
      if (inside) found.block = block;
    } else if (inside) {
      found.crc.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
    }
  }
  return found;
}

}  // namespace

ExpectedDigests digests_in(std::span<const EmbeddedFile> files, std::string_view file,
                           std::string_view sweep) {
  for (const EmbeddedFile& embedded : files) {
    if (embedded.name != file) continue;
    ExpectedDigests found = read_sweep(embedded.text, sweep);
    if (!found.crc.empty()) return found;
  }
  throw std::logic_error("no digests of " + std::string(sweep) + " in " + std::string(file));
}

}  // namespace assay::suites
