import { Long } from "../panel/words";
import type { Run } from "../trace/run";
import { CopyButton } from "../ui/CopyButton";
import { commandsOf } from "./address";

/** The commands that run it again, to be copied. */
export function Again({ run }: { run: Run }) {
  const commands = commandsOf(run);
  if (commands.length === 0) return null;
  return (
    <section class="over-box" aria-labelledby="over-again">
      <h2 id="over-again">Commands</h2>
      {commands.map((command) => (
        <div class="over-command" key={command.what}>
          <span>{command.what}</span>
          <CopyButton label="Copy" name={`Copy the command: ${command.what}`} text={() => command.line} />
          <code><Line text={command.line} /></code>
        </div>
      ))}
    </section>
  );
}

/** A command broken between its options, never inside of one. */
function Line({ text }: { text: string }) {
  const [first, ...options] = text.split(/ (?=--)/);
  return <><Long text={first!} most={160} what="command" />{options.map((option, i) => <span key={i}> <span class="over-option">{option}</span></span>)}</>;
}
