// The in-process transport, which passes values without text.
#include "harness/subject/link/link.hpp"

#include "harness/subject/interpreter.hpp"

namespace assay {
namespace {

class InProcessLink final : public Link {
 public:
  explicit InProcessLink(std::function<std::unique_ptr<Subject>()> make) : make_(std::move(make)) {
    restart();
  }

  Reply exchange(const Command& command) override {
    if (interpreter_ == nullptr) throw LinkBroken(LinkBroken::Cause::kDied, "there is no subject");
    return interpreter_->execute(command);
  }

  void restart() override {
    interpreter_.reset();
    subject_.reset();
    subject_ = make_();
    if (subject_ == nullptr) throw std::runtime_error("no subject was made");
    interpreter_ = std::make_unique<Interpreter>(*subject_);
  }

 private:
  std::function<std::unique_ptr<Subject>()> make_;
  std::unique_ptr<Subject> subject_;
  std::unique_ptr<Interpreter> interpreter_;  ///< last: its threads use the subject
};

}  // namespace

std::unique_ptr<Link> connect_in_process(std::function<std::unique_ptr<Subject>()> make) {
  return std::make_unique<InProcessLink>(std::move(make));
}

}  // namespace assay
