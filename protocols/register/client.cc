#include "protocols/register/client.h"

#include <string>
#include <vector>

#include "protocols/common.h"

namespace ordeal::protocols {

std::vector<Parameter> register_parameters(const std::string& clients, const std::string& servers) {
  return {{"clients", clients, "how many clients", 1, 26},
          {"writers", "", "clients that write, then read; the others read twice; all by default", 1,
           26},
          {"servers", servers, "how many servers", 1, 9}};
}

Result<RegisterSizes> register_sizes(const Arguments& args, int clients, int servers) {
  RegisterSizes sizes;
  sizes.clients = number_or(args, "clients", clients);
  sizes.writers = number_or(args, "writers", sizes.clients);
  sizes.servers = number_or(args, "servers", servers);
  if (sizes.writers > sizes.clients) {
    return Error{"--writers " + std::to_string(sizes.writers) + ": there are " +
                 std::to_string(sizes.clients) + " clients"};
  }
  return sizes;
}

void add_register_properties(System& system) {
  system.always("linearizable", linearizable<RegisterSpec<Content>>());
  system.sometimes("value chosen", [](const View& view) {
    for (const InFlight& message : view.messages()) {
      const GetOk* ok = message.message->try_get<GetOk>();
      if (ok != nullptr && ok->value.has_value()) return true;
    }
    return false;
  });
}

}  // namespace ordeal::protocols
