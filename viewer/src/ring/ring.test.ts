import { describe, expect, test } from "vitest";
import { madeTrace } from "../../e2e/traces";
import { DiagramModel, isFlight } from "../diagram/model";
import { Run, type Message } from "../trace/run";
import { flightAt, NEAR, skyAt } from "./flights";
import { alongChord, besideOf, chordOf, circleOf, placeOf } from "./place";
import { fieldPaths, firstVariable, hueOf, variableAt, variablesOf } from "./variables";

const message = (parts: Partial<Message>): Message => ({
  id: 0, kind: "deliver", from: 1, to: 2, type: "M", text: "M", sentAt: 3, endedAt: 8,
  fate: "delivered", copiedAt: 0, again: false, ...parts,
});

describe("a message on its way", () => {
  test("leaves, waits near the receiver, and arrives with the step that takes it", () => {
    const at = (moment: number) => flightAt(message({}), moment);
    expect(at(2.9)).toBeNull();
    expect(at(3)!.at).toBeLessThan(0.2);
    expect(at(3.5)).toMatchObject({ way: "moving" });
    expect(at(5)).toEqual({ message: message({}), way: "waiting", at: NEAR, fallen: 0 });
    expect(at(7.5)!.at).toBeGreaterThan(NEAR);
    expect(at(8)).toMatchObject({ way: "arrived", at: 1 });
    expect(at(8.6)).toBeNull();
  });

  test("never moves back", () => {
    for (const parts of [{}, { endedAt: 4 }, { endedAt: 5 }, { endedAt: -1, fate: "in flight" as const }]) {
      let last = 0;
      for (let moment = 3; moment <= 8; moment += 0.05) {
        const flight = flightAt(message(parts), moment);
        if (!flight) continue;
        expect(flight.at).toBeGreaterThanOrEqual(last - 1e-9);
        last = flight.at;
      }
    }
  });

  test("falls off when it is dropped, near its sender when a filter takes it at once", () => {
    expect(flightAt(message({ fate: "dropped" }), 8)).toMatchObject({ way: "dropped", fallen: 0 });
    expect(flightAt(message({ fate: "dropped" }), 8.5)!.fallen).toBeCloseTo(0.5);
    expect(flightAt(message({ fate: "dropped" }), 9)).toBeNull();
    const lost = flightAt(message({ fate: "lost", endedAt: 3 }), 3)!;
    expect(lost.way).toBe("lost");
    expect(lost.at).toBeLessThan(0.5);
  });

  test("a copy begins in the step that makes it", () => {
    expect(flightAt(message({ copiedAt: 5 }), 4.5)).toBeNull();
    expect(flightAt(message({ copiedAt: 5 }), 5.2)!.way).toBe("moving");
  });
});

test("the sky at a step holds what was sent and has not ended, counted", () => {
  const model = new DiagramModel(new Run(madeTrace(400)));
  for (const step of [0, 57, 200, 399, 400]) {
    const sky = skyAt(model, step, new Set());
    const moving = sky.flights.filter((flight) => flight.way === "moving").length;
    const waiting = sky.waiting.reduce((sum, group) => sum + group.count, 0);
    const expected = model.run.messages.filter((m) => isFlight(m) && m.sentAt <= step &&
      (m.endedAt < 0 || m.endedAt > step)).length;
    expect(moving + waiting).toBe(expected);
    expect([...sky.waitingAt.values()].reduce((a, b) => a + b, 0)).toBe(waiting);
  }
});

test("hidden types do not fly", () => {
  const model = new DiagramModel(new Run(madeTrace(100)));
  const sky = skyAt(model, 60, new Set(["Ask", "Answer", "Append", "Ack"]));
  expect([sky.flights.length, sky.waiting.length]).toEqual([0, 0]);
});

describe("places", () => {
  test("nodes do not touch, up to many of them", () => {
    for (const count of [2, 5, 12, 40]) {
      const circle = circleOf(count, 900, 700);
      const places = Array.from({ length: count }, (_, i) => placeOf(circle, i, count));
      places.forEach((a, i) => places.slice(i + 1).forEach((b) => {
        expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(2 * circle.node);
      }));
    }
  });

  test("there and back are two ways, both from edge to edge", () => {
    const [a, b] = [{ x: 0, y: 0 }, { x: 300, y: 0 }];
    const there = alongChord(chordOf(a, b, 30), 0.5);
    const back = alongChord(chordOf(b, a, 30), 0.5);
    expect(Math.abs(there.y - back.y)).toBeGreaterThan(10);
    const start = alongChord(chordOf(a, b, 30), 0);
    expect(Math.hypot(start.x, start.y)).toBeCloseTo(33);
  });

  test("texts stand outside of the circle", () => {
    const circle = circleOf(4, 900, 700);
    expect(besideOf(circle, 1, 4, 2, 17).anchor).toBe("start");
    expect(besideOf(circle, 3, 4, 2, 17).anchor).toBe("end");
    expect(besideOf(circle, 0, 4, 2, 17).y).toBeLessThan(placeOf(circle, 0, 4).y - circle.node);
  });
});

describe("variables", () => {
  const tree = {
    $type: "Server", stable: { $type: "Stable", term: 3, log: [1, 2] }, role: { $enum: "Leader" },
    granted: { $set: [1] }, vote: null,
  };
  test("are the fields of records, however deep", () => {
    expect(fieldPaths(tree)).toEqual(["stable.term", "stable.log", "role", "granted", "vote"]);
  });

  test("have a value at every step where the node has them", () => {
    const run = new Run(madeTrace(60));
    expect(variablesOf(run.states)).toEqual(["term", "log"]);
    expect(firstVariable(run.states)).toBe("term");
    expect(variableAt(run, 1, "term", 0)).toBe("0");
    expect(Number(variableAt(run, 1, "term", 60))).toBeGreaterThan(0);
    expect(variableAt(run, 1, "role", 60)).toBeNull();
    expect(variableAt(run, 99, "term", 60)).toBeNull();
  });

  test("a role is shown first", () => {
    const trace = madeTrace(3);
    trace.initially!.parts = [{ name: "node 1", node: 1, tree }];
    expect(firstVariable(new Run(trace).states)).toBe("role");
  });

  test("a value has the same hue everywhere", () => {
    expect(hueOf("Leader")).toBe(hueOf("Leader"));
    expect(new Set(["Leader", "Follower", "Candidate"].map(hueOf)).size).toBeGreaterThan(1);
  });
});
