// Reads a scaler's number on the host and counts it.
#include "cuda_impl/scaler/reading.hpp"

#include "cuda_impl/core/session.hpp"

namespace assay::cuda {

double read_by_scaler(const Tensor& number) {
  if (!number.is_cuda()) ++counters().host_reads;
  return read_number(number);
}

}  // namespace assay::cuda
