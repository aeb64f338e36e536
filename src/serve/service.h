// Service: what `ordeal serve` answers, without the sockets. docs/reference/serve.md lists it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/suite.h"
#include "serve/answerer.h"
#include "serve/ask.h"
#include "serve/gate.h"
#include "serve/jobs.h"
#include "serve/lives.h"
#include "serve/page.h"
#include "serve/walks.h"

namespace ordeal::serve {

struct Setup {
  std::string version = {};                              // of the program
  std::string title = "Ordeal";                          // of the page
  std::vector<std::pair<std::string, Trace>> runs = {};  // that the page shows first, by name
};

class Service final : public Answerer {
 public:
  // REQUIRES: the suite outlives it.
  Service(const Suite& suite, Door door, Setup setup);
  ~Service() override;  // as stop()
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  std::optional<Answer> refuse(const Ask& ask) const override;
  Answer handle(const Ask& ask) override;
  // A job that is there before anybody asks. As in POST /api/jobs.
  Result<std::string> start_job(const Json& asked);

  // Ends all jobs and live runs, and with them all streams.
  void stop();
  const Gate& gate() const { return gate_; }

 private:
  Answer route(const Ask& ask);
  Answer get(const Ask& ask, const std::vector<std::string>& words);
  Answer post(const Ask& ask, const std::vector<std::string>& words);

  Answer suite();
  Answer run(const trace::Place& asked);
  Answer here(const trace::Place& asked);
  Answer step(const trace::Place& asked);
  Answer replay(const trace::Place& asked);
  Answer import(const trace::Place& asked);
  Answer list_jobs() const;
  Answer list_lives() const;
  Answer start_job(const trace::Place& asked);
  Answer get_job(const Ask& ask, const std::vector<std::string>& words) const;
  Answer get_live(const Ask& ask, const std::vector<std::string>& words) const;
  Answer start_live(const trace::Place& asked);
  // Of one job or live run: "stop", "command".
  std::optional<Answer> tell_job(const std::vector<std::string>& words) const;
  std::optional<Answer> tell_live(const std::vector<std::string>& words,
                                  const trace::Place& asked) const;

  const Suite& suite_;
  const Gate gate_;
  const Setup setup_;
  const Page page_;
  Walks walks_;
  Jobs jobs_;
  Lives lives_;
  std::once_flag suite_once_;
  std::string suite_text_;
};

}  // namespace ordeal::serve
