#include "ordeal/value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/hash.h"

namespace paxos {
struct Prepare {
  std::pair<int, int> ballot;
  std::string value;
};
template <class T>
struct Box {
  T content;
};
}  // namespace paxos

namespace raft {
struct Prepare {
  std::pair<int, int> ballot;
  std::string value;
};
}  // namespace raft

namespace ordeal {
namespace {

enum class Role { follower, candidate, leader, far = 1000 };
enum class Phase { kIdle, kLocked, knows, k9, kRed, Red };
struct Ping {};
struct Pong {};
struct Vote {
  NodeId from;
  int term;
};
struct Word3 {
  uint64_t a, b, c;
};
struct Gap {
  int8_t a;
  int64_t b;
};
// The user's own operators say that all are equal, which the layer must not believe.
struct Liar {
  int x;
  bool operator==(const Liar&) const { return true; }
  bool operator<(const Liar&) const { return false; }
};
struct Wide {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x;
};
class Base {
 protected:
  int first_ = 1;
};
class Derived : Base {
 public:
  Derived() = default;
  int cache = 0;  // not content
  ORDEAL_FIELDS(first_);
  ORDEAL_CONSTANTS(cache);
};
class Hidden {
  ORDEAL_FIELDS();
};
struct Entry {
  int term;
  std::string op;
};
struct Node {
  Role role;
  std::vector<Entry> log;
  std::map<std::string, int> store;
  std::set<NodeId> votes;
  std::optional<NodeId> leader;
};

static_assert(Value<int> && Value<Vote> && Value<Derived> && Value<std::vector<Node>>);
static_assert(!Value<int*> && !Value<std::unordered_map<int, int>> && !Value<int&>);
static_assert(!Value<std::shared_ptr<int>> && Value<std::shared_ptr<const int>>);
static_assert(!Value<const int> && !Value<void> && !Value<int()> && !Value<long double>);
static_assert(detail::kFlat<Vote> && detail::kFlat<Word3> && detail::kFlat<std::array<Vote, 3>>);
static_assert(!detail::kFlat<Gap> && !detail::kFlat<Ping> && !detail::kFlat<Derived>);
static_assert(value::type_name<paxos::Prepare>() == "Prepare");
static_assert(value::type_name<paxos::Box<std::pair<int, paxos::Prepare>>>() == "Box");
static_assert(value::type_name<Vote>() == "Vote" && value::type_name<long>() == "int64");

TEST(Value, HashesNeverChangeSilently) {
  EXPECT_EQ(value::hash(0), 3227431600773354292u);
  EXPECT_EQ(value::hash(Vote{2, 7}), 5188195048300034816u);
  EXPECT_EQ(value::hash(Word3{1, 2, 3}), 11077584072114822303u);
  EXPECT_EQ(value::hash(std::string("ordeal")), 9349820524394735453u);
  EXPECT_EQ(value::hash(std::vector<Gap>{{1, 2}, {3, 4}}), 8935157757089872417u);
  EXPECT_EQ(value::hash(1.5), 248071941031030419u);
  EXPECT_EQ(value::hash(Ping{}), 6632140055498479981u);
}

TEST(Value, HashDependsOnContentOnly) {
  alignas(Gap) unsigned char one[sizeof(Gap)];
  alignas(Gap) unsigned char two[sizeof(Gap)];
  std::fill(std::begin(one), std::end(one), 0x00);
  std::fill(std::begin(two), std::end(two), 0xff);
  Gap* a = ::new (one) Gap;
  Gap* b = ::new (two) Gap;
  a->a = b->a = 1;
  a->b = b->b = 2;
  EXPECT_EQ(value::hash(*a), value::hash(*b));  // whatever the padding holds
  EXPECT_TRUE(value::equal(*a, *b));
  EXPECT_EQ(value::hash(paxos::Prepare{{1, 2}, "A"}), value::hash(raft::Prepare{{1, 2}, "A"}));
  Derived x;
  Derived y;
  y.cache = 5;
  EXPECT_EQ(value::hash(x), value::hash(y));
}

TEST(Value, LengthsArePartOfTheHash) {
  using Lists = std::vector<std::vector<int>>;
  EXPECT_NE(value::hash(Lists{{1}, {}}), value::hash(Lists{{}, {1}}));
  EXPECT_NE(value::hash(std::string("a")), value::hash(std::string("a\0", 2)));
  EXPECT_NE(value::hash(std::vector<bool>(3)), value::hash(std::vector<bool>(4)));
  EXPECT_NE(value::hash(std::vector<Ping>(1)), value::hash(std::vector<Ping>(2)));
}

TEST(Value, MillionSmallStructsHaveNoCollision) {
  std::vector<uint64_t> hashes;
  for (uint64_t a = 0; a < 100; ++a) {
    for (uint64_t b = 0; b < 100; ++b) {
      for (uint64_t c = 0; c < 100; ++c) hashes.push_back(value::hash(Word3{a, b, c}));
    }
  }
  // Half of the bits must behave like chance as well: about n^2 / 2^33 = 116 pairs.
  std::vector<uint32_t> low;
  std::vector<uint32_t> high;
  for (uint64_t h : hashes) {
    low.push_back(static_cast<uint32_t>(h));
    high.push_back(static_cast<uint32_t>(h >> 32));
  }
  auto collisions = [](auto& v) {
    std::sort(v.begin(), v.end());
    return v.end() - std::unique(v.begin(), v.end());
  };
  EXPECT_EQ(collisions(hashes), 0);
  EXPECT_NEAR(static_cast<double>(collisions(low)), 116, 50);
  EXPECT_NEAR(static_cast<double>(collisions(high)), 116, 50);
}

// A factor of zero forgets what it is multiplied with: the word that makes one of the first hash
// must not make one of the second.
TEST(Value, NoWordErasesWhatCameBeforeItFromBothHashes) {
  struct Pair {
    std::string first;  // not flat: hashed field by field
    uint64_t second = 0;
  };
  uint64_t erases = 0;
  for (const uint64_t w : {0x2d358dccaa6c78a5ULL, 0x8bb84b93962eacc9ULL, 0x4b33a62ed433d4a3ULL}) {
    const Pair a{"a", w};
    const Pair b{"b", w};
    erases += value::hash(a) == value::hash(b) ? 1 : 0;
    EXPECT_NE(value::second_hash(a), value::second_hash(b));
  }
  EXPECT_EQ(erases, 1U);  // known: such values are found when they are interned
}

TEST(Value, UserOperatorsAreNotUsed) {
  EXPECT_FALSE(value::equal(Liar{1}, Liar{2}));
  EXPECT_TRUE(value::compare(Liar{1}, Liar{2}) < 0);
}

// A program can tell them apart (1 / x, std::signbit), so they are different states.
TEST(Value, RealsAreTheirBits) {
  const double nans[] = {std::nan(""), -std::nan(""), std::nan("1"), -std::nan("2")};
  for (const auto& [a, b] : {std::pair(0.0, -0.0), {nans[0], nans[1]}, {nans[2], nans[3]}}) {
    EXPECT_FALSE(value::equal(a, b));
    EXPECT_NE(value::hash(a), value::hash(b));
    EXPECT_NE(value::hash(static_cast<float>(a)), value::hash(static_cast<float>(b)));
    EXPECT_NE(value::show(a), value::show(b));
    EXPECT_TRUE(value::compare(a, b) > 0);
  }
  EXPECT_TRUE(value::equal(nans[0], nans[0]));
  EXPECT_TRUE(value::compare(-1.0, 1.0) < 0);
  EXPECT_TRUE(value::compare(-2.0, -1.0) < 0);
  EXPECT_TRUE(value::compare(1e300, std::nan("")) < 0);
  EXPECT_EQ(value::show(-0.0), "-0.0");
  EXPECT_EQ(value::show(nans[1]), "-nan");
}

TEST(Value, EnumeratorsAreShownWithoutTheirK) {
  EXPECT_EQ(value::show(Phase::kLocked), "Locked");
  EXPECT_EQ(value::show(Phase::knows), "knows");
  EXPECT_EQ(value::show(Phase::k9), "k9");
  EXPECT_EQ(value::show(Phase::kRed), "kRed");  // else there would be two of them
  EXPECT_EQ(value::show(Phase::Red), "Red");
  EXPECT_EQ(value::to_json(std::vector{Phase::kIdle, Phase::kRed}), R"(["Idle","kRed"])");
  for (Phase p : {Phase::kIdle, Phase::kLocked, Phase::knows, Phase::k9, Phase::kRed, Phase::Red}) {
    EXPECT_EQ(*value::from_tree<Phase>(value::tree(p)), p) << value::show(p);
  }
  EXPECT_EQ(*value::from_tree<Phase>(*value::from_json("\"Locked\"")), Phase::kLocked);
  EXPECT_EQ(*value::from_tree<Phase>(*value::from_json("\"kLocked\"")), Phase::kLocked);
  EXPECT_FALSE(value::from_tree<Phase>(*value::from_json("\"nows\"")).ok());
  EXPECT_FALSE(value::from_tree<Phase>(*value::from_json("\"\"")).ok());
}

TEST(Value, ShowIsReadable) {
  EXPECT_EQ(value::show(Ping{}), "Ping");
  EXPECT_EQ(value::show(Role::leader), "leader");
  EXPECT_EQ(value::show(Role::far), "1000");
  EXPECT_EQ(value::show(std::optional<int>()), "-");
  EXPECT_EQ(value::show(std::variant<int, std::string>(3)), "int32(3)");
  EXPECT_EQ(value::show(std::variant<Ping, Pong>(Pong{})), "Pong");
#if !defined(__clang__)
  EXPECT_EQ(value::show(paxos::Prepare{{1, 2}, "A"}), "Prepare{ballot: (1, 2), value: \"A\"}");
  EXPECT_EQ(
      value::show(Node{Role::leader, {{1, "x"}}, {{"k", 2}}, {NodeId(0), NodeId(2)}, NodeId(1)}),
      "Node{role: leader, log: [Entry{term: 1, op: \"x\"}], store: {\"k\": 2}, "
      "votes: {0, 2}, leader: 1}");
#endif
  EXPECT_EQ(value::show(Derived()), "Derived{first: 1}");
  EXPECT_EQ(value::show(Hidden()), "Hidden");
}

TEST(Value, AggregatesOfTwentyFourFieldsWork) {
  Wide w{};
  w.x = 9;
  EXPECT_EQ(detail::kFieldCount<Wide>, 24u);
  EXPECT_EQ(value::tree(w).items.back().integer, 9);
}

TEST(Value, RenameReachesEveryNodeId) {
  std::map<NodeId, std::vector<std::optional<NodeId>>> m{{NodeId(0), {NodeId(1), std::nullopt}},
                                                         {NodeId(2), {NodeId(7)}}};
  value::rename(m, {{2, 0, 1}});
  EXPECT_EQ(value::show(m), "{1: [7], 2: [0, -]}");
  auto shared = std::make_shared<const Vote>(Vote{1, 5});
  auto other = shared;
  value::rename(shared, {{1, 0}});
  EXPECT_EQ(shared->from, 0);
  EXPECT_EQ(other->from, 1);  // the shared object itself is left alone
}

#if !defined(__clang__)
TEST(Value, DiffNamesPathsAndKeys) {
  Node a{Role::follower, {{1, "x"}, {1, "y"}, {2, "z"}}, {{"k", 1}}, {NodeId(1)}, std::nullopt};
  Node b{Role::leader,
         {{1, "x"}, {1, "y"}, {3, "z"}, {3, "w"}},
         {{"k", 2}, {"l", 0}},
         {NodeId(2)},
         NodeId(0)};
  std::vector<value::Change> expected = {
      {"role", "follower", "leader"},
      {"log[2].term", "2", "3"},
      {"log[3]", "absent", "Entry{term: 3, op: \"w\"}"},
      {"store[\"k\"]", "1", "2"},
      {"store[\"l\"]", "absent", "0"},
      {"votes[1]", "present", "absent"},
      {"votes[2]", "absent", "present"},
      {"leader", "-", "0"},
  };
  EXPECT_EQ(value::diff(a, b), expected);
}

TEST(Value, FromTreeSaysWhereAndWhat) {
  auto message = [](std::string_view json) {
    auto tree = value::from_json(json);
    EXPECT_TRUE(tree.ok());
    auto entries = value::from_tree<std::vector<Entry>>(*tree);
    return entries.ok() ? std::string() : entries.error().message;
  };
  EXPECT_EQ(message(R"([{"term":1,"op":"a"}])"), "");
  EXPECT_EQ(message(R"([{"term":"1","op":"a"}])"),
            "vector at [0].term: expected an integer from -2147483648 to 2147483647, found \"1\"");
  EXPECT_EQ(message(R"([{"op":"a"}])"), "vector at [0]: the field \"term\" is missing");
  EXPECT_EQ(message(R"([{"term":1,"op":"a","x":1}])"), "vector at [0]: there is no field \"x\"");
  EXPECT_EQ(message(R"([{"$type":"Vote","term":1,"op":"a"}])"),
            "vector at [0]: expected a Entry, found Vote{term: 1, op: \"a\"}");
  EXPECT_EQ(message("3"), "vector: expected a list, found 3");
  auto set = value::from_tree<std::set<int>>(*value::from_json("[1,1]"));
  EXPECT_FALSE(set.ok());
  auto small = value::from_tree<uint8_t>(*value::from_json("256"));
  EXPECT_EQ(small.error().message, "uint8: expected an integer from 0 to 255, found 256");
}
#endif

TEST(Any, TellsTypesApart) {
  using value::Any;
  EXPECT_NE(Any::of(Ping{}).hash(), Any::of(Pong{}).hash());
  EXPECT_FALSE(Any::of(Ping{}) == Any::of(Pong{}));
  EXPECT_TRUE(Any::of(Ping{}).compare(Any::of(Pong{})) < 0);
  Any a = Any::of(paxos::Prepare{{1, 2}, "A"});
  Any b = Any::of(raft::Prepare{{1, 2}, "A"});
  EXPECT_FALSE(a == b);
  EXPECT_TRUE(a.compare(b) != 0);
  EXPECT_NE(a.hash(), b.hash());
  EXPECT_NE(a.second_hash(), b.second_hash());
  EXPECT_EQ(a.digest(), b.digest());  // a trace stays good when a type moves
  EXPECT_TRUE(a.has<paxos::Prepare>());
  EXPECT_EQ(a.try_get<raft::Prepare>(), nullptr);
  EXPECT_EQ(a.get<paxos::Prepare>().value, "A");
  EXPECT_EQ(a.type_name(), "Prepare");
  Any empty;
  EXPECT_TRUE(empty.empty() && empty == Any() && empty.compare(a) < 0);
  Any copy = a;
  EXPECT_EQ(copy.data(), a.data());
}

template <class T>
struct Signed {
  int by = 0;
};

template <class Number>
uint64_t any_hash(Number n) {
  return value::Any::of(n).hash();
}

TEST(Any, HashesTellApartWhatHasOneNameForPeople) {
  const auto one_of_here = [] {
    struct Local {
      int n = 0;
    };
    return value::Any::of(Local{1});
  };
  const auto one_of_there = [] {
    struct Local {
      int n = 0;
    };
    return value::Any::of(Local{1});
  };
  EXPECT_NE(any_hash(Signed<Ping>{1}), any_hash(Signed<Pong>{1}));
  EXPECT_NE(one_of_here().hash(), one_of_there().hash());
  EXPECT_FALSE(one_of_here().equal(one_of_there()));
  // int64_t is one of them.
  EXPECT_NE(any_hash(1L), any_hash(1LL));
  EXPECT_FALSE(value::Any::of(1L).equal(value::Any::of(1LL)));
  const std::string spelled = value::type_of<Signed<Ping>>().id().spelled();
  EXPECT_NE(spelled.find("Signed<ordeal::(anonymous namespace)::Ping>"), std::string::npos)
      << spelled;
}

TEST(Bytes, HostileLengthsAndDepthsAreRefused) {
  auto refused = []<class T>(std::string_view bytes, T out) { return !value::read(bytes, out); };
  std::string_view huge("\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 9);
  EXPECT_TRUE(refused(huge, std::string()));
  EXPECT_TRUE(refused(huge, std::vector<int>()));
  EXPECT_TRUE(refused(huge, std::vector<Ping>()));
  EXPECT_TRUE(refused("\x02", true));
  EXPECT_TRUE(refused("\x09", std::variant<int, Ping>()));
  EXPECT_TRUE(refused("\x80\x00", std::string()));  // an overlong zero
  EXPECT_TRUE(refused(std::string_view("\x02\x02\x01", 3), std::set<int8_t>()));  // not in order
  EXPECT_TRUE(refused(std::string_view("\x02\x01\x01", 3), std::set<int8_t>()));  // twice
  struct Nest {
    std::vector<Nest> inner;
  };
  EXPECT_TRUE(refused(std::string(100000, '\x01'), Nest()));
}

TEST(Json, HostileTextIsRefusedWithItsPosition) {
  auto error = [](std::string_view json) {
    auto tree = value::from_json(json);
    return tree.ok() ? std::string("accepted") : tree.error().message;
  };
  EXPECT_EQ(error("[1,\n 2,,]"), "JSON, line 2 column 4: expected a value");
  EXPECT_EQ(error(""), "JSON, line 1 column 1: the text ends where a value was expected");
  EXPECT_NE(error(std::string(1000000, '[')).find("nested more than"), std::string::npos);
  EXPECT_NE(error(std::string(1000000, '{')).find("key"), std::string::npos);
  EXPECT_NE(error("99999999999999999999").find("64 bits"), std::string::npos);
  EXPECT_NE(error("-9223372036854775809").find("64 bits"), std::string::npos);
  EXPECT_NE(error("1e999").find("double"), std::string::npos);
  EXPECT_NE(error("\"\xff\"").find("UTF-8"), std::string::npos);
  EXPECT_NE(error("\"\xed\xa0\x80\"").find("UTF-8"), std::string::npos);
  EXPECT_NE(error("\"\\ud800\"").find("half a character"), std::string::npos);
  EXPECT_NE(error("{\"a\":1,\"a\":2}").find("twice"), std::string::npos);
  for (const char* bad : {"tru", "[1", "{\"a\"", "{\"a\":", "\"ab", "\"\\", "\"\\u12", "01", "1.",
                          "1e", "-", "nul", "[1]x", "{\"$bytes\":\"0\"}", "{\"$bytes\":\"zz\"}",
                          "{\"$real\":\"x\"}", "{\"$type\":1}", "\"\n\"", "{a:1}"}) {
    EXPECT_NE(error(bad), "accepted") << bad;
  }
  EXPECT_EQ(error("18446744073709551615"), "accepted");
  EXPECT_EQ(value::from_json("\"\\ud83d\\ude00\"")->text, "\xf0\x9f\x98\x80");
}

TEST(Json, TextThatIsNotUtf8Survives) {
  std::string json = value::to_json(std::string("a\xff"));
  EXPECT_EQ(json, "{\"$bytes\":\"61ff\"}");
  EXPECT_EQ(value::from_json(json)->text, "a\xff");
}

}  // namespace
}  // namespace ordeal
