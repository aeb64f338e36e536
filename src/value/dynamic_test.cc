// Types of run time: the same laws as for types of the compiler, and the same numbers.
#include "ordeal/dynamic.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/arbitrary.h"

namespace ordeal::dynamic {
namespace {

using testing::Arbitrary;

// --- A struct, and the same put together at run time ---------------------------------------------

enum class Mode { idle, busy, done, lost };
struct Flat {
  NodeId who;
  uint16_t low;
  uint16_t high;
};
struct Padding {
  int8_t small;
  int64_t large;
};
struct Nothing {};
struct Twin {
  bool flag;
  int8_t i8;
  uint64_t u64;
  double real;
  std::string text;
  Mode mode;
  Flat flat;
  Padding padding;
  Nothing nothing;
  std::optional<int> maybe;
  std::optional<std::optional<NodeId>> twice;
  std::variant<int, std::string, Flat, std::monostate> mixed;
  std::variant<Nothing, Flat, Padding> message;
  std::variant<int, int> same;
  std::vector<NodeId> nodes;
  std::vector<Padding> paddings;
  std::vector<Nothing> nothings;
  std::vector<std::vector<std::string>> texts;
  std::set<NodeId> members;
  std::set<Flat, value::Less> flats;
  std::map<NodeId, std::set<NodeId>> graph;
  std::map<std::string, Padding> table;
};

template <class T>
T must(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.error().message;
  return *result;
}

const Type* flat() {
  return must(record(
      "Flat", {{"who", type<NodeId>()}, {"low", type<uint16_t>()}, {"high", type<uint16_t>()}}));
}

const Type* twin() {
  const Type* const padding =
      must(record("Padding", {{"small", type<int8_t>()}, {"large", type<int64_t>()}}));
  const Type* const nothing = must(record("Nothing", {}));
  const Type* const node = type<NodeId>();
  return must(record("Twin", {{"flag", type<bool>()},
                              {"i8", type<int8_t>()},
                              {"u64", type<uint64_t>()},
                              {"real", type<double>()},
                              {"text", type<std::string>()},
                              {"mode", must(enumeration("Mode", {"idle", "busy", "done", "lost"}))},
                              {"flat", flat()},
                              {"padding", padding},
                              {"nothing", nothing},
                              {"maybe", optional_of(type<int>())},
                              {"twice", optional_of(optional_of(node))},
                              {"mixed", must(variant("Mixed", {type<int>(), type<std::string>(),
                                                               flat(), type<std::monostate>()}))},
                              {"message", must(variant("Message", {nothing, flat(), padding}))},
                              {"same", must(variant("Same", {type<int>(), type<int>()}))},
                              {"nodes", list_of(node)},
                              {"paddings", list_of(padding)},
                              {"nothings", list_of(nothing)},
                              {"texts", list_of(list_of<std::string>())},
                              {"members", set_of(node)},
                              {"flats", set_of(flat())},
                              {"graph", map_of(node, set_of(node))},
                              {"table", map_of(type<std::string>(), padding)}}));
}

std::string bytes_of(const Any& any) {
  std::string out;
  any.type()->write(any.data(), out);
  return out;
}

Any made_of(const Twin& twin_value) {
  const std::string bytes = bytes_of(Any::of(twin_value));
  std::string_view in = bytes;
  Any out = twin()->read_any(in);
  EXPECT_FALSE(out.empty());
  EXPECT_TRUE(in.empty());
  return out;
}

// Node 2 is somebody, all others are anybody.
struct SomebodyElse : value::Naming {
  uint64_t node(NodeId id) override { return id == 2 ? 7 : 1; }
  uint64_t name(value::NameTag, uint32_t value) override { return value; }
};

constexpr int kRounds = 400;

TEST(Dynamic, AValueHasTheBytesHashesAndTreeOfTheStructOfTheSameFields) {
  Arbitrary random(1);
  for (int i = 0; i < kRounds; ++i) {
    const Any compiled = Any::of(random.make<Twin>());
    const Any made = made_of(compiled.get<Twin>());
    EXPECT_EQ(bytes_of(made), bytes_of(compiled));
    EXPECT_EQ(made.digest(), compiled.digest());
    EXPECT_EQ(made.type()->hash(made.data()), compiled.type()->hash(compiled.data()));
    EXPECT_EQ(made.type()->second_hash(made.data()), compiled.type()->second_hash(compiled.data()));
    SomebodyElse naming;
    EXPECT_EQ(made.type()->hash_as(made.data(), naming),
              compiled.type()->hash_as(compiled.data(), naming));
    EXPECT_EQ(value::to_json(made.tree()), value::to_json(compiled.tree()));
    const value::Renaming renaming{{0, 2, 3, 1}};
    EXPECT_EQ(bytes_of(made.renamed(renaming)), bytes_of(compiled.renamed(renaming)));
    // … and is another type all the same.
    EXPECT_NE(made.hash(), compiled.hash());
    EXPECT_FALSE(made.equal(compiled));
    EXPECT_NE(made.compare(compiled), std::strong_ordering::equal);
  }
}

TEST(Dynamic, ValuesAreEqualAndOrderedAsTheStructsAre) {
  Arbitrary random(2);
  for (int i = 0; i < kRounds; ++i) {
    const Twin a = random.make<Twin>();
    Twin b = random.make<Twin>();
    if (i % 2 == 0) {  // alike for the most part
      b = a;
      b.graph = random.make<decltype(b.graph)>();
    }
    EXPECT_EQ(made_of(a).equal(made_of(b)), value::equal(a, b));
    EXPECT_EQ(made_of(a).compare(made_of(b)), value::compare(a, b));
    EXPECT_TRUE(made_of(a).equal(made_of(a).type()->copy_any(made_of(a).data())));
  }
}

TEST(Dynamic, ATreeAndItsJsonComeBackEqual) {
  Arbitrary random(3);
  for (int i = 0; i < kRounds; ++i) {
    const Any any = made_of(random.make<Twin>());
    const auto loaded = twin()->any_from_tree(any.tree());
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_TRUE(loaded->equal(any));
    const auto parsed = value::from_json(value::to_json(any.tree()));
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    const auto again = twin()->any_from_tree(*parsed);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_TRUE(again->equal(any));
  }
}

TEST(Dynamic, DamagedBytesAreRefusedOrGiveSomeValue) {
  Arbitrary random(4);
  for (int i = 0; i < kRounds; ++i) {
    const std::string bytes = bytes_of(made_of(random.make<Twin>()));
    for (int damage = 0; damage < 20; ++damage) {
      std::string bad = bytes;
      bad[random.below(bad.size())] = static_cast<char>(random.below(256));
      if (random.below(3) == 0) bad.resize(random.below(bad.size()));
      std::string_view in = bad;
      const Any read = twin()->read_any(in);
      if (read.empty()) continue;
      EXPECT_TRUE(read.equal(*twin()->any_from_tree(read.tree())));
    }
  }
}

TEST(Dynamic, AMisfitSaysWhereItIs) {
  const auto parsed = value::from_json(R"({"who": 1, "low": 70000, "high": 1})");
  const auto loaded = flat()->any_from_tree(*parsed);
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().message.find("low"), std::string::npos) << loaded.error().message;
  EXPECT_EQ(loaded.error().message, value::from_tree<Flat>(*parsed).error().message);
}

// --- Which type is which -------------------------------------------------------------------------

TEST(Dynamic, MadeTwiceOfTheSamePartsItIsOneType) {
  EXPECT_EQ(flat(), flat());
  EXPECT_EQ(list_of<int>(), list_of(type<int>()));
  const Type* const other = must(record("Flat", {{"who", type<NodeId>()}}));
  EXPECT_FALSE(flat()->same_as(*other));
  EXPECT_NE(flat()->identity(), other->identity());
  const Type* const elsewhere = must(record("x::Flat", {{"who", type<NodeId>()}}));
  EXPECT_FALSE(elsewhere->same_as(*other));
  EXPECT_EQ(elsewhere->name(), "Flat");
  EXPECT_EQ(elsewhere->full_name(), "x::Flat");
}

TEST(Dynamic, ATypeOfTheSameNameAndFieldsThatTheCompilerMadeIsAnother) {
  EXPECT_EQ(flat()->name(), value::type_of<Flat>().name());
  EXPECT_FALSE(flat()->same_as(value::type_of<Flat>()));
  EXPECT_FALSE(value::type_of<Flat>().same_as(*flat()));
  EXPECT_THROW(Value(flat()).ref().as<Flat>(), Slip);
}

std::string error_of(const Result<const Type*>& result) {
  return result.ok() ? "no error" : result.error().message;
}

TEST(Dynamic, WhatIsNoTypeIsAnErrorThatSaysWhy) {
  EXPECT_EQ(error_of(record("Vote", {{"n", type<int>()}, {"n", type<int>()}})),
            "the record Vote has two fields named n");
  EXPECT_EQ(error_of(record("Vote", {{"n", nullptr}})),
            "the record Vote: its field n has no type: it is null, as what is made of null is, or "
            "what nests more than 100 deep");
  EXPECT_EQ(error_of(record("Vote", {{"n", list_of(nullptr)}})),
            error_of(record("Vote", {{"n", nullptr}})));
  EXPECT_NE(error_of(record("Vote", {{"a b", type<int>()}})).find("\"a b\" is no name"),
            std::string::npos);
  for (const char* name : {"", "3", "a b", "x::", "x:y", "Vote<", "a\nb"}) {
    EXPECT_NE(error_of(record(name, {})).find("is no name for a record"), std::string::npos);
  }
  EXPECT_EQ(error_of(enumeration("Mode", {})), "the enumeration Mode has no enumerators");
  EXPECT_EQ(error_of(enumeration("Mode", {"on", "on"})),
            "the enumeration Mode has two enumerators named on");
  EXPECT_EQ(error_of(variant("Either", {})), "the variant Either has no alternatives");
  EXPECT_NE(error_of(variant("Either", {type<int>(), nullptr}))
                .find("the variant Either: its alternative number 2 has no type"),
            std::string::npos);
  // Twice as large with every step.
  Result<const Type*> doubled = record("Doubled", {{"a", type<int64_t>()}});
  for (int i = 0; i < 40 && doubled.ok(); ++i) {
    doubled = record("Doubled", {{"a", *doubled}, {"b", *doubled}});
  }
  EXPECT_NE(error_of(doubled).find("bytes; at most"), std::string::npos) << error_of(doubled);
  Result<const Type*> nested = record("Deep", {{"a", type<int>()}});
  for (int i = 0; i < 200 && nested.ok(); ++i) nested = record("Deep", {{"a", *nested}});
  EXPECT_NE(error_of(nested).find("nested more than 100 deep"), std::string::npos);
  const Type* lists = type<int>();
  for (int i = 0; i < 200; ++i) lists = list_of(lists);
  EXPECT_EQ(lists, nullptr);
}

TEST(Dynamic, APlaceThatIsNotThereIsAnError) {
  EXPECT_TRUE(place(twin(), "flat.low").ok());
  for (const char* name : {"", ".", "middle", "flat.", ".flat", "flat.middle", "flat..low"}) {
    EXPECT_FALSE(place(twin(), name).ok()) << name;
  }
  EXPECT_EQ(place(twin(), "i8.low").error().message,
            "what has a field \"low\" must be a record of run time, not signed char");
  EXPECT_EQ(place(nullptr, "low").error().message,
            "what has a field \"low\" must be a record of run time, not null");
}

TEST(Dynamic, ThreadsThatMakeTheSameTypeGetOne) {
  std::vector<const Type*> made(8);
  std::vector<std::thread> threads;
  for (const Type*& out : made) {
    threads.emplace_back([&out] {
      for (int i = 0; i < 100; ++i) {
        out = *record("Race" + std::to_string(i), {{"a", list_of(set_of(type<int>()))}});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<const Type*>(made.begin(), made.end()).size(), 1U);
}

// --- Values --------------------------------------------------------------------------------------

TEST(Dynamic, PartsAreReadAndChanged) {
  Value value(twin());
  value["flat"]["who"].set(NodeId(3));
  value[must(place(twin(), "flat.low"))].set_integer(65535);
  value["mode"].set_enumerator("done");
  value["maybe"].engage().set(4);
  value["message"].become(1).assign(value["flat"]);
  value["nodes"].append().set(NodeId(1));
  value["nodes"].append(value["nodes"].at(0));  // its elements move meanwhile
  EXPECT_THROW(value["nodes"].append(value["flat"]), Slip);
  EXPECT_EQ(value["nodes"].size(), 2U);
  value["nodes"].at(1).set(NodeId(2));
  const Any two = Any::of(NodeId(2));
  EXPECT_TRUE(value["members"].insert(ConstRef(two)));
  EXPECT_FALSE(value["members"].insert(ConstRef(two)));
  value["graph"].entry(ConstRef(two)).assign(value["members"]);
  Value text(type<std::string>());
  text.ref().set("k");
  value["table"].entry(text)["large"].set(int64_t{9});
  const value::Tree tree = value.ref().tree();
  EXPECT_EQ(value::show(*tree.find("flat")), "Flat{who: 3, low: 65535, high: 0}");
  EXPECT_EQ(value::show(*tree.find("message")), "Flat{who: 3, low: 65535, high: 0}");
  EXPECT_EQ(value::show(*tree.find("nodes")), "[1, 2]");
  EXPECT_EQ(value::show(*tree.find("graph")), "{2: {2}}");
  EXPECT_EQ(value["mode"].enumerator(), "done");
  EXPECT_EQ(value["mode"].integer(), 2);
  EXPECT_EQ(value["maybe"].content()->as<int>(), 4);
  EXPECT_EQ(value["message"].alternative(), 1U);
  EXPECT_EQ(value["graph"].find(ConstRef(two))->size(), 1U);
  EXPECT_EQ(value["table"].key(0).as<std::string>(), "k");
  EXPECT_TRUE(value["graph"].erase(ConstRef(two)));
  EXPECT_FALSE(value["graph"].erase(ConstRef(two)));
  value["nodes"].erase_at(0);
  EXPECT_EQ(value["nodes"].at(0).as<NodeId>(), 2);
  value["maybe"].reset();
  EXPECT_FALSE(value["maybe"].content().has_value());
  const Value copy = value;
  EXPECT_TRUE(copy.ref().equal(value));
  value["nodes"].clear();
  EXPECT_FALSE(copy.ref().equal(value));
}

TEST(Dynamic, AValueThatIsGivenAwayIsNotCopied) {
  Value value(flat());
  const Any copied = value;
  value["low"].set_integer(7);
  const void* const there = value.ref().data();
  const Any given = std::move(value);
  EXPECT_EQ(given.data(), there);
  EXPECT_EQ(ConstRef(given)["low"].integer(), 7);
  EXPECT_EQ(ConstRef(copied)["low"].integer(), 0);
}

// Making one fails when it is told to.
struct Fragile {
  static int& until() {
    static int left = -1;
    return left;
  }
  static int made() {
    if (until() >= 0 && until()-- == 0) throw std::runtime_error("told to");
    return 1;
  }
  int number = made();
};

TEST(Dynamic, WhatCannotBeMadeLeavesAValueAsItWas) {
  const Type* const item = must(record(
      "Item", {{"text", type<std::string>()}, {"a", type<Fragile>()}, {"b", type<Fragile>()}}));
  const Type* const either = must(variant("Either", {type<std::string>(), item}));
  const Type* const all = must(record("All", {{"list", list_of(item)},
                                              {"map", map_of(type<int>(), item)},
                                              {"either", either},
                                              {"maybe", optional_of(item)}}));
  Value value(all);
  const Any five = Any::of(5);
  const Any three = Any::of(3);
  value["list"].append()["text"].set("a text that is too long to lie in a string itself");
  value["map"].entry(ConstRef(five))["text"].set("five, and some more for it to be long");
  value["either"].become(0).set("a text that is too long to lie in a string itself");
  const Value before = value;
  for (const int parts : {0, 1}) {
    const auto fails = [&](const auto& change) {
      Fragile::until() = parts;
      EXPECT_THROW(change(), std::runtime_error);
      Fragile::until() = -1;
      EXPECT_TRUE(value.ref().equal(before));
    };
    fails([&] { value["list"].append(); });
    fails([&] { value["map"].entry(ConstRef(three)); });
    fails([&] { value["either"].become(1); });
    fails([&] { value["maybe"].engage(); });
    fails([&] { Value another(item); });
  }
}

template <class F>
std::string slip_of(const F& f) {
  try {
    f();
  } catch (const Slip& slip) {
    return slip.what();
  }
  return "no slip";
}

TEST(Dynamic, NothingIsTakenForWhatItIsNot) {
  Value value(twin());
  EXPECT_EQ(slip_of([&] { value["flat"]["middle"]; }),
            "a Flat has no field middle; its fields are who, low, high");
  EXPECT_EQ(slip_of([&] { value["flat"].as<int>(); }), "a Flat was taken for an int");
  EXPECT_EQ(slip_of([&] { value["i8"].set(1); }), "a signed char was taken for an int");
  EXPECT_EQ(slip_of([&] { value["i8"].set_integer(200); }), "a signed char cannot hold 200");
  EXPECT_EQ(slip_of([&] { value["mode"].set_integer(4); }), "a Mode has no enumerator number 4");
  EXPECT_EQ(slip_of([&] { value["mode"].set_enumerator("off"); }), "a Mode has no enumerator off");
  EXPECT_EQ(slip_of([&] { value["nodes"].at(0); }),
            "a list<ordeal::NodeId> has 0 elements, and number 0 was asked for");
  EXPECT_EQ(slip_of([&] { value["flat"].assign(value["padding"]); }),
            "a Flat cannot become a Padding");
  EXPECT_EQ(slip_of([&] { value["members"].insert(value["i8"]); }),
            "a set<ordeal::NodeId> was asked for a signed char, and its keys are ordeal::NodeId");
  EXPECT_EQ(slip_of([&] { value["maybe"].size(); }),
            "an optional<int> was taken for a list, set or map of run time");
  EXPECT_EQ(slip_of([&] { value["flat"].become(0); }),
            "a Flat was taken for a variant of run time");
  EXPECT_EQ(slip_of([&] { value["same"].become(2); }), "a Same has no alternative number 2");
  EXPECT_EQ(slip_of([&] { ConstRef{Any()}; }), "an empty value was looked at");
  EXPECT_EQ(slip_of([&] { Value{list_of(nullptr)}; }),
            "a value of a type that is null was asked for");
  const Place low = must(place(flat(), "low"));
  EXPECT_EQ(slip_of([&] { value[low]; }), "a Twin was asked for a field of Flat");
}

}  // namespace
}  // namespace ordeal::dynamic
