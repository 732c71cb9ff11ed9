// A small subject for the tests of this folder: boxes with values, guards, and a log of events.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/subject/names.hpp"
#include "harness/subject/subject.hpp"

namespace assay {

using Box = std::shared_ptr<Value>;
inline const void* identity_of(const Box& box) { return box.get(); }

class ToySubject final : public Subject {
 public:
  explicit ToySubject(bool threads = true) : threads_(threads) {}

  Reply execute(const Command& command, Host& host) override {
    ++commands_;
    Arguments arguments(command);
    Reply reply = answer(command, arguments, host);
    arguments.done();
    return reply;
  }

  std::size_t boxes() const { return names_.size(); }

 private:
  Reply answer(const Command& command, Arguments& arguments, Host& host) {
    const std::string& verb = command.verb;
    if (verb == "hello") return Reply::make_ok({{"threads", threads_}});
    if (verb == "reset") return reset();
    if (verb == "drop") return (names_.drop(arguments.ref("object")), Reply::make_ok());
    if (verb == "leave") return leave(arguments.ref("guard"));
    if (verb == "value") return result(arguments.value("value"));
    if (verb == "toy.box") return box(command, arguments.value("value"));
    if (verb == "toy.pair") return pair(command);
    if (verb == "toy.read") return result(*names_.get(arguments.ref("box")));
    if (verb == "toy.add") return add(arguments);
    if (verb == "toy.guard") return guard(command, arguments.text("name"));
    if (verb == "toy.log") return result(log());
    if (verb == "toy.boxes") return result(static_cast<std::int64_t>(boxes()));
    if (verb == "toy.thread") return result(thread_number());
    if (verb == "toy.call") return call(arguments, host);
    if (verb == "toy.throw") return raise(arguments.text("what"));
    if (verb == "toy.warn") return warn(arguments.text("text"));
    if (verb == "toy.print") return print(arguments.text("text"));
    if (verb == "toy.die") std::abort();
    if (verb == "toy.commands") return counted();
    throw NotSupported("no command " + verb);
  }

  static Reply result(Value value) { return Reply::make_ok({{"result", std::move(value)}}); }

  Reply reset() {
    names_.clear();
    log_.clear();
    return Reply::make_ok({{"uncleaned", List{}}});
  }

  Reply box(const Command& command, const Value& value) {
    if (!command.as.empty()) names_.bind(command.as, std::make_shared<Value>(value));
    return result(command.as.empty() ? value : Value(Ref{command.as}));
  }

  /// Makes two boxes, NAME.left and NAME.right.
  Reply pair(const Command& command) {
    Fields fields;
    for (const std::string side : {"left", "right"}) {
      names_.bind(command.as + '.' + side, std::make_shared<Value>(side));
      fields.set(side, Ref{command.as + '.' + side});
    }
    return Reply::make_ok(std::move(fields));
  }

  Reply add(Arguments& arguments) {
    const Box box = names_.get(arguments.ref("box"));
    const std::int64_t amount = arguments.integer("amount", 1);
    const std::scoped_lock lock(mutex_);
    *box = *box->get_if<std::int64_t>() + amount;
    return result(*box);
  }

  Reply guard(const Command& command, const std::string& name) {
    names_.bind(command.as, std::make_shared<Value>(name));
    note("enter " + name);
    return Reply::make_ok({{"result", Ref{command.as}}});
  }

  Reply leave(const std::string& guard) {
    const std::string name = *names_.get(guard)->get_if<std::string>();
    if (name == "sticky") return Reply::make_error(ErrorKind::kValue, "it sticks");
    note("leave " + name);
    Reply reply = Reply::make_ok();
    reply.warnings.push_back({"UserWarning", "left " + name});
    return reply;
  }

  Reply call(Arguments& arguments, Host& host) {
    const auto* callable = arguments.value("callable").get_if<Callable>();
    if (callable == nullptr) throw InvalidArgument("toy.call: 'callable' must be a callable");
    const std::vector<Value> positional =
        arguments.optional("args") == nullptr ? std::vector<Value>{} : arguments.items("args");
    const Value* closure = arguments.optional("closure");
    Fields named;
    if (closure != nullptr) named.set("closure", *closure);
    if (!arguments.boolean("elsewhere", false)) return host.call(callable->name, positional, named);
    Reply reply;
    std::thread([&] { reply = host.call(callable->name, positional, named); }).join();
    return reply;
  }

  static Reply raise(const std::string& what) {
    if (what == "invalid") throw InvalidArgument("made no sense");
    if (what == "unsupported") throw NotSupported("not here");
    if (what == "int") throw 7;
    if (what == "runtime_error") throw std::runtime_error("broken inside");
    return Reply::make_error(ErrorKind::kIndex, "out of range");
  }

  static Reply warn(const std::string& text) {
    Reply reply = Reply::make_ok();
    reply.warnings.push_back({"UserWarning", text});
    return reply;
  }

  /// Prints where a subject should not.
  static Reply print(const std::string& text) {
    std::puts(text.c_str());
    return Reply::make_ok();
  }

  Reply counted() {
    Reply reply = Reply::make_ok();
    reply.counts.set("commands", 1);
    return reply;
  }

  static std::int64_t thread_number() {
    static std::atomic<std::int64_t> next = 0;
    thread_local const std::int64_t number = ++next;
    return number;
  }

  void note(const std::string& line) {
    const std::scoped_lock lock(mutex_);
    log_.push_back(line);
  }
  Value log() {
    const std::scoped_lock lock(mutex_);
    List list;
    for (const std::string& line : log_) list.items.emplace_back(line);
    return list;
  }

  const bool threads_;
  std::atomic<int> commands_ = 0;
  NameTable<Box> names_;
  std::mutex mutex_;
  std::vector<std::string> log_;
};

/// A command on one line: `command("toy.read", {{"box", Ref{"x"}}}, "y")`.
inline Command command(std::string verb, Fields with = {}, std::string as = {}) {
  Command made;
  made.verb = std::move(verb);
  made.with = std::move(with);
  made.as = std::move(as);
  return made;
}

inline Command scope_of(Block enter, Block body) {
  Command made = command("scope");
  made.enter = std::move(enter);
  made.body = std::move(body);
  return made;
}

inline Command on_thread(std::string thread, Block body) {
  Command made = command("on", {{"thread", std::move(thread)}});
  made.body = std::move(body);
  return made;
}

inline Command together_of(std::vector<std::pair<std::string, Block>> threads, std::int64_t times,
                           Block observe = {}) {
  Command made = command("together", {{"times", times}});
  made.threads = std::move(threads);
  made.observe = std::move(observe);
  return made;
}

inline Command callback_of(std::string name, Block body) {
  Command made = command("callback", {}, std::move(name));
  made.body = std::move(body);
  return made;
}

}  // namespace assay
