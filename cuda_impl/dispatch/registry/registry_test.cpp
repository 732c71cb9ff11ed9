// Registrations: lifetimes, stale entries and adopted operators.
#include <gtest/gtest.h>

#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/registry/dispatcher.hpp"
#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

/// Returns the number in its functor.
void push_number(const Entry& entry, KeySet, Stack& stack) {
  stack.pop_back();
  stack.push_back(Boxed(functor_of<std::int64_t>(entry)));
}

Kernel numbered(std::int64_t number) {
  return Kernel::of_boxed(push_number, std::make_shared<const std::int64_t>(number));
}

class Registry : public testing::Test {
 protected:
  const std::shared_ptr<Dispatcher> dispatcher_ = Dispatcher::make({});
  const Schema schema_ = parse_schema("test::f(Tensor x) -> int");
  Registration definition_ = dispatcher_->define(schema_, {"here"});
  Operator& op_ = *dispatcher_->find(schema_.name());
  const Tensor tensor_ = empty({1}, Dtype::kFloat32, kCpu);

  Registration add(Key key, const Kernel& kernel) {
    return dispatcher_->implement(schema_.name(), key, kernel, "test");
  }
  std::int64_t called() {
    Stack stack{Boxed(tensor_)};
    call_boxed(op_, stack);
    return stack.back().integer();
  }
};

/// A functor that removes its own registration and checks that it is still alive.
struct Leaving {
  Registration* own;
  std::weak_ptr<const Leaving>* seen;
};
void leave(const Entry& entry, KeySet, Stack& stack) {
  const auto& leaving = functor_of<Leaving>(entry);
  leaving.own->drop();
  stack.pop_back();
  stack.push_back(Boxed(std::int64_t{leaving.seen->expired() ? 0 : 1}));
}

TEST_F(Registry, AFunctorOutlivesTheCallInsideIt) {
  Registration own;
  std::weak_ptr<const Leaving> seen;
  auto functor = std::make_shared<const Leaving>(Leaving{&own, &seen});
  seen = functor;
  own = add(Backend::kCpu, Kernel::of_boxed(leave, functor));
  functor = nullptr;

  EXPECT_EQ(called(), 1);
  collect();

  EXPECT_TRUE(seen.expired());
  EXPECT_THROW(called(), Error);
}

TEST_F(Registry, PyTorchLeavesAutogradEntriesStale) {
  const auto compat = Dispatcher::make({Release::k2_11, false});
  const Registration definition = compat->define(schema_, {"here"});
  const Registration implicit =
      compat->implement(schema_.name(), Key(kCompositeImplicit), numbered(1), "implicit");
  const Registration explicit_one =
      compat->implement(schema_.name(), Key(kCompositeExplicit), numbered(2), "explicit");

  EXPECT_THROW(check_invariants(*TableView(*compat->find(schema_.name()))), Error);
}

TEST_F(Registry, AHandleThatOutlivesItsDispatcherDoesNothing) {
  Registration late;
  {
    const auto short_lived = Dispatcher::make({});
    late = short_lived->define(parse_schema("late::f() -> ()"), {"here"});
  }
  late.drop();
  EXPECT_FALSE(late.is_active());
}

TEST_F(Registry, AnAdoptedOperatorIsFoundWithItsKernels) {
  const Registration kernel = add(Backend::kCpu, numbered(4));
  const std::shared_ptr<Dispatcher> other = Dispatcher::make({});
  other->adopt(*dispatcher_);
  Stack stack{Boxed(tensor_)};

  Operator* adopted = other->find(schema_.name());

  ASSERT_NE(adopted, nullptr);
  EXPECT_EQ(&adopted->dispatcher(), other.get());
  call_boxed(*adopted, stack);
  EXPECT_EQ(stack.back().integer(), 4);
  EXPECT_EQ(other->find({"test::unknown", ""}), nullptr);
  EXPECT_EQ(other->find(schema_.name()), adopted);
}

TEST_F(Registry, RegistrationsAtAnAdoptedOperatorAreNotThePrototypes) {
  const Registration kernel = add(Backend::kCpu, numbered(4));
  const std::shared_ptr<Dispatcher> other = Dispatcher::make({});
  other->adopt(*dispatcher_);
  Stack stack{Boxed(tensor_)};

  const Registration own =
      other->implement(schema_.name(), Key(Backend::kCpu), numbered(5), "test");

  call_boxed(*other->find(schema_.name()), stack);
  EXPECT_EQ(stack.back().integer(), 5);
  EXPECT_EQ(called(), 4);
  EXPECT_THROW(static_cast<void>(other->define(schema_, {"there"})), Error);
}

TEST_F(Registry, AdoptedOperatorsAreListedAndGetFallbacks) {
  const std::shared_ptr<Dispatcher> other = Dispatcher::make({});
  other->adopt(*dispatcher_);
  const Registration fallback = other->fall_back(Key(Backend::kCpu), numbered(7), "test");
  Stack stack{Boxed(tensor_)};

  const std::vector<const Operator*> all = other->operators();

  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front()->name(), schema_.name());
  call_boxed(*other->find(schema_.name()), stack);
  EXPECT_EQ(stack.back().integer(), 7);
}

TEST_F(Registry, NothingIsAdoptedThatIsThereAlready) {
  const std::shared_ptr<Dispatcher> other = Dispatcher::make({});
  const Registration own = other->define(schema_, {"there"});

  EXPECT_THROW(other->adopt(*dispatcher_), Error);
}

}  // namespace
}  // namespace assay::cuda::dispatch
