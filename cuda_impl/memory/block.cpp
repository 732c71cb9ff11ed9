// The order of blocks.
#include "cuda_impl/memory/block.hpp"

#include <tuple>

#include "cuda_impl/core/contract.hpp"

namespace assay::cuda::memory {

bool ByFit::operator()(const Block* a, const Block* b) const {
  return std::tie(a->stream, a->size_bytes, a->segment_number, a->data) <
         std::tie(b->stream, b->size_bytes, b->segment_number, b->data);
}

bool ByFit::operator()(const Block* block, const Fit& wanted) const {
  return std::tie(block->stream, block->size_bytes) < std::tie(wanted.stream, wanted.size_bytes);
}

bool is_gone(const std::byte* data) {
  cudaPointerAttributes attributes{};
  return cudaPointerGetAttributes(&attributes, data) == cudaSuccess &&
         attributes.type == cudaMemoryTypeUnregistered;
}

bool is_own_stream(StreamUse user, StreamUse own) {
  return user.handle == own.handle && (user.device == own.device || !rules().is_strict);
}

void Pool::insert(Block& block) {
  block.cached_at = searches;
  free.insert(std::move(block.node));
}

void Pool::extract(Block& block) { block.node = free.extract(&block); }

}  // namespace assay::cuda::memory
