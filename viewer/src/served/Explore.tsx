import { useEffect, useState } from "preact/hooks";
import { CheckForm, ScenariosForm } from "./ExploreForms";
import { jobs, refresh, selected, selectedId, unwatch, watch } from "./jobs";
import { JobTag, JobView } from "./JobView";
import "./served.css";
import "./explore.css";

/** Searches on the server: started here, watched while they go. */
export function Explore() {
  const [kind, setKind] = useState<"check" | "scenarios">("check");
  const current = selected.value;
  const others = jobs.value.some((job) => job.state === "running" && job !== current);
  useEffect(() => {
    const ask = () => refresh().catch(() => undefined); // the banner tells that the server is gone
    void ask();
    const timer = others ? setInterval(ask, 2000) : undefined;
    return () => clearInterval(timer);
  }, [others]);
  const watched = current?.state === "running" ? current.id : "";
  useEffect(() => {
    if (watched) watch(watched);
  }, [watched]);
  useEffect(() => unwatch, []);
  return (
    <div class="served explore">
      <div class="column">
        <section class="card" aria-labelledby="explore-title">
          <h2 id="explore-title">Search</h2>
          <div class="fork-tools" role="group" aria-label="What to run">
            <button type="button" aria-pressed={kind === "check"} onClick={() => setKind("check")}>A check</button>
            <button type="button" aria-pressed={kind === "scenarios"} onClick={() => setKind("scenarios")}>Scenarios</button>
          </div>
          {kind === "check" ? <CheckForm /> : <ScenariosForm />}
        </section>
        <section class="card" aria-labelledby="jobs-title">
          <h2 id="jobs-title">Searches</h2>
          {jobs.value.length === 0 ? <p class="what">None yet.</p> : null}
          <ul class="jobs">
            {jobs.value.map((job) => (
              <li key={job.id}>
                <button type="button" aria-pressed={job.id === current?.id} onClick={() => { selectedId.value = job.id; }}>
                  <JobTag job={job} /> <span class="mono">{job.what}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      </div>
      {current ? <JobView job={current} key={current.id} /> : (
        <p class="card what">A check visits the states of a subject and judges each; scenarios run it under filters.
          Start one, and watch it here.</p>
      )}
    </div>
  );
}
