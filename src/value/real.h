// Reals as text, for trees and JSON. Every real has a text of its own: two NaNs too.
#pragma once

#include <string>
#include <string_view>

namespace ordeal::value {

// "1.5", "2.0", "-0.0", "inf", "nan", "-nan"; a NaN with other bits than the usual ones: "nan:" and
// its bits.
std::string real_text(double d);
// Reads what real_text() gives for what is not finite. False: it is no such text.
bool special_real(std::string_view text, double& out);

}  // namespace ordeal::value
