// Writes the snippets' PTX to the file given on the command line.
#include <fstream>
#include <iostream>

#include "cuda_impl/on_cpu/ptx/tests/snippets/snippet.hpp"

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "Usage: assay-ptx-snippets OUTPUT.ptx\n";
    return 2;
  }
  namespace snippets = assay::cuda::on_cpu::ptx::snippets;
  std::ofstream output(words[1]);
  output << snippets::module_of(snippets::all_snippets()) << std::flush;
  return output ? 0 : 1;
}
