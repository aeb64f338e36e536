#include "ordeal/scenario.h"
#include "protocols/single_copy_register/single_copy_register.h"

namespace ordeal::protocols::single_copy_register {
namespace {

// Client 2 is cut off, so that client 1 has the register for itself.
Scenario own_write(const Arguments&) {
  Scenario scenario("who-is-alone-reads-its-own-write");
  scenario.what("without others, a client reads what it has written")
      .isolate(2)
      .machine(Machine("writing")
                   .on("writing", is_receive() && is_message<PutOk>(), "reading")
                   .on("reading", is_receive() && is_message<GetOk>([](const GetOk& ok) {
                                    return ok.value == 'A';
                                  }),
                       Machine::kSuccess)
                   .on("reading", is_receive() && is_message<GetOk>(), Machine::kFailure));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> scenarios() {
  return {{"who-is-alone-reads-its-own-write", "single-copy-register", {}, "stale-get", own_write}};
}

}  // namespace ordeal::protocols::single_copy_register
