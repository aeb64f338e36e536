// Threads of live runs that nobody waits for any more: each is in a handler that does not return.
// What they touch of the run they own together with it, so that it is there as long as they are.
// What is static is not theirs: a process that exits while there are any exits at once, without
// destroying it.
#pragma once

namespace ordeal::live {

int threads_left_behind();
// Who waits for a thread says that it does no longer, and the thread, when it ends after all, that
// it has.
void leave_thread_behind();
void end_thread_left_behind();

}  // namespace ordeal::live
