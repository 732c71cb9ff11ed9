// Writes commands as statements, each followed by a check of its reply.
#include "harness/program/python/writer.hpp"

#include <fmt/format.h>

#include "harness/program/python/forms.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"

namespace assay::python {
std::string_view class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kNotImplemented:
      return "NotImplementedError";
    case ErrorKind::kType:
      return "TypeError";
    case ErrorKind::kValue:
      return "ValueError";
    case ErrorKind::kIndex:
      return "IndexError";
    case ErrorKind::kKey:
      return "KeyError";
    case ErrorKind::kAttribute:
      return "AttributeError";
    case ErrorKind::kAssertion:
      return "AssertionError";
    default:
      return "RuntimeError";
  }
}

namespace {

bool is_compared(const Command& command, const std::string& field) {
  const auto how = comparison_of(command.verb, field);
  return how && *how != Comparison::kOpaque && *how != Comparison::kTokens;
}

const Value* result_of(const Reply* reply) {
  return reply == nullptr || !reply->succeeded() ? nullptr : reply->ok.find("result");
}

}  // namespace

void Writer::line(std::string_view text) {
  text_.append(static_cast<std::size_t>(depth_) * 4, ' ');
  text_ += text;
  text_ += '\n';
}

bool Writer::check(const Command& command, const Reply* reply, const std::string& field,
                   const std::string& what) {
  if (reply == nullptr || !reply->succeeded()) {
    line(what);
    return true;
  }
  if (is_brief()) return show_difference(command, *reply, field, what);
  const Value* wanted = reply->ok.find(field);
  if (wanted == nullptr || !is_compared(command, field)) return false;
  try {
    line(fmt::format("check({}, {}, {})", in_quotes(what), what, expression(*wanted)));
  } catch (const NoForm&) {
    line(what);  // executed, but the result cannot be written
  }
  return true;
}

/// False if the field does not differ, or cannot be written.
bool Writer::show_difference(const Command& command, const Reply& wanted, const std::string& field,
                             const std::string& what) {
  if (got_ == nullptr || !got_->succeeded() || !is_compared(command, field)) return false;
  const Value* expected = wanted.ok.find(field);
  const Value* other = got_->ok.find(field);
  if (expected == nullptr || other == nullptr || to_json(*expected) == to_json(*other)) {
    return false;
  }
  constexpr std::size_t kMost = 400;  // more is told in words, which are cut
  try {
    const std::string comment =
        fmt::format("# {}, got {}", expression(*expected), expression(*other));
    if (comment.size() > kMost) return false;
    line(what);
    add_comment(comment);
  } catch (const NoForm&) {
    return false;
  }
  got_ = nullptr;  // one difference is sufficient
  return true;
}

/// At the end of the last line, or below it if that would be long.
void Writer::add_comment(const std::string& comment) {
  constexpr std::size_t kColumns = 88;
  const std::size_t begin = text_.rfind('\n', text_.size() - 2) + 1;
  if (text_.size() - begin + comment.size() > kColumns) return line(comment);
  text_.pop_back();
  text_ += "  " + comment + "\n";
}

void Writer::differing(const Command& command, const Reply& wanted, const Reply& got,
                       const Difference& difference) {
  got_ = &got;
  this->command(command, wanted.succeeded() ? &wanted : nullptr);
  if (std::exchange(got_, nullptr) == nullptr) return;
  add_comment(fmt::format("# {}, got {}", escaped(difference.wanted), escaped(difference.got)));
}

void Writer::command(const Command& command, const Reply* reply) {
  last_ = "None";
  if (command.verb == "callback") return callback(command);
  if (reply != nullptr && reply->status == Reply::Status::kInvalid) throw NoForm(reply->reason);
  const bool fails = reply != nullptr && reply->status == Reply::Status::kError;
  if (fails) {
    line(fmt::format("with {}({}):", is_brief() ? "contextlib.suppress" : "raises",
                     class_of(reply->error.kind)));
  }
  std::optional<Indented> inside;
  if (fails) inside.emplace(*this);
  if (command.verb == "scope") return scope(command, reply);
  if (command.verb == "on") return on_thread(command, reply);
  if (!write_special(*this, command, reply)) by_form(command, reply);
}

void Writer::by_form(const Command& command, const Reply* reply) {
  const Form* form = form_of(command.verb);
  if (form == nullptr) throw NoForm("no form of it is written");
  if (form->kind == Form::Kind::kNothing) return line("pass  # looks at what Python does not show");
  if (form->quietly) line("with torch.no_grad():");
  std::optional<Indented> inside;
  if (form->quietly) inside.emplace(*this);
  for (const auto& [field, text] : form->texts) {
    const std::string made = filled(text, command, on_cuda_);
    if (form->kind == Form::Kind::kStatement) {
      line(made);
    } else if (form->kind == Form::Kind::kFields) {
      const std::string name = variable(command.as + "." + field);
      if (!command.as.empty()) line(fmt::format("{} = {}", name, made));
      check(command, reply, field, command.as.empty() ? made : name);
    } else {
      value(command, form->kind == Form::Kind::kUncertain ? nullptr : reply, made);
    }
  }
}

void Writer::value(const Command& command, const Reply* reply, const std::string& text) {
  const Value* result = result_of(reply);
  if (!command.as.empty()) {
    last_ = variable(command.as);
    line(fmt::format("{} = {}", last_, text));
    parts(command, reply);
    const Ref* ref = result == nullptr ? nullptr : result->get_if<Ref>();
    const bool is_new = ref != nullptr && ref->name == command.as;
    if (!is_new) check(command, reply, "result", last_);
    return;
  }
  last_ = text;
  if (result == nullptr || !is_compared(command, "result")) return line(text);
  if (!check(command, reply, "result", text)) line(text);
}

/// The contents of a named dict or list are named too.
void Writer::parts(const Command& command, const Reply* reply) {
  const Value* result = result_of(reply);
  const std::string name = variable(command.as);
  const auto part = [&](std::size_t i) { return variable(fmt::format("{}.{}", command.as, i)); };
  const auto* dict = result == nullptr ? nullptr : result->get_if<Dict>();
  for (std::size_t i = 0; dict != nullptr && i < dict->items.size(); ++i) {
    line(fmt::format("{} = list({}.values())[{}]", part(i), name, i));
  }
  const auto* list = result == nullptr ? nullptr : result->get_if<List>();
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    line(fmt::format("{} = {}[{}]", part(i), name, i));
  }
}

std::string Writer::block(const Block& body, const std::vector<Reply>* replies) {
  if (body.empty()) line("pass");
  for (std::size_t i = 0; i < body.size(); ++i) {
    const bool was_run = replies == nullptr || i < replies->size();
    if (!was_run) break;
    const Reply* reply = replies == nullptr ? nullptr : &(*replies)[i];
    // An error inside a block is checked at the block.
    const bool fails = reply != nullptr && !reply->succeeded();
    command(body[i], fails ? nullptr : reply);
  }
  return last_;
}

void Writer::scope(const Command& command, const Reply* reply) {
  int entered = 0;
  for (const Command& guard : command.enter) {
    const Form* form = form_of(guard.verb);
    if (form == nullptr) throw NoForm(guard.verb + " is no guard in Python");
    const std::string made = filled(form->texts.front().second, guard, on_cuda_);
    line(guard.as.empty() ? fmt::format("with {}:", made)
                          : fmt::format("with {} as {}:", made, variable(guard.as)));
    ++depth_;
    ++entered;
  }
  block(command.body, reply == nullptr || reply->replies.empty() ? nullptr : &reply->replies);
  depth_ -= entered;
}

void Writer::callback(const Command& command) {
  line(fmt::format("def {}(*args, **named):", variable(command.as)));
  {
    const Indented inside(*this);
    const std::string made = block(command.body, nullptr);
    line("return " + made);
  }
  last_ = variable(command.as);
}

void Writer::on_thread(const Command& command, const Reply* reply) {
  const Value* given = command.with.find("thread");
  const auto* name = given == nullptr ? nullptr : given->get_if<std::string>();
  if (name == nullptr || depth_ > 1) throw NoForm("a thread inside another block");
  std::string& thread = threads_[*name];
  if (thread.empty()) {
    thread = fresh("thread");
    line(thread + " = ThreadPoolExecutor(1)");
  }
  const std::string body = fresh("work");
  line(fmt::format("def {}():", body));
  {
    const Indented inside(*this);
    for (const Command& inner : command.body) {
      if (!inner.as.empty()) line("global " + variable(inner.as));
    }
    block(command.body, reply == nullptr ? nullptr : &reply->replies);
  }
  line(fmt::format("{}.submit({}).result()", thread, body));
}

}  // namespace assay::python
