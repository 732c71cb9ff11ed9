// The numbers of key sets in the kernels that ran. A release that adds a dispatch key renumbers all
// of them, so they would hide every other change of a call.
#pragma once

#include <memory>
#include <utility>

#include "harness/subject/link/link.hpp"

namespace assay {

/// Without `keys` in the entries of `ran`, and of traces; in blocks too.
Reply without_key_numbers(Reply reply);

/// Without `ran`: subjects list the kernels of a call differently.
Reply without_ran(Reply reply);

/// A subject whose replies come without them.
class WithoutKeyNumbers : public Link {
 public:
  explicit WithoutKeyNumbers(std::unique_ptr<Link> link) : link_(std::move(link)) {}

  Reply exchange(const Command& command) override {
    return without_key_numbers(link_->exchange(command));
  }
  void restart() override { link_->restart(); }

 private:
  std::unique_ptr<Link> link_;
};

}  // namespace assay
