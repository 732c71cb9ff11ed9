// What the parts of the interpreter share: the subject, the threads, the callbacks, and where each
// thread stands.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "harness/subject/arguments.hpp"
#include "harness/subject/interpreter.hpp"
#include "harness/subject/interpreter/local_names.hpp"
#include "harness/subject/interpreter/named_threads.hpp"

namespace assay {

/// Blocks and callbacks inside each other; more than this is answered `invalid`, before the stack
/// ends.
inline constexpr int kDeepestBlock = 100;

/// Where the current thread stands in the commands of one interpreter.
struct Context {
  const void* interpreter = nullptr;
  Actor* self = nullptr;
  LocalNames* locals = nullptr;
  int depth = 0;
};

/// Sets the current thread's context and puts the former one back.
class ContextScope {
 public:
  explicit ContextScope(Context context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
  static const Context& current();

 private:
  Context former_;
};

class Interpreter::State {
 public:
  State(Interpreter& host, Subject& subject) : host_(host), subject_(subject) {}
  ~State() { threads_.end_all(); }

  /// A command that no other stands around.
  Reply execute(const Command& command);
  Reply call(const std::string& callback, const std::vector<Value>& arguments, const Fields& named);

 private:
  class Rounds;
  struct Entered;

  Reply run(const Command& command);
  Reply run_word(const Command& command);
  Reply run_blocks(const Command& command);
  Reply run_counted(const Command& command);
  Reply run_block(const Block& block);
  Reply ask_subject(const Command& command);
  void release(LocalNames& locals);
  /// Null when `command` may have the members that it has.
  const char* misplaced_member(const Command& command) const;

  Reply hello(const Command& command);
  Reply reset(const Command& command);
  /// Ends threads and drops callbacks and guards.
  void forget();
  Reply drop(const Command& command);
  Reply leave(const Command& command);
  Reply scope(const Command& command);
  Reply enter(const Block& block, Entered& entered);
  void leave_all(Entered& entered, Reply& outcome);
  Reply leave_guard(const std::string& guard);
  void drop_quietly(const std::string& name);
  /// Why the current thread, another one, cannot have the thread of that name run something.
  std::optional<Reply> no_thread(const std::string& name) const;
  Reply on(const Command& command);
  Reply together(const Command& command);
  Reply define_callback(const Command& command);
  Reply invoke(const Block& body);
  std::string fresh_suffix() { return std::to_string(++fresh_); }

  /// A thread that this interpreter has not made, while it is in a callback. A command that ends
  /// meanwhile must not drop the names that the callback still uses.
  struct Stranger {
    explicit Stranger(LocalNames& names) : ended(names) {}
    ~Stranger();
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;

    LocalNames& ended;
    LocalNames locals;
    Actor actor{"a thread of the subject's own", {}};
  };

  /// The context, or that of a stranger.
  Context here(Stranger& stranger);

  Interpreter& host_;
  Subject& subject_;
  Actor main_{"main", {}};
  /// Of callbacks on threads that are not ours, once they have ended: released when the next
  /// command from outside ends.
  LocalNames strangers_;
  std::atomic<bool> threads_allowed_ = false;
  std::string greeted_with_;  ///< the last `hello`, as text
  std::atomic<std::uint64_t> fresh_ = 0;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Block>> callbacks_;  ///< guarded by mutex_
  std::map<std::string, bool> held_guards_;  ///< by scopes; true: already left; guarded by mutex_

  WaitGraph waits_;
  ThreadPool threads_;  ///< last: its threads use the rest
};

/// The failure of `part` as that of what stands around it, without what belongs to `part` alone.
Reply failure_of(const Reply& part);

/// `invalid`: to wait for `awaited` would never end.
Reply waits_already(const Actor& awaited);

/// Runs and turns whatever it throws into a reply.
template <typename Action>
Reply reply_or_failure(const Action& action) {
  try {
    return action();
  } catch (const InvalidArgument& failure) {
    return Reply::make_invalid(failure.what());
  } catch (const NotSupported& failure) {
    return Reply::make_unsupported(failure.what());
  } catch (const std::exception& failure) {
    return Reply::make_error(ErrorKind::kInternal, std::string("defect: ") + failure.what());
  } catch (...) {
    return Reply::make_error(ErrorKind::kInternal, "defect: an exception of unknown type");
  }
}

}  // namespace assay
