// A protocol that comes as text: a table of rules is read, and nodes are made that follow it.
#include <ordeal/ordeal.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace dynamic = ordeal::dynamic;
using dynamic::ConstRef;
using dynamic::Ref;
using ordeal::Context;
using ordeal::NodeId;

// [table]
// In a state, when something happens: the state that follows, and what is said to the next node of
// the ring ("-": nothing). The first state is where all begin; `start` happens to node 1 alone.
const std::string kFair =
    "idle  start  busy  -\n"
    "busy  leave  idle  Token\n"
    "idle  Token  busy  -\n";
// This one passes the token on before it leaves.
const std::string kHasty =
    "idle  start  busy  Token\n"
    "busy  leave  idle  -\n"
    "idle  Token  busy  Token\n";
// [/table]

struct Rule {
  std::string to;
  std::string says;
};
struct Table {
  std::vector<std::string> states;
  std::set<std::string> words;
  std::map<std::pair<std::string, std::string>, Rule> rules;
};

Table read(const std::string& text) {
  Table table;
  std::istringstream in(text);
  std::string from;
  std::string event;
  for (Rule rule; in >> from >> event >> rule.to >> rule.says;) {
    for (const std::string& state : {from, rule.to}) {
      const auto& known = table.states;
      if (std::find(known.begin(), known.end(), state) == known.end())
        table.states.push_back(state);
    }
    if (rule.says != "-") table.words.insert(rule.says);
    table.rules[{from, event}] = rule;
  }
  return table;
}

// [types]
// The types follow from the table: the states are an enumeration, each word is a message.
struct Types {
  const ordeal::value::Type* node = nullptr;
  std::map<std::string, const ordeal::value::Type*> words;
};

ordeal::Result<Types> types_of(const Table& table) {
  Types out;
  const auto state = dynamic::enumeration("State", table.states);
  if (!state) return state.error();
  const auto node = dynamic::record("Member", {{"state", *state}, {"turns", dynamic::type<int>()}});
  if (!node) return node.error();
  out.node = *node;
  for (const std::string& word : table.words) {
    const auto message = dynamic::record(word, {{"turn", dynamic::type<int>()}});
    if (!message) return message.error();
    out.words[word] = *message;
  }
  return out;
}
// [/types]

// [interpreter]
// What happens to a node is looked up in the table. A closure has the table and the types with it;
// what it changes is the state, and nothing else.
dynamic::NodeType member(const Table& table, const Types& types, int most) {
  const auto happens = [=](Ref self, Context& ctx, const std::string& event) {
    const auto rule = table.rules.find({self["state"].enumerator(), event});
    if (rule == table.rules.end()) return;
    self["state"].set_enumerator(rule->second.to);
    if (rule->second.to == "busy") ctx.set_timer("leave");
    int& turns = self["turns"].as<int>();
    if (rule->second.says == "-" || turns == most) return;
    dynamic::Value said(types.words.at(rule->second.says));
    said["turn"].set(++turns);
    ctx.send(ctx.self() % ctx.group_size() + 1, said);
  };
  dynamic::NodeType out("Member", types.node);
  out.start([=](Ref self, Context& ctx) {
    if (ctx.self() == 1) happens(self, ctx, "start");
  });
  out.timer([=](Ref self, Context& ctx, const std::string& name) { happens(self, ctx, name); });
  for (const auto& [word, message] : types.words) {
    out.on(message, [=, word = word](Ref self, Context& ctx, NodeId, ConstRef) {
      happens(self, ctx, word);
    });
  }
  return out;
}
// [/interpreter]

ordeal::Result<ordeal::System> ring(const std::string& text, int nodes, int turns) {
  const Table table = read(text);
  const ordeal::Result<Types> types = types_of(table);
  if (!types) return types.error();
  ordeal::System system;
  // [system]
  system.add(member(table, *types, turns).source(text), nodes);
  const auto busy = [](ConstRef node) { return node["state"].enumerator() == "busy"; };
  system.always("one is busy", dynamic::pairs(types->node, [=](ConstRef a, ConstRef b) {
                  return !(busy(a) && busy(b));
                }));
  // [/system]
  return system;
}

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "rule-ring",
             .what = "nodes that follow a table of rules",
             .parameters = {{"nodes", "3", "how many nodes", 1, 9},
                            {"turns", "2", "how often each passes the token on", 1, 9}},
             .bugs = {{"hasty", "the token goes on before its holder leaves", "one is busy"}},
             .build = [](const ordeal::Arguments& args) {
               return ring(args.bug("hasty") ? kHasty : kFair, args.number<int>("nodes"),
                           args.number<int>("turns"));
             }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
