import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableEvent, TeamEvent } from "../../shared/contract/event.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import { initialTeamState, snapshotOf } from "../../shared/state/team-state.ts";
import type { TeamEventMessage } from "../host/connection.ts";
import { type Connect, HostProcess } from "../host/host-process.ts";
import { ALONE } from "../testing/alone.ts";
import { memoryLog } from "../testing/memory-log.ts";
import { TeamSession } from "./team-session.ts";

const at = "2026-01-01T00:00:00.000Z";
const handoff = (seq: number): DurableEvent => ({ seq, at, type: "handoff", from: "ann", to: "bob" });
const handoffs = (count: number): DurableEvent[] => Array.from({ length: count }, (_, index) => handoff(index + 1));
const started = (seq: number): DurableEvent => ({ seq, at, type: "message/started", messageId: "m", source: "ann" });
const chunk = (delta: string): TeamEvent => ({ at, type: "message/chunk", messageId: "m", source: "ann", delta });

/**
 * A session whose host has this event log. `send` sends an event, `exit` ends the host's process, which is then restarted.
 */
function sessionOver(log: DurableEvent[]) {
  const asked: string[] = [];
  const listeners: ((message: TeamEventMessage) => void)[] = [];
  const exits: (() => void)[] = [];
  const during: (() => void)[] = [];
  const snapshot = (): TeamSnapshot => {
    const empty = initialTeamState("t", { name: "T", kind: "roundRobin", participants: [{ name: "ann" }] });
    return snapshotOf(log.reduce(reduceTeam, empty));
  };
  const answerTo = (method: string, { after = 0, limit = 1000 }: { after?: number; limit?: number }): object => {
    asked.push(method);
    if (method === "team/events") return { events: log.slice(after, after + limit), lastSeq: log.length };
    const answer = snapshot();
    for (const work of during.splice(0)) work();
    return answer;
  };
  const connect: Connect = async (listen, closed) => {
    const connection: Awaited<ReturnType<Connect>> = {
      request: async ({ method, result }, params) => result.parse(answerTo(method, Object(params))),
      stop: async () => undefined,
      host: { isOwn: true, keepsRunning: false, gavelVersion: "1.0.0" },
      onStorageStatus: () => ({ dispose: () => undefined }),
      onDraftPart: () => ({ dispose: () => undefined }),
      people: ALONE,
      onTeamEvent: (listener) => {
        listeners.splice(0, listeners.length, listener);
        return { dispose: () => undefined };
      },
    };
    exits.push(closed);
    listen(connection);
    return connection;
  };
  const session = new TeamSession(new HostProcess(memoryLog().log, connect));
  const seen: string[] = [];
  session.onShown((mirror) => seen.push(`shown at ${mirror?.state.lastSeq}`));
  session.onEvents((events) => seen.push(`${events.length} new`));
  return {
    session,
    asked,
    seen,
    open: () => session.open({ teamId: "t" }),
    /** What happens while the next snapshot is on its way. */
    whileAsked: (work: () => void) => void during.push(work),
    send: (event: TeamEvent) => listeners[0]?.({ teamId: "t", event }),
    exit: () => exits.at(-1)?.(),
    next: () =>
      new Promise<void>((resolve) => {
        session.onShown(() => resolve());
        session.onEvents(() => resolve());
      }),
  };
}

test("an opened team is shown with its last events, and events are folded in as they come", async () => {
  const { session, open, send, seen } = sessionOver(handoffs(3));
  await open();
  send(started(4));
  send(chunk("Hello"));
  assert.deepEqual(seen, ["shown at 3", "1 new", "1 new"]);
  assert.equal(session.state?.streaming[0]?.text, "Hello");
  assert.equal(session.mirror?.tail.length, 4);
});

test("events that come while a team is opened are folded in once, and chunks that the snapshot has are not repeated", async () => {
  const log = handoffs(2);
  const { session, open, send, whileAsked, seen } = sessionOver(log);
  whileAsked(() => {
    send(handoff(2));
    send(handoff(3));
    send(chunk("in the snapshot"));
  });
  await open();
  assert.equal(session.state?.lastSeq, 3);
  assert.deepEqual(seen, ["shown at 2", "1 new"]);
});

test("a missed event is fetched from the host", async () => {
  const log = handoffs(1);
  const { session, open, send, next, seen } = sessionOver(log);
  await open();
  log.push(handoff(2), handoff(3));
  const caughtUp = next();
  send(handoff(3));
  await caughtUp;
  assert.deepEqual(
    session.mirror?.tail.map(({ seq }) => seq),
    [1, 2, 3],
  );
  assert.deepEqual(seen, ["shown at 1", "2 new"]);
});

test("after a restart of the host the team is opened again and takes up to 5000 missed events", async () => {
  const log = handoffs(10);
  const { session, open, exit, next, asked, seen } = sessionOver(log);
  await open();
  log.push(...handoffs(5010).slice(10));
  const caughtUp = next();
  exit();
  await caughtUp;
  assert.equal(session.state?.lastSeq, 5010);
  assert.deepEqual(asked, ["team/open", "team/events", "team/open", "team/events"]);
  assert.deepEqual(seen, ["shown at 10", "5000 new"]);
});

test("a team that has missed more is shown from its snapshot and last events", async () => {
  const log = handoffs(10);
  const { session, open, exit, next, seen } = sessionOver(log);
  await open();
  log.push(...handoffs(5011).slice(10));
  const caughtUp = next();
  exit();
  await caughtUp;
  assert.equal(session.mirror?.tail[0]?.seq, 4012);
  assert.deepEqual(seen, ["shown at 10", "shown at 5011"]);
});

test("a team that no longer exists after a restart is reported", async () => {
  const log = handoffs(1);
  const { session, open, exit, whileAsked } = sessionOver(log);
  await open();
  const failed = new Promise((resolve) => session.onFailed(resolve));
  whileAsked(() => {
    throw new Error("There is no team.");
  });
  exit();
  assert.match(String(await failed), /There is no team/);
});

test("a change of the state is noticed when a team is shown and when it has events", async () => {
  const { session, open, send } = sessionOver(handoffs(1));
  let changes = 0;
  const watching = session.onStateChanged(() => changes++);
  await open();
  assert.equal(changes, 1);
  send(handoff(2));
  assert.equal(changes, 2);
  watching.dispose();
  await open();
  send(handoff(2));
  assert.equal(changes, 2);
});
