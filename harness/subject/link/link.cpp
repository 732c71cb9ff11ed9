// The in-process transport, which passes values without text; and the check of replies of the
// transports that carry text.
#include "harness/subject/link/link.hpp"

#include <string>

#include "harness/protocol/json.hpp"
#include "harness/subject/interpreter.hpp"

namespace assay {

// The check.

namespace {

std::string in_words(const std::optional<std::int64_t>& id) {
  return id ? "id " + std::to_string(*id) : "no id";
}

}  // namespace

Reply checked_reply(std::string_view text, const Command& command) {
  Reply reply = reply_from_json(text);
  const bool could_not_read = reply.status == Reply::Status::kInvalid && !reply.id;
  if (reply.id != command.id && !could_not_read) {
    throw MalformedMessage("the command had " + in_words(command.id) + ", the reply has " +
                           in_words(reply.id));
  }
  return reply;
}

// The in-process transport.

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
