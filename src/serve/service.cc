#include "serve/service.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text.h"

namespace ordeal::serve {
namespace {

// "/api/jobs/3" is api, jobs, 3. Nothing: no path of this server looks like that.
std::vector<std::string> words_of(const std::string& path) {
  std::vector<std::string> words;
  size_t at = 0;
  while (at < path.size()) {
    if (path[at] != '/') return {};
    const size_t end = std::min(path.find('/', at + 1), path.size());
    words.push_back(path.substr(at + 1, end - at - 1));
    at = end;
  }
  return words;
}

Answer nothing_there(const Ask& ask) {
  return problem(404, fmt::format("there is no {}; docs/reference/serve.md lists what there is",
                                  cut_to(one_line(ask.path), 100)));
}

}  // namespace

Service::Service(const Suite& suite, Door door, Setup setup)
    : suite_(suite),
      gate_(std::move(door)),
      setup_(std::move(setup)),
      page_(make_page(setup_.title, setup_.runs)),
      walks_(suite),
      jobs_(suite),
      lives_(suite) {}

Service::~Service() { stop(); }

void Service::stop() {
  lives_.stop();
  jobs_.stop();
}

std::optional<Answer> Service::refuse(const Ask& ask) const {
  std::optional<Answer> refused = gate_.refuse(ask);
  if (refused) add_safety_headers(kNothingAllowed, *refused);
  return refused;
}

Answer Service::handle(const Ask& ask) {
  if (std::optional<Answer> refused = refuse(ask)) return *std::move(refused);
  if (ask.method != "POST" && ask.path == "/") {
    Answer out = answer_text(page_.html);
    out.type = "text/html; charset=utf-8";
    add_safety_headers(page_.policy, out);
    return out;
  }
  Answer out = route(ask);
  add_safety_headers(kNothingAllowed, out);
  return out;
}

Answer Service::route(const Ask& ask) {
  const std::vector<std::string> words = words_of(ask.path);
  if (words.size() < 2 || words[0] != "api") return nothing_there(ask);
  return ask.method == "POST" ? post(ask, words) : get(ask, words);
}

Answer Service::get(const Ask& ask, const std::vector<std::string>& words) {
  const std::string& what = words[1];
  if (words.size() == 2 && what == "suite") return suite();
  if (words.size() == 2 && what == "jobs") return list_jobs();
  if (words.size() == 2 && what == "live") return list_lives();
  if (words.size() > 2 && what == "jobs") return get_job(ask, words);
  if (words.size() > 2 && what == "live") return get_live(ask, words);
  return nothing_there(ask);
}

Answer Service::get_job(const Ask& ask, const std::vector<std::string>& words) const {
  const std::shared_ptr<Job> job = jobs_.find(words[2]);
  if (job == nullptr) return nothing_there(ask);
  if (words.size() == 3) return answer_text(job->to_json());
  if (words.size() == 4 && words[3] == "stream") return answer_stream(Job::stream(job));
  return nothing_there(ask);
}

Answer Service::get_live(const Ask& ask, const std::vector<std::string>& words) const {
  const std::shared_ptr<Live> live = lives_.find(words[2]);
  if (live == nullptr) return nothing_there(ask);
  if (words.size() == 3) return answer_text(live->to_json());
  if (words.size() != 4 || words[3] != "stream") return nothing_there(ask);
  uint32_t from = 0;
  if (const auto at = ask.query.find("from"); at != ask.query.end()) {
    const std::string& text = at->second;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), from);
    if (text.empty() || error != std::errc() || stop != text.data() + text.size()) {
      return problem(400, fmt::format("from: found '{}'; expected how many steps are known",
                                      cut_to(one_line(text), 60)));
    }
  }
  return answer_stream(Live::stream(live, from));
}

Answer Service::post(const Ask& ask, const std::vector<std::string>& words) {
  const Result<Json> body = trace::parse_json(ask.body, "a request");
  if (!body) return problem(400, body.error().message);
  std::optional<Error> error;
  const trace::Place asked(*body, "", error, "the request");
  if (!body->is_object()) asked.fail("an object");
  if (error) return problem(400, error->message);
  const std::string& what = words[1];
  std::optional<Answer> out;
  if (words.size() == 2) {
    if (what == "run") out = run(asked);
    if (what == "here") out = here(asked);
    if (what == "step") out = step(asked);
    if (what == "replay") out = replay(asked);
    if (what == "import") out = import(asked);
    if (what == "jobs") out = start_job(asked);
    if (what == "live") out = start_live(asked);
  }
  if (words.size() == 4 && what == "jobs") out = tell_job(words);
  if (words.size() == 4 && what == "live") out = tell_live(words, asked);
  if (!out) return nothing_there(ask);
  // What is wrong with the request comes before what came of it.
  return error ? problem(400, error->message) : *std::move(out);
}

std::optional<Answer> Service::tell_job(const std::vector<std::string>& words) const {
  const std::shared_ptr<Job> job = jobs_.find(words[2]);
  if (job == nullptr || words[3] != "stop") return std::nullopt;
  job->stop();
  return answer(Json::object());
}

std::optional<Answer> Service::tell_live(const std::vector<std::string>& words,
                                         const trace::Place& asked) const {
  const std::shared_ptr<Live> live = lives_.find(words[2]);
  if (live == nullptr) return std::nullopt;
  if (words[3] == "stop") {
    live->run().stop();
    return answer(Json::object());
  }
  if (words[3] != "command") return std::nullopt;
  const std::string text = asked["text"].text();
  if (asked.failed()) return Answer{};
  const Result<std::string> says = live->run().command(text);
  if (!says) return problem(400, "text: " + says.error().message);
  return answer(Json{{"says", *says}});
}

Answer Service::list_lives() const {
  Json json = {{"live", Json::array()}};
  for (const auto& live : lives_.all()) {
    json["live"].push_back(
        {{"id", live->id()}, {"what", live->what()}, {"running", live->run().status().running}});
  }
  return answer(json);
}

Answer Service::start_live(const trace::Place& asked) {
  if (lives_.full()) return problem(429, "too many live runs; stop one of them first");
  const Result<std::shared_ptr<Live>> live = lives_.start(asked);
  if (!live) return problem(400, live.error().message);
  return answer(Json{{"id", (*live)->id()}});
}

Answer Service::list_jobs() const {
  std::string out = "{\"jobs\":[";
  bool first = true;
  for (const auto& job : jobs_.all()) {
    out += (first ? "" : ",") + job->to_json(Job::Part::kWithoutRuns);
    first = false;
  }
  return answer_text(out + "]}");
}

Answer Service::start_job(const trace::Place& asked) {
  if (jobs_.full()) return problem(429, "too many jobs are running; stop one of them first");
  const Result<std::shared_ptr<Job>> job = jobs_.start(asked);
  if (!job) return problem(400, job.error().message);
  return answer(Json{{"id", (*job)->id()}});
}

Result<std::string> Service::start_job(const Json& asked) {
  std::optional<Error> error;
  const Result<std::shared_ptr<Job>> job =
      jobs_.start(trace::Place(asked, "", error, "the request"));
  if (error) return *error;
  if (!job) return job.error();
  return (*job)->id();
}

}  // namespace ordeal::serve
