// Tests of the description of a machine; the properties of this one are unknown to a test.
#include "harness/measure/machine.hpp"

#include <gtest/gtest.h>

namespace assay::measure {
namespace {

TEST(Machine, ThisOneHasCoresAndAKernelWithoutItsBuildersSuffix) {
  const Machine machine = this_machine();

  EXPECT_GE(machine.cores, 1U);
  EXPECT_FALSE(machine.cpu.empty());
  EXPECT_TRUE(machine.kernel.starts_with("Linux "));
  EXPECT_EQ(machine.kernel.find('-'), std::string::npos);
  EXPECT_FALSE(machine.virtualization.empty());
}

TEST(Machine, IsDescribedByWhatMatters) {
  Machine machine;
  machine.cpu = "Some CPU";
  machine.cores = 1;
  machine.virtualization = "none";
  EXPECT_EQ(described(machine), "Some CPU, 1 core");

  machine.cores = 8;
  machine.smt = true;
  machine.virtualization = "kvm";
  EXPECT_EQ(described(machine), "Some CPU, 8 cores, SMT, virtual (kvm)");
}

}  // namespace
}  // namespace assay::measure
