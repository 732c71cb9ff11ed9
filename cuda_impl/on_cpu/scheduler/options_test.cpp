// Options: valid and invalid environment variables.
#include "cuda_impl/on_cpu/scheduler/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace assay::cuda::on_cpu {
namespace {

/// Sets a variable of the environment while it lives.
class WithVariable {
 public:
  WithVariable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~WithVariable() { unsetenv(name_); }
  WithVariable(const WithVariable&) = delete;
  WithVariable& operator=(const WithVariable&) = delete;

 private:
  const char* name_;
};

std::string refusal_of(const char* name, const char* value) {
  const WithVariable with(name, value);
  try {
    options_from_environment();
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "not refused";
}

TEST(OptionsFromTheEnvironment, AreTheDefaultsWhereItSaysNothing) {
  const Options options = options_from_environment();

  EXPECT_EQ(options.order, Order::forward);
  EXPECT_EQ(options.seed, 1);
  EXPECT_EQ(options.workers, 0);
  EXPECT_TRUE(options.poison);
}

TEST(OptionsFromTheEnvironment, AreWhatItSays) {
  const WithVariable order("ASSAY_ON_CPU_ORDER", "shuffled");
  const WithVariable seed("ASSAY_ON_CPU_SEED", "18446744073709551615");
  const WithVariable workers("ASSAY_ON_CPU_WORKERS", "3");

  const Options options = options_from_environment();

  EXPECT_EQ(options.order, Order::shuffled);
  EXPECT_EQ(options.seed, 18446744073709551615u);
  EXPECT_EQ(options.workers, 3);
}

TEST(OptionsFromTheEnvironment, ThatCannotBeAreRefused) {
  EXPECT_EQ(refusal_of("ASSAY_ON_CPU_ORDER", "backward"),
            "ASSAY_ON_CPU_ORDER is 'backward'; expected forward, reverse or shuffled");
  EXPECT_EQ(refusal_of("ASSAY_ON_CPU_SEED", "-1"),
            "ASSAY_ON_CPU_SEED is '-1'; expected a number from 0 to 2^64 - 1");
  EXPECT_EQ(refusal_of("ASSAY_ON_CPU_SEED", ""),
            "ASSAY_ON_CPU_SEED is ''; expected a number from 0 to 2^64 - 1");
  EXPECT_EQ(refusal_of("ASSAY_ON_CPU_WORKERS", "2 "),
            "ASSAY_ON_CPU_WORKERS is '2 '; expected a number from 0 to 2^32 - 1");
  EXPECT_EQ(refusal_of("ASSAY_ON_CPU_WORKERS", "4294967296"),
            "ASSAY_ON_CPU_WORKERS is '4294967296'; expected a number from 0 to 2^32 - 1");
}

}  // namespace
}  // namespace assay::cuda::on_cpu
