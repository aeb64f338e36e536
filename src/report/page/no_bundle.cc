// Compiled instead of the viewer where ORDEAL_VIEWER is off.
#include "report/page/bundle.h"

namespace ordeal::report {

const Bundle kBundle = {};

}  // namespace ordeal::report
