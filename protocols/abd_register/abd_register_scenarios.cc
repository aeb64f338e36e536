#include "ordeal/scenario.h"
#include "protocols/abd_register/abd_register.h"

namespace ordeal::protocols::abd_register {
namespace {

// Servers 0, 1 and 2; client 3 writes at server 0, client 4 reads at server 1, then at server 2.
// The write is recorded at server 0 only. The first read asks servers 0 and 1, the second 1 and 2.
Scenario half_written(const Arguments&) {
  Scenario scenario("half-written-value-is-read-twice");
  scenario.what("a value that one read has returned is returned by every later one")
      .filter(
          when(is_send() && is_message<Record>() && from(0)).then(drop(), release("first read")))
      .filter(when(is_send() && is_message<Get>() && to(1) && counter("reads") == 0)
                  .then(count("reads"), hold("first read")))
      .filter(when(is_send() && is_message<AckQuery>() && from(2) && to(1)).then(drop()))
      .filter(when(is_send() && is_message<AckQuery>() && from(0) && to(2)).then(drop()))
      .machine(
          Machine("waiting")
              .on("waiting", is_receive() && is_message<GetOk>() && to(4), "read once")
              .on("read once", is_receive() && is_message<GetOk>() && to(4), Machine::kSuccess));
  return scenario;
}

// A read found nothing and writes that back; its messages arrive when the write is done.
Scenario old_value_last(const Arguments&) {
  Scenario scenario("old-value-arrives-last");
  const Condition writes_nothing_back =
      is_send() && from(1) && is_message<Record>([](const Record& r) { return !r.held.value; });
  scenario.what("a value that is written back late does not replace a newer one")
      .filter(when(is_send() && is_message<Query>() && from(0) && in_state("first"))
                  .then(hold("write")))
      .filter(when(writes_nothing_back).then(hold("nothing"), release("write")))
      .filter(when(is_send() && is_message<Record>() && from(0) && to(1)).then(drop()))
      .filter(when(is_send() && is_message<PutOk>()).then(deliver(), release("nothing")))
      .machine(Machine("first")
                   .on("first", writes_nothing_back, "read")
                   .on("read", is_receive() && is_message<GetOk>() && to(3), Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> scenarios() {
  const std::string subject = "abd-register";
  const std::map<std::string, std::string> reader = {{"writers", "1"}, {"servers", "3"}};
  return {
      {"half-written-value-is-read-twice", subject, reader, "skip-write-back", half_written},
      {"old-value-arrives-last", subject, reader, "ignore-sequencer", old_value_last},
  };
}

}  // namespace ordeal::protocols::abd_register
