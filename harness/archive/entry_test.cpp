// Tests how files are split into records, and what tells records apart.
#include "harness/archive/entry.hpp"

#include <gtest/gtest.h>

#include "harness/program/text_file.hpp"
#include "harness/report/bench/record_example.hpp"

namespace assay::archive {
namespace {

using Texts = std::vector<std::string>;

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(TextsIn, AFileAreItsRecordsWithoutWhiteSpace) {
  EXPECT_EQ(texts_in("{ \"a\" : [1,\n 2] }"), Texts{R"({"a":[1,2]})"});
  EXPECT_EQ(texts_in("{\"a\": 1}\n{\"b\": {}}\n\n"), (Texts{R"({"a":1})", R"({"b":{}})"}));
  EXPECT_EQ(texts_in(" \n"), Texts{});
}

TEST(TextsIn, StringsKeepTheirSpacesAndBraces) {
  EXPECT_EQ(texts_in(R"({"a b": "} \" { \\"} {"c": 1})"),
            (Texts{R"({"a b":"} \" { \\"})", R"({"c":1})"}));
}

TEST(TextsIn, ACompressedFileAreThoseOfItsText) {
  EXPECT_EQ(texts_in(packed_for("r.gz", "{\"a\": 1}")), Texts{R"({"a":1})"});
}

TEST(TextsIn, WhatDoesNotEndOrIsNoObjectIsRefused) {
  for (const char* text :
       {"{\"a\": 1", "{\"a", "{\"a\\\"", "\"a\"", "1", "}", "[1]", "\x1f\x8b\x08 damaged"}) {
    EXPECT_THROW(texts_in(text), std::runtime_error) << text;
  }
}

TEST(EntryOf, ARecordHasItAndItsHash) {
  const std::string text = texts_in(report::to_json(report::bench_example())).front();

  const Entry entry = entry_of(text, "r.json", {.commit = "abc", .machine = "", .gpu = ""});

  ASSERT_TRUE(entry.bench);
  EXPECT_FALSE(entry.run);
  EXPECT_EQ(entry.bench->environment.machine, "a machine");
  EXPECT_EQ(entry.hash, sha256_of(text));
  EXPECT_EQ(unpacked(entry.packed), text);
  EXPECT_EQ(entry.labels.commit, "abc");
}

TEST(EntryOf, OtherJsonIsRefusedWithTheReason) {
  EXPECT_THROW(entry_of(R"({"a":1})", "r.json", {}), std::runtime_error);
  EXPECT_THROW(entry_of(R"({"schema":"assay.litmus/1"})", "r.json", {}), std::runtime_error);
  EXPECT_THROW(entry_of(R"({"schema":"assay.bench/1"})", "r.json", {}), std::runtime_error);
}

}  // namespace
}  // namespace assay::archive
