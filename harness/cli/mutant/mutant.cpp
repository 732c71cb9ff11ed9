// Enables a fault and serves commands.
#include "harness/cli/mutant/mutant.hpp"

#include <cstdio>

#include "harness/cli/mutant/switch.hpp"
#include "harness/subject/serve.hpp"
#include "harness/suite/faults.hpp"

namespace assay::mutant {
namespace {

int list(const Program& program) {
  for (const Fault& fault : all_faults(program.subject)) std::puts(fault.name.c_str());
  return 0;
}

int refuse(const Program& program, const std::string& fault) {
  std::fprintf(stderr, "%s: unknown fault '%s'; --list names them\n", program.name.c_str(),
               fault.c_str());
  return 2;
}

}  // namespace

int run(const Program& program, int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s <fault> | --none | --list\n", program.name.c_str());
    return 2;
  }
  const std::string fault = argv[1];
  if (fault == "--list") return list(program);
  if (fault == kNoFault) return serve(*program.make(""));
  if (find_fault(fault, program.subject) == nullptr) return refuse(program, fault);

  plant(fault);
  return serve(*program.make(fault));
}

}  // namespace assay::mutant
