import { useEffect, useRef, useState } from "preact/hooks";
import { treeOf } from "../panel/facts";
import { ValueTree } from "../panel/ValueTree";
import type { Run } from "../trace/run";

/** The state of a node, beside the ring. */
export function Card({ run, node, step, onClose }: {
  run: Run; node: number; step: number; onClose: () => void;
}) {
  const [open, setOpen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [node]);
  const now = treeOf(run, node, step);
  const before = step > 0 ? treeOf(run, node, step - 1) : undefined;
  const name = run.nodeName(node);
  return (
    <section class="ring-card" aria-label={`State of node ${name}`}>
      <header>
        <h2 ref={heading} tabIndex={-1}>Node {name} after step {step}</h2>
        <button type="button" aria-label="Close" title="Close (Escape)" onClick={onClose}>×</button>
      </header>
      {now === undefined
        ? <p>This run was written without states. A report written with <code>--html</code> has them.</p>
        : (
          <ValueTree label={`State of node ${name}`} value={now} before={before} open={open}
            onToggle={(path, is) => setOpen(new Map([...open, [path, is]]))} openLevels={1} />
        )}
    </section>
  );
}
