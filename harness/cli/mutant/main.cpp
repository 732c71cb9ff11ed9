// The reference with one fault switched on, as a subject of its own: what every suite must catch.
#include <cstdio>
#include <string>

#include "harness/subject/serve.hpp"
#include "harness/suite/faults.hpp"
#include "reference/subject/mutant.hpp"

namespace {

int list() {
  for (const assay::Fault& fault : assay::all_faults()) std::puts(fault.name.c_str());
  return 0;
}

int refuse(const std::string& name) {
  std::fprintf(stderr, "assay-mutant: no fault is called '%s'; --list names them\n", name.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: assay-mutant <fault> | --list\n", stderr);
    return 2;
  }
  const std::string name = argv[1];
  if (name == "--list") return list();
  if (assay::find_fault(name) == nullptr) return refuse(name);

  const auto subject = assay::reference::make_mutant(name);
  return assay::serve(*subject);
}
