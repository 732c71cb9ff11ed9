// Writes messages as JSON.
#include "harness/protocol/json_writer.hpp"

namespace assay {

void JsonWriter::command(const Command& command) {
  raw("{");
  if (command.id) {
    key("id");
    integer(*command.id);
  }
  key("do");
  string(command.verb);
  if (!command.with.empty()) {
    key("with");
    fields(command.with);
  }
  if (!command.as.empty()) {
    key("as");
    string(command.as);
  }
  if (command.count) {
    key("count");
    raw("true");
  }
  if (command.digest != 0) {
    key("digest");
    integer(static_cast<std::int64_t>(command.digest));
  }
  optional_block("enter", command.enter);
  optional_block("body", command.body);
  if (!command.threads.empty()) {
    key("threads");
    raw("{");
    for (const auto& [thread, commands] : command.threads) {
      key(thread);
      block(commands);
    }
    raw("}");
  }
  optional_block("observe", command.observe);
  raw("}");
}

void JsonWriter::error(const ErrorReply& error) {
  raw("{");
  key("kind");
  string(name_of(error.kind));
  key("message");
  string(error.message);
  if (error.code) {
    key("code");
    value(*error.code);
  }
  raw("}");
}

void JsonWriter::outcome(const Reply& reply) {
  switch (reply.status) {
    case Reply::Status::kOk:
      key("ok");
      return fields(reply.ok);
    case Reply::Status::kError:
      key("error");
      return error(reply.error);
    case Reply::Status::kUnsupported:
      key("unsupported");
      return string(reply.reason);
    case Reply::Status::kInvalid:
      key("invalid");
      return string(reply.reason);
  }
}

void JsonWriter::reply(const Reply& reply) {
  raw("{");
  if (reply.id) {
    key("id");
    integer(*reply.id);
  }
  outcome(reply);
  if (!reply.warnings.empty()) {
    key("warnings");
    raw("[");
    for (const Warning& warning : reply.warnings) {
      comma();
      raw("[");
      string(warning.category);
      comma();
      string(warning.text);
      raw("]");
    }
    raw("]");
  }
  if (!reply.counts.empty()) {
    key("counts");
    fields(reply.counts);
  }
  if (!reply.blind.empty()) {
    key("blind");
    raw("[");
    for (const std::string& name : reply.blind) {
      comma();
      string(name);
    }
    raw("]");
  }
  if (!reply.replies.empty()) {
    key("replies");
    raw("[");
    for (const Reply& inner : reply.replies) {
      comma();
      this->reply(inner);
    }
    raw("]");
  }
  raw("}");
}

std::string to_json(const Command& command) {
  JsonWriter writer;
  writer.command(command);
  return writer.take();
}

std::string to_json(const Reply& reply) {
  JsonWriter writer;
  writer.reply(reply);
  return writer.take();
}

std::string to_json(const Value& value) {
  JsonWriter writer;
  writer.value(value);
  return writer.take();
}

}  // namespace assay
