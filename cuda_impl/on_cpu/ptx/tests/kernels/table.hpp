// A kernel's parameter of almost 32 KB.
#pragma once

namespace assay::cuda::on_cpu::testing {

struct Table {
  static constexpr int kRows = 2000;
  struct Row {
    int values[4];
  };
  Row rows[kRows];
  int bias;
};

}  // namespace assay::cuda::on_cpu::testing
