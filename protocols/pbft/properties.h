// What must be true of PBFT's correct replicas and its clients.
#pragma once

#include "ordeal/property.h"
#include "ordeal/view.h"
#include "protocols/pbft/setup.h"

namespace ordeal::protocols::pbft {

// No two correct replicas execute different requests at a sequence number, or get different
// results.
Outcome replicas_agree(const View& view);
// Each correct replica executes without gaps, and applies no request twice.
Outcome executed_in_order_and_once(const View& view);
// What a client accepts is what a correct replica told it.
Outcome accepted_was_executed(const View& view);
// What a correct replica has executed in a view is proposed again in later ones, until a stable
// checkpoint has it. The invariant behind agreement.
Outcome executed_survives_view_changes(const View& view);
// Correct replicas keep nothing outside of the watermarks.
Outcome log_is_bounded(const View& view);
// Every client has been answered as often as it asks.
Outcome every_request_is_answered(const View& view);

Outcome something_is_executed(const View& view);
Outcome a_view_change_completes(const View& view);
Outcome a_checkpoint_is_stable(const View& view);
Outcome a_state_is_transferred(const View& view);

}  // namespace ordeal::protocols::pbft
