// The reference with one fault enabled.
#include "harness/cli/mutant/mutant.hpp"
#include "reference/subject/reference_subject.hpp"

int main(int argc, char** argv) {
  const auto make = [](const std::string&) { return assay::reference::make_subject(); };
  return assay::mutant::run({"assay-mutant", "reference", make}, argc, argv);
}
