// Values: equality, order, hashes and normal forms.
#include "language/tla/value/value.h"

#include <gtest/gtest.h>

#include <functional>

namespace ordeal::tla {
namespace {

class ValueTest : public ::testing::Test {
 protected:
  Value n(int64_t number) { return integer(heap, number); }
  Value set(std::vector<Value> elements) { return make_set(heap, elements); }
  Value tuple(std::vector<Value> items) { return tla::make_tuple(heap, items); }
  Value record(std::vector<std::pair<std::string, Value>> fields) {
    std::vector<Value> names;
    std::vector<Value> items;
    for (const auto& [name, item] : fields) {
      names.push_back(string_value(name));
      items.push_back(item);
    }
    return make_record(heap, names, items);
  }
  Value function(std::vector<Value> keys, std::vector<Value> items) {
    return make_function(heap, set(std::move(keys)).object(), items);
  }
  std::string error(const std::function<void()>& run) {
    try {
      run();
    } catch (const EvalError& e) {
      return e.message;
    }
    return "";
  }

  Heap heap;
};

TEST_F(ValueTest, SetsAreSortedAndHaveEachElementOnce) {
  EXPECT_EQ(to_text(set({n(3), n(1), n(2), n(1)})), "{1, 2, 3}");
  EXPECT_EQ(to_text(set({})), "{}");
  EXPECT_EQ(to_text(set({string_value("b"), string_value("a")})), "{\"a\", \"b\"}");
  EXPECT_EQ(to_text(set({set({n(1), n(2)}), set({}), set({n(5)})})), "{{}, {5}, {1, 2}}");
}

TEST_F(ValueTest, IntervalsEqualTheSetsOfTheirNumbers) {
  const Value interval = make_interval(heap, n(1), n(3));
  const Value written = set({n(1), n(2), n(3)});
  EXPECT_TRUE(equal(heap, interval, written));
  EXPECT_EQ(hash(heap, interval), hash(heap, written));
  EXPECT_EQ(compare(heap, interval, written), 0);
  EXPECT_EQ(to_text(interval), "{1, 2, 3}");
  EXPECT_TRUE(same(make_interval(heap, n(2), n(1)), empty_set()));
}

TEST_F(ValueTest, FunctionsOverCountingNumbersAreTuples) {
  EXPECT_EQ(to_text(function({n(1), n(2)}, {n(7), n(8)})), "<<7, 8>>");
  EXPECT_EQ(to_text(function({n(1), n(3)}, {n(7), n(8)})), "(1 :> 7 @@ 3 :> 8)");
  EXPECT_TRUE(same(function({}, {}), tuple({})));
}

TEST_F(ValueTest, DifferentTypesCannotBeCompared) {
  EXPECT_EQ(error([&] { equal(heap, n(1), string_value("a")); }),
            "the integer 1 and the string \"a\" cannot be compared: an integer and a string");
  EXPECT_NE(error([&] { equal(heap, empty_set(), n(1)); }), "");
  EXPECT_NE(error([&] { set({n(1), string_value("a")}); }), "");
  EXPECT_NE(error([&] { equal(heap, set({n(1)}), tuple({n(1)})); }), "");
  EXPECT_FALSE(equal(heap, set({n(1), n(2)}), set({string_value("a")})));
  EXPECT_FALSE(equal(heap, record({{"a", n(1)}}), record({{"b", n(1)}})));
}

}  // namespace
}  // namespace ordeal::tla
