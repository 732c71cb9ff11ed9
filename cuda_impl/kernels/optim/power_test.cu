// Compares powers with exactly known values, on the host and on a device.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/core/storage.hpp"
#include "cuda_impl/kernels/optim/arithmetic.cuh"

namespace assay::cuda {

/// In a named namespace, because nvcc derives an anonymous one's name from the build path.
struct PowerQuestion {
  double base;
  double exponent;
};

__global__ void power_kernel(const PowerQuestion* questions, double* answers, int count) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) answers[i] = power(questions[i].base, questions[i].exponent);
}

namespace {

using Question = PowerQuestion;

std::vector<double> on_the_device(const std::vector<Question>& questions) {
  const std::size_t bytes = questions.size() * sizeof(Question);
  const Storage asked(cuda_device(0), bytes);
  const Storage answered(cuda_device(0), questions.size() * sizeof(double));
  cuda_check(cudaMemcpy(asked.data(), questions.data(), bytes, cudaMemcpyHostToDevice));
  launch(power_kernel, {.grid = 1, .block = 32}, reinterpret_cast<const Question*>(asked.data()),
         reinterpret_cast<double*>(answered.data()), static_cast<int>(questions.size()));
  std::vector<double> answers(questions.size());
  cuda_check(cudaMemcpy(answers.data(), answered.data(), answers.size() * sizeof(double),
                        cudaMemcpyDeviceToHost));
  return answers;
}

TEST(Power, OfDyadicNumbersIsExact) {
  EXPECT_EQ(power(0.5, 0.0), 1.0);
  EXPECT_EQ(power(0.5, 1.0), 0.5);
  EXPECT_EQ(power(0.75, 5.0), 243.0 / 1024);
  EXPECT_EQ(power(0.5, 1074.0), 0x1p-1074);
  EXPECT_EQ(power(0.5, -3.0), 8.0);
  EXPECT_EQ(power(0.0, 0.0), 1.0);
  EXPECT_EQ(power(0.0, 7.0), 0.0);
  EXPECT_EQ(power(0.25, 1.5), 0.125);
}

TEST(Power, IsThatOfTheLibraryToOneUnit) {
  for (const double base : {0.9, 0.999, 0.95, 0.1, 0.3}) {
    for (double exponent = 1; exponent < 0x1p24; exponent = std::floor(exponent * 1.7) + 1) {
      const double wanted = std::pow(base, exponent);
      if (wanted < 0x1p-1000) break;
      const double apart = std::fabs(power(base, exponent) - wanted);
      EXPECT_LE(apart, std::nextafter(wanted, 1) - wanted) << base << " ^ " << exponent;
    }
  }
}

TEST(Power, OfFloatsIsRoundedOnce) {
  for (const float base : {0.9f, 0.999f, 0.95f}) {
    for (float exponent = 1; exponent < 0x1p20f; exponent = std::floor(exponent * 1.3f) + 1) {
      const auto wanted = static_cast<float>(std::pow(double{base}, double{exponent}));
      EXPECT_EQ(power(base, exponent), wanted) << base << " ^ " << exponent;
    }
  }
}

TEST(Power, IsNanForInfiniteExponents) {
  EXPECT_TRUE(std::isnan(power(0.5, HUGE_VAL)));
  EXPECT_TRUE(std::isnan(power(0.5f, NAN)));
}

TEST(Power, IsTheSameOnADevice) {
  const std::vector<Question> questions = {{0.9, 1}, {0.999, 2},  {0.999, 12345}, {0.9, -1},
                                           {0.5, 0}, {0.25, 1.5}, {0.3, 2.25},    {0.95, 777}};

  const std::vector<double> answers = on_the_device(questions);

  for (std::size_t i = 0; i < questions.size(); ++i) {
    EXPECT_EQ(answers[i], power(questions[i].base, questions[i].exponent)) << "question " << i;
  }
}

}  // namespace
}  // namespace assay::cuda
