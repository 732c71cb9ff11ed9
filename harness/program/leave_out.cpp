// Finds the unsupported command, including inside blocks.
#include "harness/program/leave_out.hpp"

#include <cstddef>

namespace assay {
namespace {

void erase(Block& block, std::size_t index) {
  block.erase(block.begin() + static_cast<std::ptrdiff_t>(index));
}

/// Removes the command of `block` at `index`, or the command inside it at which `reply` ended.
void take_out(Block& block, std::size_t index, const Reply& reply) {
  Block& body = block[index].body;
  const std::size_t said = reply.replies.size();
  const bool inside =
      said > 0 && said <= body.size() && reply.replies.back().status == Reply::Status::kUnsupported;
  if (!inside) return erase(block, index);
  take_out(body, said - 1, reply.replies.back());
}

}  // namespace

Block without_lacking(Block program, const ProgramResult& result) {
  const std::size_t last = result.exchanges.size() - 1;
  const Reply& trusted = result.exchanges.back().second;
  const bool trusted_lacks = trusted.status == Reply::Status::kUnsupported;
  take_out(program, last, trusted_lacks || !result.got ? trusted : *result.got);
  return program;
}

}  // namespace assay
