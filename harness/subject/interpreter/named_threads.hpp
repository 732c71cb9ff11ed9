// The threads of a session that have names, and who waits for whom.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace assay {

/// Something that runs commands, and may wait for others that do.
struct Actor {
  std::string name;
  std::vector<const Actor*> waits_for;  ///< guarded by the WaitGraph
};

/// Refuses waits that would never end.
class WaitGraph {
 public:
  /// `waiter` waits for each of `awaited`, and each of `awaited` for the others and for `waiter`
  /// if `mutual`, until the object goes away.
  class Wait {
   public:
    Wait(WaitGraph& graph, Actor& waiter, std::vector<Actor*> awaited, bool mutual);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;
    /// Null, or the one that waits for `waiter` already: then nothing was entered.
    const Actor* refused_by() const { return refused_by_; }

   private:
    void enter(bool mutual);
    void add(Actor& from, const Actor& to);

    WaitGraph& graph_;
    Actor& waiter_;
    std::vector<Actor*> awaited_;
    std::vector<std::pair<Actor*, const Actor*>> edges_;
    const Actor* refused_by_ = nullptr;
  };

 private:
  std::mutex mutex_;
};

/// One OS thread that runs the jobs it is given, in order. Jobs must not throw. The system knows it
/// by its name's first 15 characters.
class NamedThread {
 public:
  /// Throws std::system_error when the system has no more threads.
  explicit NamedThread(std::string name);
  /// Finishes what it was given, then joins.
  ~NamedThread();

  Actor& actor() { return actor_; }
  void post(std::function<void()> job);
  /// Posts and waits for the end.
  void run(const std::function<void()>& job);

 private:
  void work();

  Actor actor_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool ending_ = false;
  std::thread thread_;
};

/// Made at first use, alive until `end_all`.
class ThreadPool {
 public:
  NamedThread& named(const std::string& name);
  /// Must not be called from one of them.
  void end_all();

 private:
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<NamedThread>> threads_;
};

}  // namespace assay
