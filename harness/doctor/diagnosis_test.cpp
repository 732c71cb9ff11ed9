// Tests of the findings of doctor.
#include "harness/doctor/diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay {
namespace {

using Kind = Finding::Kind;

Finding about(const std::string& what, const Facts& facts) {
  const std::vector<Finding> findings = diagnose(facts);
  return *std::ranges::find(findings, what, &Finding::what);
}

TEST(Diagnosis, SaysWhatIsThere) {
  Facts facts;
  facts.torch_python = "py";
  facts.torch = "2.11.0";
  facts.nvcc = "/opt/nvcc, release 13.0";

  EXPECT_EQ(about("torch", facts).sentence, "PyTorch 2.11.0, by py; `--subject torch` uses it");
  EXPECT_EQ(about("nvcc", facts).sentence, "/opt/nvcc, release 13.0");
  EXPECT_EQ(about("nvcc", facts).kind, Kind::kThere);
}

TEST(Diagnosis, NamesWhatMendsWhatIsMissing) {
  Facts facts;
  facts.torch_python = "py";

  EXPECT_EQ(about("torch", facts).kind, Kind::kMissing);
  EXPECT_TRUE(about("torch", facts).mend.starts_with("py -m pip install torch"));
  EXPECT_EQ(about("cuda", facts).mend, "scripts/run --cuda");
  EXPECT_EQ(about("on_cpu", facts).sentence, "not built, and there is no CUDA");
  EXPECT_EQ(about("libtorch", facts).sentence, "not built, and there is no libtorch");
}

TEST(Diagnosis, SeesWhatCameAfterTheBuild) {
  Facts facts;
  facts.nvcc = "/opt/nvcc, release 13.0";
  facts.cuda_headers = "/opt/cuda/include";
  facts.libtorch = "/usr/include/torch";

  EXPECT_EQ(about("cuda", facts).sentence,
            "not built, though nvcc is there: /opt/nvcc, release 13.0");
  for (const char* what : {"on_cpu", "libtorch"}) {
    EXPECT_NE(about(what, facts).sentence.find("is there now: /"), std::string::npos) << what;
    EXPECT_TRUE(about(what, facts).mend.starts_with("build again")) << what;
  }
}

TEST(Diagnosis, TellsAHalfInstalledDriverFromNone) {
  Facts facts;
  EXPECT_EQ(about("GPU", facts).kind, Kind::kMissing);
  facts.has_driver_library = true;
  EXPECT_EQ(about("GPU", facts).kind, Kind::kWrong);
  facts.has_driver_module = true;
  EXPECT_EQ(about("GPU", facts).kind, Kind::kWrong);
  facts.gpus = "H100, 580.1";
  EXPECT_EQ(about("GPU", facts).sentence, "H100, 580.1");
}

TEST(Diagnosis, WarnsOfAFullDisk) {
  Facts facts;
  facts.free_at = "/tmp";
  facts.free_bytes = 5'000'000;
  EXPECT_EQ(about("disk", facts).kind, Kind::kWrong);
  facts.free_bytes = 20'000'000'000;
  EXPECT_EQ(about("disk", facts).sentence, "20.0 GB free in /tmp");
}

TEST(Diagnosis, IsATableWithItsMendsBelow) {
  const std::vector<Finding> findings{{Kind::kThere, "cmake", "3.25", ""},
                                      {Kind::kMissing, "torch", "not there", "install it"},
                                      {Kind::kWrong, "GPU", "half there", ""}};

  EXPECT_EQ(to_text(findings, 80),
            "ok       cmake      3.25\n"
            "missing  torch      not there\n"
            "                    to fix: install it\n"
            "WRONG    GPU        half there\n");
  EXPECT_EQ(last_line(findings), "1 found, 1 missing, 1 wrong\n");
  EXPECT_EQ(last_line({findings[0], findings[1]}), "1 found, 1 missing\n");
}

}  // namespace
}  // namespace assay
