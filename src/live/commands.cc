#include "live/commands.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <vector>

#include "base/text.h"

namespace ordeal {

const std::vector<LiveVerb>& live_verbs() {
  static const std::vector<LiveVerb> verbs = {
      {"pause N", "node N handles nothing; what comes waits"},
      {"resume N", "it goes on"},
      {"crash N", "node N loses everything but what it has persisted"},
      {"restart N", "it comes back"},
      {"request INDEX", "make a declared request, as 'status' numbers them, once more"},
      {"request node N", "the next request of node N, in turn"},
      {"drop A B", "messages from A to B are lost from now on"},
      {"deliver A B", "they arrive again"},
      {"delay A B MS", "messages sent from A to B take MS milliseconds longer"},
      {"cut A B", "messages between A and B are lost, both ways"},
      {"heal", "all links as at the start"},
      {"speed X", "time passes X times as fast"},
      {"status", "how the run stands: nodes, links, requests, properties"},
      {"nodes", "the nodes alone"},
      {"help", "this list"},
      {"stop", "end the run; the recording stays"},
  };
  return verbs;
}

namespace live {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view line) {
  Words words;
  size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r\n", at)) != line.npos) {
    const size_t end = std::min(line.find_first_of(" \t\r\n", at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

template <class T>
Result<T> number(const std::string& what, const std::string& word, T least, T most) {
  T value{};
  const char* end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, value);
  // What is no number compares with nothing.
  if (error == std::errc() && stopped == end && value >= least && value <= most) return value;
  return Error{
      fmt::format("{} is a number from {} to {}, not '{}'", what, least, most, one_line(word))};
}

constexpr int kMostId = 1'000'000'000;

Result<int> node(const std::string& word) { return number<int>("a node", word, 0, kMostId); }

struct Verb {
  const char* name;
  size_t least;  // words behind it
  size_t most;
  std::function<Result<std::string>(Cluster&, const Words&)> run;
};

template <class F>
auto of_node(F&& act) {
  return [act](Cluster& cluster, const Words& words) -> Result<std::string> {
    const Result<int> id = node(words[1]);
    if (!id) return id.error();
    return (cluster.*act)(*id);
  };
}

template <class F>
auto of_link(F act) {
  return [act](Cluster& cluster, const Words& words) -> Result<std::string> {
    const Result<int> from = node(words[1]);
    if (!from) return from.error();
    const Result<int> to = node(words[2]);
    if (!to) return to.error();
    return act(cluster, *from, *to, words);
  };
}

Result<std::string> make_request(Cluster& cluster, const Words& words) {
  if (words[1] == "node") {
    if (words.size() < 3) return Error{"which node? request node N"};
    const Result<int> id = node(words[2]);
    return id ? cluster.request_of(*id) : id.error();
  }
  if (words.size() > 2) return Error{"request takes INDEX or node N"};
  const Result<uint32_t> index = number<uint32_t>("a request", words[1], 0, kMostId);
  return index ? cluster.request(*index) : index.error();
}

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {
      {"pause", 1, 1, of_node(&Cluster::pause)},
      {"resume", 1, 1, of_node(&Cluster::resume)},
      {"crash", 1, 1, of_node(&Cluster::crash)},
      {"restart", 1, 1, of_node(&Cluster::restart)},
      {"request", 1, 2, make_request},
      {"drop", 2, 2, of_link([](Cluster& cluster, int from, int to, const Words&) {
         return cluster.set_drop(from, to, true);
       })},
      {"deliver", 2, 2, of_link([](Cluster& cluster, int from, int to, const Words&) {
         return cluster.set_drop(from, to, false);
       })},
      {"delay", 3, 3,
       of_link([](Cluster& cluster, int from, int to, const Words& words) -> Result<std::string> {
         const Result<double> ms = number<double>("a delay", words[3], 0, 1e6);
         return ms ? cluster.set_delay(from, to, *ms) : ms.error();
       })},
      {"cut", 2, 2,
       of_link([](Cluster& cluster, int a, int b, const Words&) { return cluster.cut(a, b); })},
      {"heal", 0, 0, [](Cluster& cluster, const Words&) { return cluster.heal(); }},
      {"speed", 1, 1,
       [](Cluster& cluster, const Words& words) -> Result<std::string> {
         const Result<double> speed = number<double>("a speed", words[1], 0.001, 1000);
         return speed ? cluster.set_speed(*speed) : speed.error();
       }},
      {"status", 0, 0, {}},
      {"nodes", 0, 0, {}},
      {"help", 0, 0, {}},
      {"stop", 0, 0, {}},
  };
  return all;
}

std::string forms_of(const std::string& name) {
  std::vector<std::string> forms;
  for (const LiveVerb& verb : live_verbs()) {
    const std::string form = verb.form;
    if (form == name || form.starts_with(name + " ")) forms.push_back(form);
  }
  return join(forms, ", or ");
}

// With as many words behind it as it takes.
Result<const Verb*> find_verb(const Words& words) {
  if (words.empty()) return Error{"an empty line says nothing; 'help' lists the commands"};
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    names.emplace_back(verb.name);
    if (words[0] != verb.name) continue;
    const size_t behind = words.size() - 1;
    if (behind >= verb.least && behind <= verb.most) return &verb;
    return Error{fmt::format("that command is: {}", forms_of(verb.name))};
  }
  return Error{fmt::format("there is no command '{}'{}; there are {}", one_line(words[0]),
                           did_you_mean(words[0], names), join(names, ", "))};
}

std::string help() {
  std::string out;
  for (const LiveVerb& verb : live_verbs()) out += fmt::format("{:<16}{}\n", verb.form, verb.what);
  out.pop_back();
  return out;
}

}  // namespace

Result<Obeyed> obey(std::string_view line, Cluster& cluster) {
  const Words words = words_of(line);
  const Result<const Verb*> verb = find_verb(words);
  if (!verb) return verb.error();
  if ((*verb)->run) {
    Result<std::string> said = (*verb)->run(cluster, words);
    if (!said) return said.error();
    return Obeyed{Obeyed::Then::kSay, *std::move(said)};
  }
  if (words[0] == "help") return Obeyed{Obeyed::Then::kSay, help()};
  if (words[0] == "status") return Obeyed{Obeyed::Then::kStatus, ""};
  if (words[0] == "nodes") return Obeyed{Obeyed::Then::kNodes, ""};
  return Obeyed{Obeyed::Then::kStop, "the run is over"};
}

std::string show_nodes(const LiveStatus& status) {
  std::string out;
  for (const LiveStatus::Node& node : status.nodes) {
    const char* how = !node.up ? "down" : node.paused ? "paused" : "up";
    out += fmt::format("{}node {} ({}): {}, {} waiting", out.empty() ? "" : "\n", node.id,
                       one_line(node.name), how, counted(node.queue, "event"));
  }
  return out;
}

std::string show_status(const LiveStatus& status) {
  std::string out = fmt::format("{}, {}, {}", status.running ? "running" : "over",
                                seconds_text(status.seconds), counted(status.steps, "step"));
  if (status.speed != 1) out += fmt::format(", at speed {:g}", status.speed);
  if (!status.why.empty()) out += ": " + one_line(status.why);
  out += "\n" + show_nodes(status);
  for (const LiveStatus::Link& link : status.links) {
    out += fmt::format("\nlink {}→{}:{}{}", link.from, link.to, link.drop ? " loses messages" : "",
                       link.delay_ms > 0 ? fmt::format(" {:g} ms longer", link.delay_ms) : "");
  }
  for (const LiveStatus::Request& request : status.requests) {
    out += fmt::format("\nrequest {}: {} for node {}", request.index, one_line(request.text),
                       request.node);
  }
  for (const LiveStatus::Verdict& verdict : status.verdicts) {
    const bool goal = verdict.kind == "sometimes";
    const std::string how = verdict.violated  ? fmt::format("✗ violated in step {}", verdict.step)
                            : verdict.reached ? fmt::format("✓ reached in step {}", verdict.step)
                            : goal            ? std::string("- not reached yet")
                                              : std::string("✓ not violated so far");
    out += fmt::format("\n{}: {} ({})", how, one_line(verdict.property), verdict.kind);
  }
  return out;
}

}  // namespace live

Result<void> check_live_command(std::string_view line) {
  const auto verb = live::find_verb(live::words_of(line));
  if (!verb) return verb.error();
  return {};
}

}  // namespace ordeal
