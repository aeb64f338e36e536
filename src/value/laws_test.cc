// The laws of the value layer, on random values of every supported kind.
#include <gtest/gtest.h>

#include "ordeal/value.h"
#include "tests/arbitrary.h"

namespace ordeal {
namespace {

using testing::Arbitrary;

enum class Color : uint8_t { red, green, blue };
struct Empty {};
struct Ballot {
  int round;
  NodeId node;
};
struct Padded {
  int8_t small;
  int64_t large;
};
class Described {
 public:
  Described() = default;

 private:
  int term_ = 0;
  std::vector<NodeId> peers_;
  ORDEAL_FIELDS(term_, peers_);
};
struct Chain {
  NodeId owner;
  std::unique_ptr<Chain> next;
  std::shared_ptr<const Chain> shared;
  std::vector<Chain> children;
};
struct Scalars {
  bool flag;
  char letter;
  int8_t i8;
  uint8_t u8;
  int16_t i16;
  uint32_t u32;
  int64_t i64;
  uint64_t u64;
  Color color;
  float f;
  double d;
  std::string text;
  NodeId node;
};
struct Sums {
  std::optional<int> maybe;
  std::optional<std::optional<int>> twice;
  std::optional<std::monostate> unit;
  std::variant<int, std::string, NodeId, std::monostate> mixed;
  std::variant<Empty, Ballot, Padded> message;
  std::variant<int, int> same;
  std::optional<std::variant<std::monostate, int>> nested;
};
struct Containers {
  std::vector<int> ints;
  std::vector<bool> bits;
  std::vector<Empty> empties;
  std::deque<std::string> texts;
  std::set<NodeId> nodes;
  std::set<Ballot, value::Less> ballots;
  std::multiset<int> bag;
  std::map<std::string, int> by_text;
  std::map<NodeId, std::set<NodeId>> by_node;
  std::map<Color, double> by_color;
  std::multimap<int, int, std::greater<int>> many;
  std::array<Padded, 2> pair;
  std::array<int, 0> none;
  std::tuple<int, std::string, Color> triple;
  std::pair<NodeId, NodeId> edge;
};

template <class T>
class Laws : public ::testing::Test {};
using Kinds =
    ::testing::Types<bool, char, int, uint64_t, double, Color, std::string, NodeId, Empty, Ballot,
                     Padded, Described, Chain, Scalars, Sums, Containers, std::vector<Sums>,
                     std::map<NodeId, Containers>, std::set<std::vector<NodeId>, value::Less>>;
TYPED_TEST_SUITE(Laws, Kinds);

constexpr int kRounds = 300;

TYPED_TEST(Laws, EqualityOrderHashTextAndBytesAgree) {
  Arbitrary random(1);
  for (int i = 0; i < kRounds; ++i) {
    auto a = random.make<TypeParam>();
    auto b = random.make<TypeParam>();
    bool same = value::equal(a, b);
    EXPECT_EQ(same, value::compare(a, b) == 0);
    EXPECT_EQ(same, value::hash(a) == value::hash(b));
    EXPECT_EQ(same, value::diff(a, b).empty());
    EXPECT_EQ(same, value::tree(a) == value::tree(b));
    EXPECT_EQ(value::compare(a, b) < 0, value::compare(b, a) > 0);
    std::string bytes_a;
    std::string bytes_b;
    value::write(a, bytes_a);
    value::write(b, bytes_b);
    EXPECT_EQ(same, bytes_a == bytes_b);
    EXPECT_TRUE(value::equal(a, value::copy(a)));
  }
}

TYPED_TEST(Laws, OrderIsTransitive) {
  Arbitrary random(2);
  for (int i = 0; i < kRounds; ++i) {
    auto a = random.make<TypeParam>();
    auto b = random.make<TypeParam>();
    auto c = random.make<TypeParam>();
    if (value::compare(a, b) <= 0 && value::compare(b, c) <= 0) {
      EXPECT_TRUE(value::compare(a, c) <= 0);
    }
  }
}

TYPED_TEST(Laws, BytesTreeAndJsonComeBackEqual) {
  Arbitrary random(3);
  for (int i = 0; i < kRounds; ++i) {
    auto a = random.make<TypeParam>();
    std::string bytes;
    value::write(a, bytes);
    std::string_view in = bytes;
    auto read = detail::make<TypeParam>();
    ASSERT_TRUE(value::read(in, read));
    EXPECT_TRUE(in.empty());
    EXPECT_TRUE(value::equal(a, read));

    auto from_tree = value::from_tree<TypeParam>(value::tree(a));
    ASSERT_TRUE(from_tree.ok()) << from_tree.error().message;
    EXPECT_TRUE(value::equal(a, *from_tree));

    std::string json = value::to_json(a);
    auto parsed = value::from_json(json);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message << json;
    auto from_json = value::from_tree<TypeParam>(*parsed);
    ASSERT_TRUE(from_json.ok()) << from_json.error().message << json;
    EXPECT_TRUE(value::equal(a, *from_json)) << json;
  }
}

TYPED_TEST(Laws, RenamingIsUndoneByItsInverse) {
  Arbitrary random(4);
  value::Renaming there{{2, 0, 3, 1}};
  value::Renaming back{{1, 3, 0, 2}};
  for (int i = 0; i < kRounds; ++i) {
    auto a = random.make<TypeParam>();
    auto b = value::copy(a);
    value::rename(b, there);
    EXPECT_EQ(value::equal(a, b), value::show(a) == value::show(b));
    value::rename(b, back);
    EXPECT_TRUE(value::equal(a, b)) << value::show(a) << "\n" << value::show(b);
  }
}

TYPED_TEST(Laws, DamagedBytesAreRefusedOrGiveSomeValue) {
  Arbitrary random(5);
  for (int i = 0; i < kRounds; ++i) {
    std::string bytes;
    value::write(random.make<TypeParam>(), bytes);
    auto out = detail::make<TypeParam>();
    for (size_t cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 20) {
      std::string_view in = std::string_view(bytes).substr(0, cut);
      EXPECT_FALSE(value::read(in, out));
    }
    for (int damage = 0; damage < 10 && !bytes.empty(); ++damage) {
      std::string bad = bytes;
      bad[random.below(bad.size())] = static_cast<char>(random.below(256));
      std::string_view in = bad;
      if (value::read(in, out)) value::hash(out);  // no undefined behaviour is the claim
    }
  }
}

TYPED_TEST(Laws, AnyBehavesLikeItsContent) {
  Arbitrary random(6);
  for (int i = 0; i < 50; ++i) {
    auto a = random.make<TypeParam>();
    auto b = random.make<TypeParam>();
    bool same = value::equal(a, b);
    std::string bytes;
    value::write(a, bytes);
    std::string_view in = bytes;
    value::Any again = value::type_of<TypeParam>().read_any(in);
    value::Any any_a = value::Any::of(std::move(a));
    value::Any any_b = value::Any::of(std::move(b));
    EXPECT_TRUE(any_a == again);
    EXPECT_EQ(any_a == any_b, same);
    EXPECT_EQ(any_a.hash() == any_b.hash(), same);
    EXPECT_EQ(any_a.compare(any_b) == 0, same);
    value::Any renamed = any_a.renamed({{1, 2, 3, 0}}).renamed({{3, 0, 1, 2}});
    EXPECT_TRUE(renamed == any_a);
    auto loaded = any_a.type()->any_from_tree(any_a.tree());
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_TRUE(*loaded == any_a);
  }
}

}  // namespace
}  // namespace ordeal
