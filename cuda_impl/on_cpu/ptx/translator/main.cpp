// assay-ptx: translates one PTX file to one C++ file.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"
#include "cuda_impl/on_cpu/ptx/translator/translate.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

constexpr const char* kHelp =
    "Usage: assay-ptx INPUT.ptx -o OUTPUT.cpp [--source-root FOLDER]\n"
    "Translates PTX as nvcc writes it to C++ that runs on the CPU. What it does not know for sure\n"
    "stops it: line, text and what is unknown.\n"
    "  -o OUTPUT.cpp          the file to write\n"
    "  --source-root FOLDER   say lines of files below it where others were inlined into them\n"
    "  --help                 this text\n";

struct Arguments {
  std::string input;
  std::string output;
  TranslationOptions options;
};

/// Empty names if an argument is missing or superfluous.
Arguments parse_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool has_value = i + 1 < words.size();
    if (words[i] == "-o" && has_value) {
      arguments.output = words[++i];
    } else if (words[i] == "--source-root" && has_value) {
      arguments.options.source_root = words[++i];
    } else if (words[i].starts_with('-') || !arguments.input.empty()) {
      return {};
    } else {
      arguments.input = words[i];
    }
  }
  return arguments;
}

int run(const Arguments& arguments) {
  std::ifstream input(arguments.input, std::ios::binary);
  const std::string ptx{std::istreambuf_iterator<char>(input), {}};
  if (!input) {
    std::cerr << "assay-ptx: cannot read " << arguments.input << "\n";
    return 1;
  }
  std::string text;
  try {
    text = translate(ptx, arguments.options);
  } catch (const Refusal& refusal) {
    std::cerr << arguments.input << ": " << refusal.what() << "\n";
    return 1;
  }
  std::ofstream output(arguments.output, std::ios::binary);
  output << text << std::flush;
  if (!output) {
    std::cerr << "assay-ptx: cannot write " << arguments.output << "\n";
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace assay::cuda::on_cpu::ptx

int main(int count, char** words) {
  namespace ptx = assay::cuda::on_cpu::ptx;
  const std::vector<std::string> given(words + 1, words + count);
  if (given == std::vector<std::string>{"--help"}) {
    std::cout << ptx::kHelp;
    return 0;
  }
  const auto arguments = ptx::parse_arguments(given);
  if (arguments.input.empty() || arguments.output.empty()) {
    std::cerr << ptx::kHelp;
    return 2;
  }
  return ptx::run(arguments);
}
