// The commands about specifications, run as people do.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/tools/cli/process.h"
#include "tests/tools/tla/modules.h"

namespace ordeal::e2e {
namespace {

using Json = nlohmann::ordered_json;

class TlaCommands : public testing::Test {
 protected:
  std::string commit() { return modules_.add("Commit", kCommit, kCommitConfig); }
  // Violated after four steps, never before.
  std::string mail() {
    return modules_.add("Mail", R"(EXTENDS Naturals, Sequences
CONSTANT Node
VARIABLES queue, clock, seen
Init == queue = [n \in Node |-> <<>>] /\ clock = 0 /\ seen = {}
Send(n, m) == /\ Len(queue[n]) < 2 /\ clock < 3
              /\ queue' = [queue EXCEPT ![n] = Append(@, [to |-> m, time |-> clock])]
              /\ clock' = clock + 1 /\ UNCHANGED seen
Receive(n) == /\ queue[n] # <<>> /\ seen' = seen \cup {<<n, Head(queue[n])>>}
              /\ queue' = [queue EXCEPT ![n] = Tail(@)] /\ UNCHANGED clock
Next == (\E n, m \in Node : n # m /\ Send(n, m)) \/ \E n \in Node : Receive(n)
Few == \A s \in seen : s[2].time < 2
Clock(n) == clock >= n
Some == seen # {}
Short == [time |-> clock, waiting |-> [n \in Node |-> Len(queue[n])], next |-> clock'])",
                        "CONSTANT Node = {a, b}\nINIT Init\nNEXT Next\nINVARIANT Few\n"
                        "CHECK_DEADLOCK FALSE\nALIAS Short");
  }
  std::string file(const std::string& name) const { return modules_.file(name); }

  Modules modules_;
};

// --- eval ----------------------------------------------------------------------------------------

TEST_F(TlaCommands, EvalNeedsNoSpecification) {
  const Finished done =
      ordeal({"tla", "eval", "{x \\in 1..9 : x % 2 = 0}", "2^100",
              "[a |-> <<1, \"x\">>, b |-> {TRUE}]", "Cardinality(SUBSET (1..4))"});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(
      done.out,
      "{2, 4, 6, 8}\n1267650600228229401496703205376\n[a |-> <<1, \"x\">>, b |-> {TRUE}]\n16\n");
}

TEST_F(TlaCommands, EvalIsInTheInitialStateUnlessToldOtherwise) {
  const std::string path = commit();
  EXPECT_EQ(ordeal({"tla", "eval", path, "rm[r1]", "ENABLED Commit", "Cardinality(RM) + 1"}).out,
            "\"working\"\nFALSE\n4\n");
  const Finished checked = ordeal({"tla", "check", mail(), "--quiet", "--trace", file("t.json")});
  EXPECT_EQ(checked.exit, 1) << checked.err;
  EXPECT_EQ(ordeal({"tla", "eval", "--trace", file("t.json"), "--step", "2", "clock", "seen"}).out,
            "2\n{}\n");
  EXPECT_EQ(ordeal({"tla", "eval", file("Mail.tla"), "--trace", file("t.json"), "Few"}).out,
            "FALSE\n");
}

TEST_F(TlaCommands, EvalPrintsJsonWhereItIsAsked) {
  EXPECT_EQ(
      ordeal({"tla", "eval", "--json", "[a |-> <<1, \"x\">>, b |-> {TRUE}]", "1 :> 2 @@ 3 :> 4"})
          .out,
      "{\"a\":[1,\"x\"],\"b\":[true]}\n[[1,2],[3,4]]\n");
  EXPECT_EQ(ordeal({"tla", "eval", "--json", commit(), "rm"}).out,
            "{\"r1\":\"working\",\"r2\":\"working\",\"r3\":\"working\"}\n");
}

TEST_F(TlaCommands, EvalUnderlinesWhatHasNoValue) {
  const Finished done = ordeal({"tla", "eval", "1 + 1", "Lenn(<<1>>)", "<<1>>[2]", "3"});
  EXPECT_EQ(done.exit, 3);
  EXPECT_EQ(done.out, "2\n3\n");
  EXPECT_TRUE(has(done.err, "Lenn is not defined (did you mean 'Len'?)\n  Lenn(<<1>>)\n  ^^^^"))
      << done.err;
}

TEST_F(TlaCommands, EvalRefusesOptionsThatHaveNoMeaning) {
  EXPECT_TRUE(has(ordeal({"tla", "eval", "1", "--step", "2"}).err, "--step is for --trace"));
  EXPECT_TRUE(has(ordeal({"tla", "eval", "1", "--initial", "2"}).err, "none is named"));
  EXPECT_TRUE(has(ordeal({"tla", "eval", "1", "--config", "x.cfg"}).err, "none is named"));
  EXPECT_TRUE(
      has(ordeal({"tla", "eval", commit(), "--initial", "7", "1"}).err, "numbered from 0 to 0"));
  EXPECT_EQ(ordeal({"tla", "eval", file("None.tla"), "1"}).exit, 3);
}

TEST_F(TlaCommands, ThePromptReadsExpressionsOverSeveralLinesAndGoesOnAfterErrors) {
  const Finished done =
      ordeal({"tla", "eval", commit()},
             "rm[r1\n]\n1 +\n2\nnonsense(\nx)\n\n:state\n:nxt\nLET a == 2\nIN a * a\n"
             "Twice(x) == 2 * x\nTwice(21)\n");
  EXPECT_EQ(done.exit, 3);
  EXPECT_EQ(
      done.out,
      "\"working\"\n3\n"
      "/\\ rm = (r1 :> \"working\" @@ r2 :> \"working\" @@ r3 :> \"working\")\n/\\ tm = \"init\"\n"
      "/\\ prepared = {}\n/\\ msgs = {}\n4\n42\n");
  EXPECT_TRUE(has(done.err, "nonsense is not defined")) << done.err;
  EXPECT_TRUE(has(done.err, "there is no command ':nxt' (did you mean ':next'?)")) << done.err;
}

TEST_F(TlaCommands, ThePromptWalks) {
  const Finished done = ordeal({"tla", "eval", commit()},
                               ":next\n:do 1\nrm[r1]\n:back\nrm[r1]\n:do 99\n:reset\n:quit\n1\n");
  EXPECT_TRUE(has(done.out, "     0  Abort\n     1  Prepare(r = r1)\n")) << done.out;
  EXPECT_TRUE(has(done.out, "msgs = {[rm |-> r1, type |-> \"prepared\"]}\n\"prepared\"\n/\\ rm"));
  EXPECT_TRUE(has(done.err, "there is no action number 99; they are numbered from 0 to 3"));
  EXPECT_TRUE(done.out.ends_with("msgs = {}\n")) << done.out;
}

// --- graph ---------------------------------------------------------------------------------------

TEST_F(TlaCommands, GraphHasEveryStateAndEveryStep) {
  const Finished done =
      ordeal({"tla", "graph", commit(), "--json", file("g.json"), "--dot", file("g.dot")});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(done.out, "");
  EXPECT_EQ(done.err, "251 states, 889 steps\n");
  const Json graph = Json::parse(read_whole(file("g.json")));
  EXPECT_EQ(graph["complete"], true);
  ASSERT_EQ(graph["states"].size(), 251U);
  ASSERT_EQ(graph["steps"].size(), 889U);
  EXPECT_EQ(graph["states"][0]["initial"], true);
  EXPECT_EQ(graph["states"][0]["variables"].dump(),
            R"({"rm":{"r1":"working","r2":"working","r3":"working"},)"
            R"("tm":"init","prepared":[],"msgs":[]})");
  EXPECT_EQ(graph["steps"][1].dump(),
            R"({"from":0,"to":2,"action":"Prepare","arguments":{"r":"r1"}})");
  const std::string dot = read_whole(file("g.dot"));
  EXPECT_EQ(dot.find("digraph \"Commit\" {\n"), 0U);
  EXPECT_TRUE(has(dot, "  0 -> 2 [label=\"Prepare(r = r1)\"];\n"));
  // The same, again.
  ordeal({"tla", "graph", commit(), "--dot", file("again.dot")});
  EXPECT_EQ(read_whole(file("again.dot")), dot);
}

TEST_F(TlaCommands, GraphSaysWhereItWasCut) {
  const Finished done = ordeal({"tla", "graph", commit(), "--max-states", "10"});
  EXPECT_EQ(done.exit, 2);
  EXPECT_TRUE(has(done.out, "// not all of it: there are more than 10 states (--max-states)"));
  EXPECT_TRUE(has(done.err, "10 states, ")) << done.err;
  EXPECT_EQ(ordeal({"tla", "graph", commit(), "--max-states", "0"}).exit, 3);
  EXPECT_TRUE(
      has(ordeal({"tla", "graph", commit(), "--dot", "-", "--json", "-"}).err, "same place"));
}

TEST_F(TlaCommands, GraphShowsWhatLiesOutsideOfTheConstraint) {
  const std::string path =
      modules_.add("Count",
                   "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nUp == x' = x + 1\n"
                   "Next == Up\nSmall == x < 2",
                   "INIT Init\nNEXT Next\nCONSTRAINT Small");
  const Json graph = Json::parse(ordeal({"tla", "graph", path, "--json", "-"}).out);
  ASSERT_EQ(graph["states"].size(), 3U);
  EXPECT_FALSE(graph["states"][1].contains("outside"));
  EXPECT_EQ(graph["states"][2]["outside"], true);
  EXPECT_EQ(graph["steps"].size(), 2U);
}

// --- coverage ------------------------------------------------------------------------------------

TEST_F(TlaCommands, CoverageTellsOfActionsAndOfWhatWasNeverEvaluated) {
  const std::string path =
      modules_.add("Dead", R"(EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Up == /\ x < 5
      /\ x' = x + 1
      /\ IF x > 10 THEN y' = y + 1
                   ELSE y' = IF x = 2 THEN 1 ELSE y
Never(n) == /\ x > 7
            /\ x' = 0
            /\ y' \in {n, n + 1}
Next == Up \/ \E n \in 1..2 : Never(n)
Fine == x < 4 \/ y = 1 \/ (y > 5 => x = 1))",
                   "INIT Init\nNEXT Next\nINVARIANT Fine\nCHECK_DEADLOCK FALSE");
  const Finished done = ordeal({"tla", "check", path, "--coverage"});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_TRUE(has(done.out, "Up                 5             5\n")) << done.out;
  EXPECT_TRUE(has(done.out, "Never              0             0  never taken\n")) << done.out;
  EXPECT_TRUE(has(done.out, "7 of 26 expressions never evaluated:\n")) << done.out;
  EXPECT_TRUE(has(done.out, "Dead.tla:7:25  y' = y + 1\n")) << done.out;
  EXPECT_TRUE(has(done.out, "Dead.tla:10:16  x' = 0\n")) << done.out;
  const Json report = Json::parse(ordeal({"tla", "check", path, "--coverage", "--json", "-"}).out);
  const Json& coverage = report["coverage"];
  EXPECT_EQ(coverage["states"], 6);
  EXPECT_EQ(coverage["actions"][0]["name"], "Up");
  EXPECT_EQ(coverage["actions"][0]["taken"], 5);
  EXPECT_EQ(coverage["actions"][1]["distinct_states"], 0);
  bool found = false;
  for (const Json& one : coverage["expressions"]) {
    if (one["place"]["line"] != 13 || one["place"]["column"] != 9) continue;
    found = true;
    EXPECT_EQ(one["text"], "x < 4");
    EXPECT_EQ(one["count"], 6);
  }
  EXPECT_TRUE(found);
  EXPECT_FALSE(Json::parse(ordeal({"tla", "check", path, "--json", "-"}).out).contains("coverage"));
}

TEST_F(TlaCommands, CoverageCountsWhatAConstraintLeaves) {
  const std::string path =
      modules_.add("Wide",
                   "EXTENDS Naturals\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\n"
                   "A == x' = x + 1 /\\ UNCHANGED y\nB == y' = y + 1 /\\ UNCHANGED x\n"
                   "Next == A \\/ B\nSmall == x < 3 /\\ y < 3",
                   "INIT Init\nNEXT Next\nCONSTRAINT Small");
  const Json report = Json::parse(ordeal({"tla", "check", path, "--coverage", "--json", "-"}).out);
  EXPECT_EQ(report["distinct_states"], 9);
  EXPECT_EQ(report["coverage"]["actions"][0]["taken"], 9);
  EXPECT_EQ(report["coverage"]["actions"][1]["taken"], 9);
}

// --- traces --------------------------------------------------------------------------------------

TEST_F(TlaCommands, TracesNameActionsWithTheirArgumentsAndShowTheAlias) {
  const Finished checked =
      ordeal({"tla", "check", mail(), "--trace", file("t.json"), "--html", file("t.html")});
  EXPECT_EQ(checked.exit, 1) << checked.err;
  EXPECT_TRUE(has(checked.out, "after step 4")) << checked.out;
  EXPECT_TRUE(has(checked.out, "Send {n: a, m: b}  queue[a]")) << checked.out;
  EXPECT_TRUE(has(checked.out, "clock: 0 → 1")) << checked.out;
  EXPECT_EQ(ordeal({"replay", file("t.json")}).exit, 1);
  const Finished walked = ordeal({"explore", file("Mail.tla")}, "0\ns\nq\n");
  EXPECT_TRUE(has(walked.out, "Short: time: 0 → 1\n")) << walked.out;
  EXPECT_TRUE(has(walked.out, "Short: waiting[a]: 0 → 1\n")) << walked.out;
  EXPECT_TRUE(has(walked.out, "next: no value: ")) << walked.out;
  EXPECT_TRUE(has(read_whole(file("t.html")), "Short"));
}

TEST_F(TlaCommands, DefinitionsAreWaypoints) {
  const std::string path = mail();
  const Finished done = ordeal({"tla", "check", path, "--strategy", "waypoint", "--waypoints",
                                "Clock(1), Clock(3), Some", "--max-runs", "50"});
  EXPECT_EQ(done.exit, 1) << done.err;
  EXPECT_TRUE(has(done.out, "Clock(3): in ")) << done.out;
  const Finished wrong =
      ordeal({"tla", "check", path, "--strategy", "waypoint", "--waypoints", "Clok(1)"});
  EXPECT_EQ(wrong.exit, 3);
  EXPECT_TRUE(has(wrong.err, "did you mean 'Clock'?")) << wrong.err;
}

TEST_F(TlaCommands, SimulationsAreRepeatedByTheirSeed) {
  const std::string path = commit();
  const auto simulate = [&](const std::string& seed) {
    const Finished done = ordeal({"tla", "simulate", path, "--max-runs", "30", "--max-depth", "8",
                                  "--seed", seed, "--json", "-"});
    EXPECT_EQ(done.exit, 2) << done.err;
    const Json report = Json::parse(done.out);
    EXPECT_EQ(report["runs"], 30);
    EXPECT_EQ(report["seed"], std::stoi(seed));
    return report["steps"].dump() + report["distinct_states"].dump();
  };
  EXPECT_EQ(simulate("3"), simulate("3"));
  EXPECT_NE(simulate("3"), simulate("4"));
}

TEST_F(TlaCommands, ErrorsOfSpecificationsHaveTheirLines) {
  const std::string path =
      modules_.add("Wrong", "VARIABLE x\nInit == x = 0\nNext == x' = y", "INIT Init\nNEXT Next");
  for (const std::string command : {"check", "simulate", "graph", "serve", "eval"}) {
    const Finished done = ordeal({"tla", command, path});
    EXPECT_EQ(done.exit, 3);
    EXPECT_TRUE(has(done.err, "Wrong.tla:4:14: y is not defined")) << command << ": " << done.err;
    EXPECT_TRUE(has(done.err, "\n  Next == x' = y\n               ^"))
        << command << ": " << done.err;
  }
}

// --- serve ---------------------------------------------------------------------------------------

// One request over a socket; the whole answer.
std::string ask(int port, const std::string& head, const std::string& body) {
  const int to = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string out;
  if (::connect(to, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    const std::string text =
        head + "\r\nHost: 127.0.0.1:" + std::to_string(port) +
        "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body;
    (void)!::send(to, text.data(), text.size(), MSG_NOSIGNAL);
    char some[4096];
    for (ssize_t got; (got = ::recv(to, some, sizeof some, 0)) > 0;) {
      out.append(some, static_cast<size_t>(got));
    }
  }
  ::close(to);
  return out;
}

TEST_F(TlaCommands, ServeAnswersUntilItIsInterrupted) {
  const std::string path = commit();
  const std::string out = file("address");
  Process process({"tla", "serve", path, "--port", "0"}, "", out);
  std::string address;
  while (!has(address, "\n") && !process.has_ended()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    address = read_whole(out);
  }
  ASSERT_EQ(address.find("http://127.0.0.1:"), 0U) << address;
  EXPECT_TRUE(address.ends_with("/execute\n")) << address;
  const int port = std::stoi(address.substr(17));
  const std::string good = ask(port, "POST /execute HTTP/1.1",
                               R"([{"Name":"Prepare","Params":{"r":"r2"}},{"Reset":true}])");
  EXPECT_EQ(good.find("HTTP/1.1 200 OK"), 0U) << good;
  const Json answer = Json::parse(good.substr(good.find("\r\n\r\n") + 4));
  EXPECT_EQ(answer["states"].size(), 2U);
  EXPECT_EQ(answer["keys"].size(), 2U);
  EXPECT_EQ(ask(port, "POST /execute HTTP/1.1", "{").find("HTTP/1.1 400"), 0U);
  EXPECT_EQ(ask(port, "NONSENSE", "").find("HTTP/1.1 4"), 0U);
  process.send(SIGINT);
  EXPECT_EQ(process.finish().exit, 0);
}

TEST_F(TlaCommands, ServeRefusesWhatItCannotDo) {
  const std::string path = commit();
  EXPECT_TRUE(has(ordeal({"tla", "serve", path, "--port", "99999"}).err, "--port"));
  EXPECT_TRUE(
      has(ordeal({"tla", "serve", path, "--key", "nothing"}).err, "nothing is not defined"));
  EXPECT_TRUE(has(ordeal({"tla", "serve", path, "--events", file("none.json")}).err, "none.json"));
  const std::string plain = modules_.add("Plain", "Two == 2", "");
  EXPECT_TRUE(has(ordeal({"tla", "serve", plain}).err, "there are no behaviours to follow"));
}

}  // namespace
}  // namespace ordeal::e2e
