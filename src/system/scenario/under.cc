#include "system/scenario/product.h"

namespace ordeal {

Result<std::unique_ptr<Checkable>> under(const Scenario& scenario, const Checkable& subject) {
  if (const auto valid = subject.validate(); !valid) return valid.error();
  if (const auto valid = validate(scenario, subject); !valid) return valid.error();
  auto monitor = monitor::Monitor::make(scenario, subject);
  if (!monitor) return monitor.error();
  return std::unique_ptr<Checkable>(std::make_unique<monitor::Product>(*monitor, subject));
}

}  // namespace ordeal
