// The real server, and what tests of its pages share.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import { pageOf } from "./page";
import { command } from "./traces";

export interface Served {
  url: string;
  hash: string; // what the page is to show first
  end(): Promise<void>;
}

/** Starts `ordeal serve` on a free port. */
export async function serve(args: string[] = []): Promise<Served> {
  const child: ChildProcess = spawn(command, ["serve", "--port", "0", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  process.once("exit", () => child.kill()); // a test that fails half-way leaves no server behind
  const line = await new Promise<string>((found, failed) => {
    let said = "";
    const hear = (data: Buffer) => {
      said += data.toString();
      const match = /http:\/\/\S+(?=\s)/.exec(said);
      if (match) found(match[0]);
    };
    child.stdout!.on("data", hear);
    child.stderr!.on("data", hear);
    child.once("exit", () => failed(new Error(`'ordeal serve' ended: ${said}`)));
  });
  const [url = "", hash = ""] = line.split("#");
  return {
    url,
    hash: hash && `#${hash}`,
    end: async () => {
      child.kill("SIGINT");
      await ended;
    },
  };
}

/** Opens a page of a server, as it was built last; what goes wrong in it is collected. */
export async function openServed(page: Page, server: Served, hash = ""): Promise<string[]> {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    // A request that is refused is told on the page; the browser tells it here, too.
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) errors.push(message.text());
  });
  // A server that was compiled earlier holds an older page.
  await page.route(server.url, (route) => route.fulfill({ contentType: "text/html", body: pageOf({ served: true, runs: [] }) }));
  await page.goto(server.url + hash);
  return errors;
}

/** What `ordeal ARGUMENTS` exits with, and what it says. */
export function ordeal(args: string[]): { status: number; text: string } {
  try {
    return { status: 0, text: execFileSync(command, args, { encoding: "utf8", stdio: "pipe" }) };
  } catch (error) {
    const failed = error as { status: number; stdout: string; stderr: string };
    return { status: failed.status, text: failed.stdout + failed.stderr };
  }
}

/** Saves what a click downloads, and returns the file. */
export async function download(page: Page, click: () => Promise<void>): Promise<string> {
  const [saved] = await Promise.all([page.waitForEvent("download"), click()]);
  return saved.path();
}

const axe = readFileSync(fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** Nothing on the page keeps anybody from using it, as far as a program can tell; in light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    // What a page says is the same in light and dark; only its colours differ.
    const rules = colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {};
    const result = await page.evaluate((only) =>
      (window as unknown as { axe: { run: (where: Document, rules: object) => Promise<AxeResult> } }).axe.run(document, only), rules);
    const told = result.violations.map((one) =>
      `${one.id}: ${one.help}\n${one.nodes.map((node) => `${node.html}\n${node.failureSummary ?? ""}`).join("\n")}`);
    expect(told, colorScheme).toEqual([]);
  }
}

/** A screenshot for people to look at; with PICTURES set: in light and dark, on a small and a wide screen. */
export async function picture(page: Page, name: string): Promise<void> {
  const all = process.env.PICTURES !== undefined;
  for (const colorScheme of all ? (["dark", "light"] as const) : (["light"] as const)) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of all ? ([[1920, 1080], [1280, 800]] as const) : ([[1280, 800]] as const)) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: `../out/viewer/${name}-${colorScheme}-${width}.png` });
    }
  }
}
