// Implements named threads and the graph of their waits.
#include "harness/subject/interpreter/named_threads.hpp"

#include <pthread.h>

#include <algorithm>
#include <future>
#include <set>

namespace assay {
namespace {

bool reaches(const Actor& from, const Actor& wanted, std::set<const Actor*>& seen) {
  if (&from == &wanted) return true;
  if (!seen.insert(&from).second) return false;
  return std::any_of(from.waits_for.begin(), from.waits_for.end(),
                     [&](const Actor* next) { return reaches(*next, wanted, seen); });
}

bool reaches(const Actor& from, const Actor& wanted) {
  std::set<const Actor*> seen;
  return reaches(from, wanted, seen);
}

}  // namespace

WaitGraph::Wait::Wait(WaitGraph& graph, Actor& waiter, std::vector<Actor*> awaited, bool mutual)
    : graph_(graph), waiter_(waiter), awaited_(std::move(awaited)) {
  const std::scoped_lock lock(graph_.mutex_);
  for (const Actor* actor : awaited_) {
    if (!reaches(*actor, waiter_)) continue;
    refused_by_ = actor;
    return;
  }
  enter(mutual);
}

void WaitGraph::Wait::enter(bool mutual) {
  for (Actor* actor : awaited_) {
    add(waiter_, *actor);
    if (!mutual) continue;
    add(*actor, waiter_);
    for (const Actor* other : awaited_) {
      if (other != actor) add(*actor, *other);
    }
  }
}

void WaitGraph::Wait::add(Actor& from, const Actor& to) {
  from.waits_for.push_back(&to);
  edges_.emplace_back(&from, &to);
}

WaitGraph::Wait::~Wait() {
  const std::scoped_lock lock(graph_.mutex_);
  for (const auto& [from, to] : edges_) {
    auto& list = from->waits_for;
    list.erase(std::find(list.begin(), list.end(), to));
  }
}

NamedThread::NamedThread(std::string name)
    : actor_{std::move(name), {}}, thread_([this] { work(); }) {}

NamedThread::~NamedThread() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void NamedThread::post(std::function<void()> job) {
  {
    const std::scoped_lock lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
}

void NamedThread::run(const std::function<void()>& job) {
  // Shared, because the thread may still be inside set_value when the wait ends.
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> finished = done->get_future();
  post([&job, done] {
    job();
    done->set_value();
  });
  finished.wait();
}

void NamedThread::work() {
  constexpr std::size_t kMost = 15;  // the limit of Linux
  pthread_setname_np(pthread_self(), actor_.name.substr(0, kMost).c_str());
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

NamedThread& ThreadPool::named(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  auto& thread = threads_[name];
  if (thread == nullptr) thread = std::make_unique<NamedThread>(name);
  return *thread;
}

void ThreadPool::end_all() {
  std::map<std::string, std::unique_ptr<NamedThread>> ending;
  const std::scoped_lock lock(mutex_);
  ending.swap(threads_);
}

}  // namespace assay
