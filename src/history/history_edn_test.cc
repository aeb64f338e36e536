// Histories in EDN: what is read, what it means, and what is refused because it could mean
// something else than it says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "history/history_file.h"

namespace ordeal::edn {
namespace {

constexpr LinearVerdict kYes = LinearVerdict::kLinearizable, kNo = LinearVerdict::kNotLinearizable;

// "0 invoke write 1" as an event.
std::string event(const std::string& words) {
  std::vector<std::string> parts;
  size_t at = 0;
  for (int i = 0; i < 3; ++i) {
    const size_t end = words.find(' ', at);
    parts.push_back(words.substr(at, end - at));
    at = end == words.npos ? words.size() : end + 1;
  }
  return fmt::format("{{:process {}, :type :{}, :f :{}{}}}\n", parts[0], parts[1], parts[2],
                     at == words.size() ? "" : ", :value " + words.substr(at));
}
std::string history(const std::vector<std::string>& events) {
  std::string out;
  for (const std::string& words : events) out += event(words);
  return out;
}

HistoryOptions options_for(const std::string& model) {
  HistoryOptions options;
  options.model = model;
  return options;
}

HistoryVerdict check(const std::string& text, const HistoryOptions& options = {}) {
  const Result<HistoryVerdict> verdict = check_history_text("h.edn", text, options);
  EXPECT_TRUE(verdict) << verdict.error().message << "\n" << text;
  return verdict ? *verdict : HistoryVerdict{};
}
LinearVerdict verdict_of(const std::string& text, const HistoryOptions& options = {}) {
  return check(text, options).verdict;
}
std::string error_of(const std::string& text, const HistoryOptions& options = {}) {
  const Result<HistoryVerdict> verdict = check_history_text("h.edn", text, options);
  return verdict ? "no error" : verdict.error().message;
}

const std::vector<std::string> kWriteAndRead = {"0 invoke write 1", "0 ok write 1",
                                                "1 invoke read nil", "1 ok read 1"};

TEST(EdnHistory, EventsMayBeLaidOutInAnyWay) {
  std::string one_line, tagged = "#jepsen.history.DenseHistory [";
  for (const std::string& words : kWriteAndRead) {
    std::string text = event(words);
    text.back() = ' ';
    one_line += text;
    tagged += "#jepsen.history.Op" + text;
  }
  for (const std::string& text :
       {history(kWriteAndRead), one_line, "[" + one_line + "]", "(" + history(kWriteAndRead) + ")",
        tagged + "]", "; from a test\n" + one_line, "#_[not this] " + one_line,
        "\xEF\xBB\xBF" + one_line, "[" + one_line + "] [" + event("2 invoke read nil") + "]"}) {
    const HistoryVerdict verdict = check(text);
    EXPECT_EQ(verdict.verdict, kYes) << text;
    EXPECT_EQ(verdict.format, HistoryFormat::kEdn);
    EXPECT_EQ(verdict.model, "cas-register");
    EXPECT_GE(verdict.operations.size(), 2u);
  }
}

TEST(EdnHistory, OperationsAreNamedByLineAndByColumnWhereALineHasSeveral) {
  const std::string bad =
      history({"0 invoke write 1", "0 ok write 1"}) + history({"1 invoke read nil", "1 ok read 2"});
  EXPECT_NE(render(check(bad)).find("line 3: process 1: read = 2 (returned on line 4)"),
            std::string::npos);
  std::string one_line = bad;
  for (char& c : one_line) c = c == '\n' ? ' ' : c;
  const std::string shown = render(check(one_line));
  EXPECT_NE(shown.find("line 1:95: process 1: read = 2 (returned on line 1:145)"),
            std::string::npos)
      << shown;
}

TEST(EdnHistory, EventsOfWhatIsNoClientAreLeftOutAndCounted) {
  const std::string text = history(
      {"0 invoke write 1", ":nemesis info write 2", "0 ok write 1", ":nemesis info write 2",
       "1 invoke read nil", ":clock info bump {\"n1\" 3}", "1 ok read 1", ":nemesis invoke start"});
  const HistoryVerdict verdict = check(text);
  EXPECT_EQ(verdict.verdict, kYes);
  EXPECT_EQ(verdict.left_out, 4u);
  EXPECT_EQ(render(verdict),
            "linearizable: 2 operations by 2 processes, 0 of them never returned\n"
            "model cas-register; 4 events of :nemesis, :clock left out\n");
  // What else has a keyword for a name may be a client; it is not lost without a word.
  EXPECT_EQ(error_of(history({"0 invoke write 1", "0 ok write 1", ":p1 invoke read nil"})),
            "h.edn:3: :process (column 11): found :p1; a keyword is the name of what is no client "
            "and has only :info, but this is :invoke; a client has a number");
  EXPECT_EQ(error_of(history({":nemesis info start"})),
            "h.edn: no operation of a client in it; a history has at least one");
}

TEST(EdnHistory, WhatFailedDidNotHappen) {
  const HistoryVerdict verdict =
      check(history({"0 invoke write 1", "0 fail write 1", "1 invoke read nil", "1 ok read nil",
                     "0 invoke cas [7 8]", "0 fail cas [7 8]", "1 invoke cas [nil 2]",
                     "1 fail cas :conflict", "1 invoke read nil", "1 ok read nil"}));
  EXPECT_EQ(verdict.verdict, kYes);
  EXPECT_EQ(verdict.failed, 3u);
  EXPECT_NE(render(verdict).find("; 3 more operations failed and did not happen\n"),
            std::string::npos);
  EXPECT_EQ(verdict_of(history(
                {"0 invoke write 1", "0 fail write 1", "1 invoke read nil", "1 ok read 1"})),
            kNo);
  EXPECT_EQ(verdict_of(history({"0 invoke write 1", "0 fail write 1"})), kYes);
}

TEST(EdnHistory, WhatEndedWithInfoMayTakeEffectAtAnyLaterTimeOrNever) {
  std::vector<std::string> events = {"0 invoke write 1", "0 info write :timeout"};
  for (const char* read : {"1 ok read nil", "1 ok read nil", "1 ok read 1"}) {
    events.insert(events.end(), {"1 invoke read nil", read});
    EXPECT_EQ(verdict_of(history(events)), kYes);
  }
  events.insert(events.end(), {"1 invoke read nil", "1 ok read nil"});
  EXPECT_EQ(verdict_of(history(events)), kNo);
  EXPECT_EQ(check(history(events)).operations[0].returned.line, 0u);
  // The same for what the end of the file cut off.
  EXPECT_EQ(verdict_of(history({"0 invoke write 1", "1 invoke read nil", "1 ok read 1"})), kYes);
}

TEST(EdnHistory, AProcessEndsWithItsInfo) {
  const std::vector<std::string> events = {"7 invoke write 1", "7 info write 1"};
  for (const char* more :
       {"7 invoke read nil", "7 ok write 1", "7 info write 1", "7 fail write 1"}) {
    std::vector<std::string> longer = events;
    longer.emplace_back(more);
    EXPECT_EQ(
        error_of(history(longer)),
        "h.edn:3: event (column 1): process 7 goes on, but its operation of line 1 ended with "
        ":info on line 2 and may still be under way; from then on the client must have "
        "another number");
  }
}

struct Bad {
  std::string text;
  std::string error;
};

TEST(EdnHistory, EveryErrorNamesPlaceCauseAndRemedy) {
  const std::string write = event("0 invoke write 1");
  for (const Bad& bad : std::vector<Bad>{
           {"[]", "h.edn: no operation of a client in it"},
           {"; nothing\n", "h.edn: no operation of a client in it"},
           {write + "hello",
            "h.edn:2: event (column 1): found \"hello\"; an event reads {:process 0"},
           {write + "[[1 :ok :read 1]]", "h.edn:2: event (column 2): found \"[1 :ok"},
           {"{\"process\" 0}",
            "h.edn:1: field name (column 2): found \"\\\"process\\\" 0}\"; the name "
            "of a field is a keyword, such as :type"},
           {write + "{:type :ok}",
            "h.edn:2: event (column 1): :process is missing; an event reads"},
           {write + "{:process 0, :f :write}", "h.edn:2: event (column 1): :type is missing"},
           {"{:process 0 :type :invoke}", "h.edn:1: event (column 1): :f is missing"},
           {"{:process 0 :type :invoke :typ :ok}", ":f is missing"},
           {"{:process 0 :process 0}", "h.edn:1: field name (column 13): :process is here twice"},
           {"{:process 0 :type :start :f :read}",
            "h.edn:1: :type (column 19): found :start; one of :invoke, :ok, :fail, :info is right"},
           {"{:process 0 :type \"ok\" :f :read}", ":type (column 19): found \"ok\"; one of"},
           {"{:process \"0\" :type :invoke :f :read}",
            "h.edn:1: :process (column 11): found \"0\"; the number of a client, or a keyword"},
           {"{:process -1 :type :invoke :f :read}", "found -1; the number of a client"},
           {"{:process 1.0 :type :invoke :f :read}", "found 1.0; the number of a client"},
           {"{:process nil :type :invoke :f :read}", "found nil; the number of a client"},
           {"{:process 0 :type :invoke :f \"read\"}",
            "h.edn:1: :f (column 30): found \"read\"; the name of a function, such as :read"},
           {event("0 ok read 1"),
            "h.edn:1: event (column 1): :ok for process 0, which has no "
            "operation under way; an :invoke must come before it"},
           {event("0 info read 1"), ":info for process 0, which has no operation under way"},
           {write + event("0 ok write 1") + event("0 ok write 1"),
            "h.edn:3: event (column 1): :ok for process 0, which has no operation under way"},
           {write + event("0N invoke read nil"),
            "h.edn:2: event (column 1): process 0 invokes an operation, but the one it invoked on "
            "line 1 has not returned; a process has one operation at a time"},
           {write + event("0 ok read 1"),
            "h.edn:2: :f (column 28): :read ends an operation that line 1 invoked as :write"},
           {write + event("0 ok write 2"),
            "h.edn:2: :value (column 43): process 0 returns another operation than the one that it "
            "invoked on line 1, with 1; function and arguments must be the same"},
           {write + event("0 ok write nil"), "process 0 returns another operation"},
           {event("0 invoke write"),
            "h.edn:1: :value (column 1): it is missing; the value that is "
            "written should stand here"},
           {event("0 invoke read nil") + event("0 ok read") + write,
            "h.edn:2: :value (column 1): it is missing; what was read should stand here"},
           {event("0 invoke cas 1"),
            "h.edn:1: :value (column 45): found 1; a :cas has two values, "
            "as in [1 2] (expected, new)"},
           {event("0 invoke cas [1 2 3]"), "found [1 2 3]; a :cas has two values"},
           {event("0 invoke write 1/2"), "h.edn:1: text (column 47): found \"1/2\"; ratios"},
           {event("0 invoke write [1"), "h.edn:1: text (column 49): found '}', but what begins"},
           {write + "{:process 0",
            "h.edn:2: text (column 1): what begins here is never closed by '}'"},
           {"[" + write, "h.edn:1: text (column 1): what begins here is never closed by ']'"},
           {write + "{:process 0 :type }", "h.edn:2: text (column 19): found '}' where a value"},
           {write + "{:process 0 :time }", "h.edn:2: text (column 19): found '}' where a value"},
       }) {
    const std::string error = error_of(bad.text);
    EXPECT_NE(error.find(bad.error), std::string::npos) << error << "\n" << bad.error;
  }
}

TEST(EdnHistory, EventsMustBeInTheOrderOfTheirNumbers) {
  const auto numbered = [](int a, int b) {
    return fmt::format(
        "{{:process 0 :type :invoke :f :write :value 1 :index {}}}\n"
        "{{:process 0 :type :ok :f :write :value 1 :index {}}}\n",
        a, b);
  };
  EXPECT_EQ(verdict_of(numbered(3, 17)), kYes);
  EXPECT_EQ(verdict_of(numbered(-1, -1)), kYes);
  EXPECT_EQ(error_of(numbered(4, 3)),
            "h.edn:2: :index (column 49): event 3 comes behind event 4; events must be in their "
            "order, and none twice");
  EXPECT_NE(error_of(numbered(4, 4)).find("event 4 comes behind event 4"), std::string::npos);
  EXPECT_NE(error_of("{:process :nemesis :type :info :index 9}" + numbered(4, 5))
                .find("event 4 comes behind event 9"),
            std::string::npos);
  EXPECT_NE(error_of("{:process 0 :type :invoke :f :read :index \"1\"}")
                .find("found \"1\"; the number of the event"),
            std::string::npos);
}

TEST(EdnHistory, RegistersHoldAnyValue) {
  const auto write_then_read = [](const std::string& written, const std::string& read) {
    return verdict_of(history({"0 invoke write " + written, "0 ok write " + written,
                               "1 invoke read nil", "1 ok read " + read}));
  };
  EXPECT_EQ(write_then_read("\"a\\nb\"", "\"a\nb\""), kYes);
  EXPECT_EQ(write_then_read("[1 2]", "(1 2)"), kYes);
  EXPECT_EQ(write_then_read("{:a #{1 2}}", "{:a #{2 1}}"), kYes);
  EXPECT_EQ(write_then_read("18446744073709551616", "18446744073709551616N"), kYes);
  EXPECT_EQ(write_then_read("nil", "nil"), kYes);
  EXPECT_EQ(write_then_read("1", "1.0"), kNo);
  EXPECT_EQ(write_then_read(":a", "\"a\""), kNo);
  EXPECT_EQ(write_then_read("[1 2]", "[2 1]"), kNo);
  EXPECT_EQ(write_then_read("#inst \"2024-01-01\"", "\"2024-01-01\""), kNo);
}

TEST(EdnHistory, ARegisterHoldsNilAtFirstUnlessToldOtherwise) {
  const std::string read_0 = history({"0 invoke read nil", "0 ok read 0", "0 invoke write 1"});
  EXPECT_EQ(verdict_of(read_0), kNo);
  HistoryOptions options;
  options.initial = "0";
  EXPECT_EQ(verdict_of(read_0, options), kYes);

  const std::string txn =
      history({"0 invoke txn [[:r :x nil] [:r :y nil]]", "0 ok txn [[:r :x 0] [:r :y nil]]"});
  EXPECT_EQ(verdict_of(txn), kNo);
  options.initial = "{:x 0, :y nil}";
  EXPECT_EQ(verdict_of(txn, options), kYes);

  options.initial = "7";
  EXPECT_EQ(error_of(txn, options),
            "--initial 7: a map from keys to values is right, such as {:x 0}");
  options.initial = "0 1";
  EXPECT_EQ(error_of(read_0, options),
            "--initial \"0 1\": one value in EDN is right, such as 0 or {:x 0}");
  options.initial = "[";
  EXPECT_EQ(error_of(read_0, options), "--initial \"[\": what begins here is never closed by ']'");
  EXPECT_EQ(error_of(history({"0 invoke acquire"}), options),
            "--initial is for registers; a mutex is always the same at first");
}

TEST(EdnHistory, AReadOfNilReadNilUnlessItIsSaidToBeUnknown) {
  std::vector<std::string> events = {"0 invoke write 1", "0 ok write 1", "0 invoke read nil",
                                     "0 ok read nil"};
  HistoryOptions options;
  EXPECT_EQ(verdict_of(history(events)), kNo);
  options.nil_is_unknown = true;
  EXPECT_EQ(verdict_of(history(events), options), kYes);
  events.insert(events.end(), {"0 invoke read nil", "0 ok read 2"});
  EXPECT_EQ(verdict_of(history(events), options), kNo);

  const std::string txn = history({"0 invoke txn [[:w :x 1]]", "0 ok txn [[:w :x 1]]",
                                   "0 invoke txn [[:r :x nil] [:w :x 2] [:r :x nil]]",
                                   "0 ok txn [[:r :x nil] [:w :x 2] [:r :x 2]]",
                                   "1 invoke read {:x nil, :y nil}", "1 ok read {:x 2, :y nil}"});
  EXPECT_EQ(verdict_of(txn), kNo);
  EXPECT_EQ(verdict_of(txn, options), kYes);
  EXPECT_EQ(error_of(history({"0 invoke acquire"}), options),
            "--nil-unknown is for registers; a mutex has no reads that return nil");
}

TEST(EdnHistory, KeysAreCheckedOneByOne) {
  const auto with_keys = [](const std::string& first, const std::string& second) {
    std::string out;
    for (const std::string& text :
         {":type :invoke :f :write :value 1 :key " + first,
          ":type :ok :f :write :value 1 :key " + first, ":type :invoke :f :read :key " + second,
          ":type :ok :f :read :value nil :key " + second}) {
      out += "{:process 0 " + text + "}\n";
    }
    return out;
  };
  EXPECT_EQ(verdict_of(with_keys("1", "2")), kYes);
  EXPECT_EQ(verdict_of(with_keys("1", "\"1\"")), kYes);
  EXPECT_EQ(verdict_of(with_keys("1", "1")), kNo);
  const HistoryVerdict verdict = check(with_keys(":a", ":a"));
  EXPECT_EQ(verdict.keys, 1u);
  const std::string shown = render(verdict);
  EXPECT_EQ(shown.find("NOT linearizable: 2 operations by 1 process on 1 key, 0 of them"), 0u);
  EXPECT_NE(shown.find("process 0: key :a: read = nil"), std::string::npos) << shown;
  EXPECT_NE(shown.find("Longest order found (1 operation on that key), with the register after"),
            std::string::npos);
  EXPECT_EQ(check(with_keys("1", "2")).keys, 2u);
}

TEST(EdnHistory, PairsHaveAKeyAndAValue) {
  const std::vector<std::string> pairs = {
      "0 invoke write [1 5]",  "0 ok write [1 5]", "1 invoke cas [2 [nil 3]]", "1 info cas nil",
      "2 invoke read [2 nil]", "2 ok read [2 3]",  "3 invoke read [1 nil]",    "3 ok read [1 5]",
      "4 invoke write [1 6]",  "4 fail write :no"};
  HistoryOptions options;
  options.independent = true;
  EXPECT_EQ(verdict_of(history(pairs), options), kYes);
  EXPECT_EQ(check(history(pairs), options).keys, 2u);

  // With a tag nothing needs to be said.
  std::vector<std::string> tagged = pairs;
  for (std::string& words : tagged) {
    if (const size_t at = words.find(" ["); at != words.npos) {
      words.insert(at, " #jepsen.independent/tuple");
    }
  }
  EXPECT_EQ(verdict_of(history(tagged)), kYes);
  EXPECT_EQ(verdict_of(history(tagged), options), kYes);
  EXPECT_EQ(check(history(tagged)).keys, 2u);

  // Without, pairs would be values.
  EXPECT_EQ(
      error_of(history({"0 invoke write [1 5]", "0 ok write [1 5]", "2 invoke read [2 nil]"})),
      "h.edn:3: :value (column 46): found [2 nil]; a :read is invoked with nil; if this is a "
      "pair [key nil], say --independent, if these are parts of a transaction, say --model "
      "multi-register");
  EXPECT_EQ(error_of(history({"0 invoke write 5"}), options),
            "h.edn:1: :value (column 47): found 5; a pair [key value] should stand here");
  EXPECT_EQ(error_of(history({"0 invoke acquire"}), options),
            "h.edn:1: :value (column 1): it is missing; a pair [key value] should stand here");
}

TEST(EdnHistory, KeysThatDoNotFitTogetherAreRefused) {
  const std::string keyed = "{:process 0 :type :invoke :f :write :value 1 :key 1}\n";
  EXPECT_EQ(error_of(keyed + "{:process 0 :type :ok :f :write :value 1 :key 2}"),
            "h.edn:2: :key (column 47): 2 ends an operation that line 1 invoked with 1");
  EXPECT_EQ(
      error_of(keyed + event("1 invoke write 1")),
      "h.edn:2: event (column 1): this operation has no key, but the first one, on line 1, has "
      "one; either all have keys or none");
  EXPECT_NE(error_of(event("1 invoke write 1") + keyed).find("has a key, but the first one"),
            std::string::npos);
  EXPECT_EQ(verdict_of(keyed + "{:process 0 :type :ok :f :write :value 1}"), kYes);
  EXPECT_EQ(error_of("{:process 0 :type :invoke :f :write :key 1 :value "
                     "#jepsen.independent/tuple [1 2]}"),
            "h.edn:1: :key (column 42): the value is a pair [key value], which has a key already; "
            "give one of the two");
}

TEST(EdnHistory, TheFunctionsTellTheModelWhereOnlyOneHasThem) {
  const auto model_of = [](const std::vector<std::string>& events) {
    return check(history(events)).model;
  };
  EXPECT_EQ(model_of({"0 invoke write 1", "1 invoke read nil"}), "cas-register");
  EXPECT_EQ(model_of({"0 invoke cas [1 2]"}), "cas-register");
  EXPECT_EQ(model_of({"0 invoke txn []", "1 invoke read {:x nil}"}), "multi-register");
  EXPECT_EQ(model_of({"0 invoke release"}), "mutex");
  EXPECT_EQ(model_of({"0 invoke add 1", "1 invoke read nil"}), "set");
  EXPECT_EQ(check("{:process 0 :type :invoke :f :get :key \"a\"}").model, "kv");
  EXPECT_EQ(
      error_of(history({"0 invoke enqueue 1", "1 invoke dequeue nil"})),
      "h.edn: :enqueue, :dequeue can be operations of several models; say which with --model: "
      "fifo-queue, unordered-queue");
  EXPECT_EQ(error_of(history({"0 invoke read nil"})),
            "h.edn: :read can be operations of several models; say which with --model: "
            "cas-register, multi-register, set");
  EXPECT_EQ(error_of(history({"0 invoke read nil", "1 invoke enqueue 1"})).substr(0, 80),
            "h.edn: no model has all of :read, :enqueue; the models are register (:read, :wri");
}

TEST(EdnHistory, AFunctionThatTheModelDoesNotKnowIsRefusedWithThoseThatItKnows) {
  EXPECT_EQ(error_of(history({"0 invoke write 1", "0 ok write 1", "0 invoke cas [1 2]"}),
                     options_for("register")),
            "h.edn:3: :f (column 32): found :cas; the model register knows :read, :write");
  EXPECT_EQ(error_of(history({"0 invoke drain nil"}), options_for("fifo-queue")),
            "h.edn:1: :f (column 32): found :drain; the model fifo-queue knows :enqueue, :dequeue");
  // One that did not happen, too: a name that is wrong there is wrong elsewhere.
  EXPECT_NE(error_of(history({"0 invoke lock", "0 fail lock"}), options_for("mutex")), "no error");
}

TEST(EdnHistory, AMutexIsHeldByOneAtATime) {
  EXPECT_EQ(verdict_of(history({"0 invoke acquire", "0 ok acquire", "1 invoke acquire nil",
                                "0 invoke release", "1 ok acquire nil", "0 ok release"})),
            kYes);
  const HistoryVerdict verdict = check(
      history({"0 invoke acquire", "0 ok acquire", "1 invoke acquire nil", "1 ok acquire nil"}));
  EXPECT_EQ(verdict.verdict, kNo);
  EXPECT_NE(verdict.explanation.find("after the longest order found the mutex is held"),
            std::string::npos);
  EXPECT_EQ(verdict_of(history({"0 invoke release", "0 ok release"})), kNo);
  EXPECT_EQ(verdict_of(history({"0 invoke release", "0 fail release"})), kYes);
}

TEST(EdnHistory, AQueueGivesWhatIsInIt) {
  const HistoryOptions fifo = options_for("fifo-queue"), bag = options_for("unordered-queue");
  const std::vector<std::string> events = {"0 invoke enqueue :a",  "0 ok enqueue :a",
                                           "0 invoke enqueue :b",  "0 ok enqueue :b",
                                           "1 invoke dequeue nil", "1 ok dequeue :b"};
  EXPECT_EQ(verdict_of(history(events), bag), kYes);
  const HistoryVerdict verdict = check(history(events), fifo);
  EXPECT_EQ(verdict.verdict, kNo);
  EXPECT_EQ(verdict.explanation,
            "process 1's dequeue = :b, invoked on line 5, cannot be placed before its return on "
            "line 6: after the longest order found the queue holds [:a :b]");

  // Somebody who never came back may have taken it; a failed dequeue took nothing.
  std::vector<std::string> taken = {"9 invoke dequeue nil", "9 info dequeue nil"};
  taken.insert(taken.end(), events.begin(), events.end());
  EXPECT_EQ(verdict_of(history(taken), fifo), kYes);
  taken[1] = "9 fail dequeue nil";
  EXPECT_EQ(verdict_of(history(taken), fifo), kNo);

  const HistoryVerdict twice =
      check(history({"0 invoke enqueue 1", "0 ok enqueue 1", "1 invoke dequeue nil",
                     "1 ok dequeue 1", "1 invoke dequeue nil", "1 ok dequeue 1"}),
            bag);
  EXPECT_EQ(twice.verdict, kNo);
  EXPECT_NE(render(twice).find("the queue does not hold that value"), std::string::npos);
  EXPECT_NE(render(twice).find("Longest order found (2 operations of that value), with the queue"),
            std::string::npos)
      << render(twice);

  for (const HistoryOptions& options : {fifo, bag}) {
    EXPECT_EQ(error_of(history({"0 invoke dequeue nil", "0 ok dequeue nil"}), options),
              "h.edn:2: :value (column 45): found nil; the value that was dequeued should stand "
              "here; a :dequeue that got nothing ends with :fail");
    EXPECT_NE(error_of(history({"0 invoke enqueue nil"}), options).find("and not nil"),
              std::string::npos);
  }
}

TEST(EdnHistory, ASetHasWhatWasAdded) {
  std::vector<std::string> events = {"0 invoke add 1", "0 ok add 1", "1 invoke add 2",
                                     "1 info add 2", "2 invoke read nil"};
  const auto reads = [&](const std::string& value) {
    std::vector<std::string> all = events;
    all.push_back("2 ok read " + value);
    return history(all);
  };
  EXPECT_EQ(verdict_of(reads("#{1}")), kYes);
  EXPECT_EQ(verdict_of(reads("[2 1]")), kYes);
  EXPECT_EQ(verdict_of(reads("#{}")), kNo);
  EXPECT_EQ(verdict_of(reads("#{1 3}")), kNo);
  EXPECT_EQ(error_of(reads("[1 1]")),
            "h.edn:6: :value (column 42): 1 is here twice; a set has each value once");
  EXPECT_EQ(error_of(reads("1")),
            "h.edn:6: :value (column 42): found 1; all that is in the set should stand here, as in "
            "#{1 2} or [1 2]");
}

TEST(EdnHistory, TransactionsReadAndWriteSeveralRegistersAtOnce) {
  const std::vector<std::string> start = {"0 invoke write {:x 1, :y 1}", "0 ok write {:x 1, :y 1}",
                                          "0 invoke txn [[:r :x nil] [:w :y 2]]"};
  const auto then = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = start;
    all.insert(all.end(), more.begin(), more.end());
    return history(all);
  };
  const HistoryOptions options = options_for("multi-register");
  EXPECT_EQ(verdict_of(then({"1 invoke read {:x nil, :y nil}", "0 ok txn [[:read :x 1] [:w :y 2]]",
                             "1 ok read {:y 2, :x 1}"}),
                       options),
            kYes);
  EXPECT_EQ(verdict_of(then({"1 invoke read [[:r :x nil] [:r :y nil]]",
                             "0 ok txn [[:r :x 1] [:w :y 2]]", "1 ok read [[:r :x 1] [:r :y 3]]"}),
                       options),
            kNo);
  for (const Bad& bad : std::vector<Bad>{
           {then({"0 ok txn [[:r :x 1]]"}),
            "h.edn:4: :value (column 41): process 0 returns another"},
           {then({"0 ok txn [[:r :x 1] [:w :y 3]]"}), "process 0 returns another operation"},
           {then({"0 ok txn [[:r :y 1] [:w :y 2]]"}), "process 0 returns another operation"},
           {then({"0 ok txn nil"}),
            "found nil; a transaction has [[:read key nil] [:write key value] …]"},
           {then({"1 invoke txn [[:append :x 1]]"}), "found [[:append :x 1]]; a transaction has"},
           {then({"1 invoke txn {:x 1}"}), "found {:x 1}; a transaction has"},
           {then({"1 invoke txn [[:r :x]]"}), "found [[:r :x]]; a transaction has"},
           {then({"1 invoke txn"}), "h.edn:4: :value (column 1): it is missing; a transaction has"},
           {then({"1 invoke read [[:w :x 1]]"}),
            "found [[:w :x 1]]; a :read has [[:read key nil] …] or {key nil, …}"},
           {then({"1 invoke write 3"}), "found 3; a :write has [[:write key value] …] or"},
       }) {
    const std::string error = error_of(bad.text, options);
    EXPECT_NE(error.find(bad.error), std::string::npos) << error << "\n" << bad.error;
  }
}

TEST(EdnHistory, AMapOfStringsHasKeysAndValuesThatAreStrings) {
  const std::string put = "{:process 0, :type :invoke, :f :put, :key \"k\", :value \"v\"}\n";
  const std::string done = "{:process 0, :type :ok, :f :put, :key \"k\", :value \"v\"}\n";
  const std::string get = "{:process 1, :type :invoke, :f :get, :key \"k\", :value nil}\n";
  EXPECT_EQ(verdict_of(put + done + get + "{:process 1 :type :ok :f :get :key \"k\" :value \"v\"}"),
            kYes);
  EXPECT_EQ(verdict_of(get + "{:process 1 :type :ok :f :get :key \"k\" :value nil}"), kYes);
  EXPECT_EQ(verdict_of(put + done + get + "{:process 1 :type :ok :f :get :key \"k\" :value nil}"),
            kNo);
  for (const Bad& bad : std::vector<Bad>{
           {"{:process 0 :type :invoke :f :get}",
            "h.edn:1: :key (column 1): it is missing; the key"},
           {"{:process 0 :type :invoke :f :get :key 1}",
            "h.edn:1: :key (column 40): found 1; a string should stand here"},
           {"{:process 0 :type :invoke :f :put :key \"k\" :value 1}", "found 1; a string should"},
           {"{:process 0 :type :invoke :f :append :key \"k\"}", "it is missing; a string should"},
           {get + "{:process 1 :type :ok :f :get :key \"k\" :value 1}",
            "found 1; a string, or nil if the key has none"},
       }) {
    const std::string error = error_of(bad.text);
    EXPECT_NE(error.find(bad.error), std::string::npos) << error << "\n" << bad.error;
  }
}

}  // namespace
}  // namespace ordeal::edn
