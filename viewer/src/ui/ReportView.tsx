import { useEffect, useRef } from "preact/hooks";

/** The static part of the page: verdict, properties, coverage. It is there without scripts too. */
export function ReportView() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const report = document.getElementById("report");
    const home = report?.parentElement;
    if (!report || !home || !host.current) return;
    host.current.appendChild(report);
    return () => { home.appendChild(report); };
  }, []);
  return <div ref={host} class="report-host" />;
}
