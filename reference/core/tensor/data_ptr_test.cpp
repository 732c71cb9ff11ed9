// CORE-24: the owner releases memory exactly once.
#include "reference/core/tensor/data_ptr.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace assay::reference {
namespace {

void count(void* context) { ++*static_cast<int*>(context); }
void count_twice(void* context) { *static_cast<int*>(context) += 2; }

TEST(DataPtr, cannot_be_copied) {
  EXPECT_FALSE(std::is_copy_constructible_v<DataPtr>);
  EXPECT_FALSE(std::is_copy_assignable_v<DataPtr>);
}

TEST(DataPtr, gives_the_context_back_once_however_often_it_moves) {
  int given_back = 0;
  {
    DataPtr first(nullptr, &given_back, count, kCpuDevice);
    DataPtr second(std::move(first));
    DataPtr third;
    third = std::move(second);

    EXPECT_EQ(given_back, 0);
  }

  EXPECT_EQ(given_back, 1);
}

TEST(DataPtr, gives_the_old_context_back_when_it_is_overwritten) {
  int old_one = 0;
  int new_one = 0;
  DataPtr pointer(nullptr, &old_one, count, kCpuDevice);

  pointer = DataPtr(nullptr, &new_one, count, cuda_device(1));

  EXPECT_EQ(old_one, 1);
  EXPECT_EQ(new_one, 0);
  EXPECT_EQ(pointer.device(), cuda_device(1));
}

TEST(DataPtr, never_gives_back_a_null_context) {
  const auto fail = [](void*) { ADD_FAILURE() << "the deleter ran for a null context"; };

  { DataPtr pointer(nullptr, nullptr, fail, kCpuDevice); }
}

TEST(DataPtr, keeps_out_when_the_context_was_released) {
  int given_back = 0;
  void* released = nullptr;
  {
    DataPtr pointer(nullptr, &given_back, count, kCpuDevice);
    released = pointer.release_context();
  }

  EXPECT_EQ(released, &given_back);
  EXPECT_EQ(given_back, 0);
}

TEST(DataPtr, exchanges_the_deleter_only_for_the_expected_one) {
  int given_back = 0;
  {
    DataPtr pointer(nullptr, &given_back, count, kCpuDevice);

    EXPECT_FALSE(pointer.compare_exchange_deleter(count_twice, nullptr));
    EXPECT_TRUE(pointer.compare_exchange_deleter(count, count_twice));
  }

  EXPECT_EQ(given_back, 2);
}

}  // namespace
}  // namespace assay::reference
