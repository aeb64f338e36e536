#include "ordeal/history.h"

#include <gtest/gtest.h>

#include <string>

namespace ordeal {
namespace {

using value::Any;

Any write(int v) { return Any::of(reg::Write<int>{v}); }
Any read() { return Any::of(reg::Read{}); }
Any written() { return Any::of(reg::WriteOk{}); }
Any got(int v) { return Any::of(reg::ReadOk<int>{v}); }

TEST(History, InterleavingsThatNoClientCanTellApartAreEqualAndHashEqual) {
  History a, b;
  ASSERT_TRUE(a.invoke(1, write(1)));
  ASSERT_TRUE(a.invoke(2, read()));
  ASSERT_TRUE(a.ret(1, written()));
  ASSERT_TRUE(a.ret(2, got(1)));

  ASSERT_TRUE(b.invoke(2, read()));
  ASSERT_TRUE(b.invoke(1, write(1)));
  ASSERT_TRUE(b.ret(2, got(1)));
  ASSERT_TRUE(b.ret(1, written()));
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(value::show(a.tree()), value::show(b.tree()));
}

TEST(History, AnotherRealTimeOrderIsAnotherHistory) {
  History a, b;
  ASSERT_TRUE(a.invoke(1, write(1)));
  ASSERT_TRUE(a.invoke(2, read()));
  ASSERT_TRUE(a.ret(1, written()));

  ASSERT_TRUE(b.invoke(1, write(1)));
  ASSERT_TRUE(b.ret(1, written()));
  ASSERT_TRUE(b.invoke(2, read()));
  EXPECT_FALSE(a == b);
  EXPECT_NE(a.hash(), b.hash());
  EXPECT_FALSE(precedes(a, {1, 0}, {2, 0}));
  EXPECT_TRUE(precedes(b, {1, 0}, {2, 0}));
  EXPECT_FALSE(precedes(b, {2, 0}, {1, 0}));
}

TEST(History, SnapshotsListOnlyOtherClientsThatHaveCompletedSomething) {
  History h;
  ASSERT_TRUE(h.invoke(3, write(1)));
  ASSERT_TRUE(h.invoke(1, read()));
  ASSERT_TRUE(h.ret(3, written()));
  ASSERT_TRUE(h.ret(1, got(1)));
  ASSERT_TRUE(h.invoke(1, read()));
  ASSERT_EQ(h.clients().size(), 2u);
  EXPECT_EQ(h.clients()[0].id.value, 1);
  EXPECT_TRUE(h.clients()[0].completed[0].seen.empty());
  ASSERT_EQ(h.clients()[0].pending->seen.size(), 1u);
  EXPECT_EQ(h.clients()[0].pending->seen[0].client.value, 3);
  EXPECT_EQ(h.clients()[0].pending->seen[0].completed, 1u);
  EXPECT_EQ(h.size(), 3u);
}

TEST(History, ASecondCallWhileOneIsPendingIsAnErrorAndChangesNothing) {
  History h;
  ASSERT_TRUE(h.invoke(1, write(1)));
  const History before = h;
  const Result<void> second = h.invoke(1, read());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("client 1 calls Read while its Write{value: 1}"),
            std::string::npos);
  EXPECT_EQ(h, before);
}

TEST(History, AReturnWithoutACallIsAnErrorAndChangesNothing) {
  History h;
  const Result<void> early = h.ret(4, got(1));
  ASSERT_FALSE(early);
  EXPECT_NE(early.error().message.find("client 4 returns ReadOk{value: 1} but has no operation"),
            std::string::npos);
  EXPECT_TRUE(h.empty());
  ASSERT_TRUE(h.invoke(4, read()));
  ASSERT_TRUE(h.ret(4, got(1)));
  EXPECT_FALSE(h.ret(4, got(1)));
}

TEST(History, RenamingGivesTheHistoryOfTheRenamedClients) {
  History a, b;
  ASSERT_TRUE(a.invoke(0, write(1)));
  ASSERT_TRUE(a.ret(0, written()));
  ASSERT_TRUE(a.invoke(1, read()));
  ASSERT_TRUE(b.invoke(1, write(1)));
  ASSERT_TRUE(b.ret(1, written()));
  ASSERT_TRUE(b.invoke(0, read()));
  EXPECT_FALSE(a == b);
  EXPECT_EQ(a.renamed({{1, 0}}), b);
  EXPECT_EQ(a.renamed({{1, 0}}).hash(), b.hash());
}

}  // namespace
}  // namespace ordeal
