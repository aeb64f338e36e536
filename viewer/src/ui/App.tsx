import type { ComponentType } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { Compare } from "../compare/Compare";
import { Diagram } from "../diagram/Diagram";
import { useKeys } from "../keys";
import { Overview } from "../overview/Overview";
import { StepPanel } from "../panel/StepPanel";
import { Ring } from "../ring/Ring";
import { Explore } from "../served/Explore";
import { Fork } from "../served/Fork";
import { currentLink } from "../served/linking";
import { Live } from "../served/Live";
import { Open } from "../served/Open";
import { StateView } from "../state/StateView";
import { SearchBar, SearchButton } from "../steps/SearchBar";
import { Steps } from "../steps/Steps";
import * as store from "../store";
import { Banners } from "./Banners";
import { CopyButton } from "./CopyButton";
import { Help } from "./Help";
import { ReportView } from "./ReportView";
import { RunPicker } from "./RunPicker";
import { Transport } from "./Transport";

interface View {
  name: store.ViewName;
  label: string;
  component: ComponentType;
  needsRun: boolean;
  servedOnly?: boolean;
  heading?: boolean; // has one of its own
  panel?: boolean; // with the selected step beside it, and the playback below
}

// Every view is one component that reads the store. The order is that of the tabs.
export const VIEWS: View[] = [
  { name: "overview", label: "Overview", component: Overview, needsRun: true, heading: true },
  { name: "diagram", label: "Diagram", component: Diagram, needsRun: true, panel: true },
  { name: "ring", label: "Ring", component: Ring, needsRun: true, panel: true },
  { name: "state", label: "State", component: StateView, needsRun: true, panel: true },
  { name: "steps", label: "Steps", component: Steps, needsRun: true, panel: true },
  { name: "compare", label: "Compare", component: Compare, needsRun: true },
  { name: "fork", label: "Fork", component: Fork, needsRun: true, servedOnly: true, panel: true },
  { name: "explore", label: "Explore", component: Explore, needsRun: false, servedOnly: true },
  { name: "live", label: "Live", component: Live, needsRun: false, servedOnly: true },
  { name: "open", label: "Open", component: Open, needsRun: false },
  { name: "report", label: "Report", component: ReportView, needsRun: false, heading: true },
];

function shownViews(): View[] {
  return VIEWS.filter((view) =>
    (!view.servedOnly || store.served.value) && (!view.needsRun || store.run.value !== null));
}

function Tabs() {
  const views = shownViews();
  const at = views.findIndex((view) => view.name === store.view.value);
  const go = (index: number) => {
    const next = views[(index + views.length) % views.length];
    if (!next) return;
    store.view.value = next.name;
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") go(at + 1);
    else if (event.key === "ArrowLeft") go(at - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(views.length - 1);
    else return;
    event.preventDefault();
  };
  return (
    <div role="tablist" aria-label="Views" class="tabs" onKeyDown={onKeyDown}>
      {views.map((view) => (
        <button role="tab" id={`tab-${view.name}`} key={view.name} class="tab" type="button"
          aria-selected={view.name === store.view.value} aria-controls="view"
          tabIndex={view.name === store.view.value ? 0 : -1}
          onClick={() => { store.view.value = view.name; }}>
          {view.label}
        </button>
      ))}
    </div>
  );
}

function Current({ view }: { view: View }) {
  const [error] = useErrorBoundary();
  if (error) {
    const what = error instanceof Error ? error.message : String(error);
    return <p role="alert" class="trouble">This view failed: {what}</p>;
  }
  const Shown = view.component;
  return <Shown />;
}

export function App() {
  const views = shownViews();
  const current = views.find((view) => view.name === store.view.value) ?? views[0];
  useKeys([
    { keys: ["ArrowRight", "j"], what: "next step", run: () => store.selectStep(store.step.value + 1) },
    { keys: ["ArrowLeft", "k"], what: "previous step", run: () => store.selectStep(store.step.value - 1) },
    { keys: ["Home"], what: "to the start", run: () => store.selectStep(0) },
    { keys: ["End"], what: "to the last step", run: () => store.selectStep(Infinity) },
    { keys: ["v"], what: "to the violation",
      run: () => store.selectStep(store.run.value?.verdictStep ?? 0) },
    ...views.slice(0, 9).map((view, i) => ({
      keys: [String(i + 1)], what: `view: ${view.label}`, run: () => { store.view.value = view.name; },
    })),
  ], [views.map((view) => view.name).join()]);
  return (
    <div class="shell">
      <header class="bar">
        <span class="brand">Ordeal</span>
        <RunPicker />
        <Tabs />
        <span class="spring" />
        <SearchButton />
        <CopyButton label="Copy link" text={currentLink} title="A link to this run, view and step"
          none="no link: save the trace instead" />
        <Help />
      </header>
      <SearchBar />
      <Banners />
      <main class="stage">
        {current && !current.heading ? <h1 class="page-title">{current.label}</h1> : null}
        <div class="middle">
          <div id="view" class="view" role="tabpanel" tabIndex={-1}
            aria-labelledby={current ? `tab-${current.name}` : undefined}>
            {current ? <Current key={current.name} view={current} /> : <p>There is nothing to show.</p>}
          </div>
          {current?.panel ? <StepPanel /> : null}
        </div>
        {current?.panel ? <Transport /> : null}
      </main>
      <p class="notice" role="status" aria-live="polite">{store.notice.value}</p>
    </div>
  );
}
