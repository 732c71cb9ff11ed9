// Boxed values: failed conversions and lifetimes.
#include "cuda_impl/core/boxed.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

ErrorKind refusal(const Boxed& boxed, std::string_view kind) {
  try {
    boxed.expect(kind);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::kKey;  // no function under test raises this
}

TEST(Boxed, IsNotTakenOutAsSomethingElse) {
  EXPECT_EQ(refusal(Boxed(Scalar(7)), "Double"), ErrorKind::kInternal);
  EXPECT_EQ(refusal(Boxed(), "Tensor"), ErrorKind::kError);
  EXPECT_EQ(refusal(Boxed(Scalar(7)), "Int"), ErrorKind::kKey);
  EXPECT_THROW(Boxed(std::string("word")).to_scalar(), Error);
  EXPECT_EQ(Boxed(Scalar(1.5)).to_scalar().real(), 1.5);
}

TEST(Boxed, IsNoneAfterAMove) {
  Boxed from(Scalar(7));
  const Boxed to = std::move(from);

  EXPECT_EQ(from.kind(), BoxedKind::kNone);  // NOLINT: tests the moved-from state
  EXPECT_EQ(to.kind(), BoxedKind::kInt);
}

TEST(Boxed, KeepsATensorAlive) {
  const Tensor tensor(Counted<TensorBody>::make());
  Boxed first(tensor);
  Boxed second = first;
  EXPECT_EQ(tensor.body().use_count(), 3);

  second = Boxed(std::int64_t{5});
  const Boxed third = std::move(first);

  EXPECT_EQ(tensor.body().use_count(), 2);
  EXPECT_TRUE(third.tensor().is_same(tensor));
  EXPECT_EQ(second.integer(), 5);
}

}  // namespace
}  // namespace assay::cuda
