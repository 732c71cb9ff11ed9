// Conversions of devices from text and numbers.
#include "cuda_impl/core/device/device_text.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

constexpr Contract kStrict{};
constexpr Contract kCompat{Release::k2_11, false};
constexpr Contract kFirst{Release::k1_13, true};

std::string refusal(std::string_view text, const Contract& contract = kStrict) {
  try {
    device_from_text(text, contract);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(DeviceText, IsAKindAndMayHaveAnIndex) {
  EXPECT_EQ(device_from_text("cuda:7", kStrict), (Device{DeviceKind::kCuda, 7}));
  EXPECT_EQ(device_from_text("cuda", kStrict), (Device{DeviceKind::kCuda, -1}));
  EXPECT_EQ(to_text(device_from_text("privateuseone:2", kStrict)), "privateuseone:2");
}

TEST(DeviceText, WhatHasAnotherShapeIsQuoted) {
  for (const char* text : {"cuda:", "cuda:01", "cuda:-1", " cuda", "cuda:1:2", ":1", "cuda1"}) {
    EXPECT_EQ(refusal(text), "Invalid device string: '" + std::string(text) + "'");
  }
  EXPECT_EQ(refusal(""), "Device string must not be empty");
}

TEST(DeviceText, AnUnknownKindGetsTheListOfItsRelease) {
  EXPECT_NE(refusal("Cuda:0").find("maia"), std::string::npos);
  EXPECT_NE(refusal("Cuda:0").find("device string: Cuda"), std::string::npos);
  EXPECT_NE(refusal("maia", kFirst).find("ort"), std::string::npos);
}

TEST(DeviceText, AnIndexBeyond127IsRefusedOrWraps) {
  EXPECT_NE(refusal("cuda:128").find("Could not parse device index"), std::string::npos);
  EXPECT_EQ(device_from_text("cuda:128", kCompat).index, -128);
  EXPECT_EQ(device_from_text("cuda:256", kCompat).index, 0);
  EXPECT_NE(refusal("cuda:99999999999", kCompat).find("Could not parse"), std::string::npos);
}

TEST(DeviceText, ThereIsOneCpu) {
  EXPECT_THROW(make_device(DeviceKind::kCpu, 1, kStrict), Error);
  EXPECT_EQ(make_device(DeviceKind::kCpu, 1, kCompat).index, 1);
  EXPECT_THROW(make_device(DeviceKind::kCuda, -2, kStrict), Error);
}

TEST(DeviceText, KindsHaveNumbersAndMostHaveKeys) {
  EXPECT_EQ(number_of(DeviceKind::kPrivateUse1, Release::k1_13), 19);
  EXPECT_EQ(number_of(DeviceKind::kPrivateUse1, Release::k2_4), 20);
  EXPECT_EQ(dispatch_key_of(DeviceKind::kMaia, Release::k1_13), "ORT");
  EXPECT_EQ(dispatch_key_of(DeviceKind::kPrivateUse1, Release::k2_11), "PrivateUse1");
  EXPECT_THROW(dispatch_key_of(DeviceKind::kIdeep, Release::k2_11), Error);
}

}  // namespace
}  // namespace assay::cuda
