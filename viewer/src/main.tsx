import { render } from "preact";
import { App } from "./ui/App";
import { Trouble } from "./ui/Trouble";
import { readDocument } from "./document";
import { listenToKeys } from "./keys";
import { loadSuite } from "./api";
import { startLinking } from "./served/linking";
import * as store from "./store";
import "./style.css";

function start(): void {
  const root = document.getElementById("app");
  if (!root) return;
  const data = document.getElementById("ordeal-view")?.textContent ?? "";
  const read = readDocument(data);
  document.documentElement.classList.add("app");
  if (!read.ok) {
    render(<Trouble what={read.error} />, root);
    return;
  }
  const page = read.value;
  store.title.value = page.title;
  store.served.value = page.served;
  store.reportJson.value = page.report;
  store.runs.value = page.runs;
  if (page.runs.length > 0) store.selectRun(0);
  else store.view.value = page.served ? "open" : "report";
  listenToKeys();
  if (page.served) void loadSuite();
  void startLinking();
  render(<App />, root);
}

start();
