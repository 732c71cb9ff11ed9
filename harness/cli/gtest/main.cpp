// assay_gtest: runs the cases on the reference as GoogleTests.
#include <utility>

#include "harness/subjects/connect.hpp"
#include "harness/suite/gtest/register.hpp"

int main(int argc, char** argv) {
  assay::ConnectedSubject reference = assay::connect("reference", {});
  assay::RunnerOptions options;
  options.support = reference.support;
  assay::Runner runner(*reference.link, std::move(options));
  return assay::run_with_gtest(runner, argc, argv);
}
