// Registers the models of suites.
#include "harness/program/program_model.hpp"

#include <algorithm>

namespace assay {
namespace {

struct Added {
  std::string area;
  MakeProgramModel make = nullptr;
};

std::vector<Added>& added() {
  static std::vector<Added> instance;
  return instance;
}

}  // namespace

bool add_program_model(std::string_view area, MakeProgramModel make) {
  added().push_back({std::string(area), make});
  return true;
}

std::vector<std::unique_ptr<ProgramModel>> program_models(const std::vector<std::string>& areas) {
  std::vector<std::unique_ptr<ProgramModel>> made;
  for (const Added& one : added()) {
    if (std::ranges::find(areas, one.area) != areas.end()) made.push_back(one.make());
  }
  return made;
}

}  // namespace assay
