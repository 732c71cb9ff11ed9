// The reference with one fault switched on.
#include "harness/cli/mutant/mutant.hpp"
#include "reference/subject/mutant.hpp"

int main(int argc, char** argv) {
  return assay::mutant::run({"assay-mutant", "reference", assay::reference::make_mutant}, argc,
                            argv);
}
