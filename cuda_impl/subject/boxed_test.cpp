// Boxed values: kinds, sharing, and what cannot be taken out.
#include "cuda_impl/subject/boxed.hpp"

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
  return ErrorKind::kKey;  // nothing here raises that
}

TEST(Boxed, KnowsItsKind) {
  EXPECT_EQ(Boxed().kind(), "None");
  EXPECT_EQ(Boxed(Scalar(7)).kind(), "Int");
  EXPECT_EQ(Boxed(Scalar(true)).kind(), "Bool");
  EXPECT_EQ(Boxed(Tensor()).kind(), "Tensor");
  EXPECT_EQ(Boxed(std::make_shared<BoxedTuple>()).kind(), "Tuple");
}

TEST(Boxed, IsNotTakenOutAsSomethingElse) {
  EXPECT_EQ(refusal(Boxed(Scalar(7)), "Double"), ErrorKind::kInternal);
  EXPECT_EQ(refusal(Boxed(), "Tensor"), ErrorKind::kError);
  EXPECT_EQ(refusal(Boxed(Scalar(7)), "Int"), ErrorKind::kKey);
  EXPECT_THROW(Boxed(std::string("word")).to_scalar(), Error);
  EXPECT_EQ(Boxed(Scalar(1.5)).to_scalar().real(), 1.5);
}

TEST(Boxed, CopiesShareTheirList) {
  const Boxed list(std::make_shared<BoxedItems>());
  const Boxed copy = list;

  list.push(Boxed(Scalar(1)));

  EXPECT_EQ(std::get<std::shared_ptr<BoxedItems>>(copy.payload())->items.size(), 1u);
  EXPECT_THROW(Boxed().push(Boxed()), Error);
}

TEST(Boxed, IsNoneAfterAMove) {
  Boxed from(Scalar(7));
  const Boxed to = std::move(from);

  EXPECT_EQ(from.kind(), "None");  // NOLINT: this is what is tested
  EXPECT_EQ(to.kind(), "Int");
}

}  // namespace
}  // namespace assay::cuda
