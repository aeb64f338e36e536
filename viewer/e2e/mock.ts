// A server that speaks the contract badly or not at all: for what a real one never does.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pageOf, type PageData } from "./page";

export type Answer = (body: unknown, request: IncomingMessage, response: ServerResponse) => unknown;

export interface Mock {
  url: string;
  /** What an endpoint ("GET /api/suite") says; what it returns is sent as JSON. */
  answers: Record<string, Answer>;
  asked: string[];
  /** The server ends, and all that is connected is cut. */
  end(): Promise<void>;
}

export async function startMock(data: Partial<PageData> = {}, port = 0): Promise<Mock> {
  const answers: Record<string, Answer> = {
    "GET /api/suite": () => ({
      version: "0.1.0",
      subjects: [{ name: "made", what: "made here", parameters: [], bugs: [] }],
      scenarios: [], strategies: [{ name: "random", what: "at random", stateful: false }],
    }),
  };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").replace(/\?.*$/, "");
    if (path === "/") {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(pageOf({ served: true, runs: [], ...data }));
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const name = `${request.method} ${path}`;
      asked.push(name);
      const answer = answers[name];
      const text = Buffer.concat(chunks).toString();
      const said = answer?.(text ? JSON.parse(text) : null, request, response);
      if (response.headersSent) return;
      response.statusCode = answer ? response.statusCode : 404;
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(said ?? { error: `there is no ${name}` }));
    });
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    answers,
    asked,
    end: () => new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    }),
  };
}
