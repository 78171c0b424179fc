import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import * as z from "zod";
import {
  TeamEvents,
  TeamInspect,
  TeamLoadState,
  TeamOpen,
  TeamResolveTools,
  TeamSaveState,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { HostClient } from "../host-client.ts";
import { restore } from "../stored/dump.ts";
import { equalRefTeams } from "../stored/equal-ref-teams.ts";
import { Scratch } from "./harness/scratch.ts";

/** Recorded with a host of version 0.3.0, and with each call's ref then replaced by `call_0`, as if a model had given it. */
const fixture = join(import.meta.dirname, "../fixtures/equal-refs/0.3.0");
const states = z
  .record(z.string(), z.unknown())
  .parse(JSON.parse(readFileSync(join(fixture, "saved-states.json"), "utf8")));

const OLD_REF = "call_0";

describe("equal refs in what version 0.3.0 stored", () => {
  let scratch: Scratch;
  let host: HostClient;
  let called: unknown[];

  const start = async (): Promise<void> => {
    host = await HostClient.start({
      storagePath: join(scratch.path, "storage"),
      onToolCall: ({ input }) => {
        called.push(input);
        return { output: "paid" };
      },
    });
    const tool = { description: "Does it.", inputSchema: {} };
    await host.send(ToolsRegister, {
      tools: [
        { ...tool, name: "pay", approval: "ask" },
        { ...tool, name: "launch" },
      ],
    });
  };

  beforeEach(async () => {
    scratch = new Scratch();
    called = [];
    mkdirSync(join(scratch.path, "storage"));
    restore(join(fixture, "gavel.sql"), join(scratch.path, "storage", "gavel.db"), scratch.path);
    await start();
  });

  afterEach(async () => {
    await host[Symbol.asyncDispose]();
    scratch[Symbol.dispose]();
  });

  const pendingOf = async (teamId: string): Promise<readonly PendingTool[]> =>
    (await host.send(TeamInspect, { teamId })).pendingTools;

  /** Three calls wait, each with its own ref, which its events have too; one has kept the ref that all had. */
  async function threeCalls(teamId: string): Promise<Record<"ann" | "eve" | "dan", PendingTool>> {
    const pending = await pendingOf(teamId);
    const places = pending.map(({ participant, path = [] }) => [...path, participant].join("/")).sort();
    assert.deepEqual(places, ["ann", "lab/deep/dan", "lab/eve"]);
    assert.equal(new Set(pending.map(({ ref }) => ref)).size, 3);
    const of = (name: string) => pending.find(({ participant }) => participant === name) ?? assert.fail(name);
    return { ann: of("ann"), eve: of("eve"), dan: of("dan") };
  }

  /** Answers each call in another way, and looks at what each answer did. */
  async function decideOneByOne(teamId: string): Promise<void> {
    const { ann, eve, dan } = await threeCalls(teamId);
    const edited = { by: "eve", edited: true };
    const first = await host.send(TeamResolveTools, { teamId, restart: [{ ref: eve.ref, input: edited }] });
    assert.deepEqual(called, [edited]);
    assert.deepEqual(new Set(first.remaining), new Set([ann.ref, dan.ref]));
    const second = await host.send(TeamResolveTools, { teamId, deny: [{ ref: dan.ref }] });
    assert.deepEqual(second.remaining, [ann.ref]);
    await host.send(TeamResolveTools, { teamId, respond: [{ ref: ann.ref, output: "by hand" }] });
    const { events } = await host.send(TeamEvents, { teamId });
    const results = new Map(
      events.flatMap((event) => (event.type === "tool/executed" ? [[event.ref, event.output]] : [])),
    );
    assert.deepEqual(
      [ann, eve, dan].map(({ ref }) => results.get(ref)),
      ["by hand", "paid", "The user denied this call."],
    );
    assert.deepEqual(called, [edited]);
  }

  it("are replaced when the team opens: each call is decided alone", async () => {
    await host.send(TeamOpen, { teamId: "waiting" });
    await decideOneByOne("waiting");
  });

  it("are replaced in the events too, and stay as they are from then on", async () => {
    const refsIn = async (teamId: string) => {
      const { events } = await host.send(TeamEvents, { teamId });
      return events.flatMap((event) => (event.type === "tool/requested" ? event.calls.map(({ ref }) => ref) : []));
    };
    const all = await Promise.all(Object.keys(equalRefTeams).map(refsIn));
    for (const refs of all) {
      assert.equal(new Set(refs).size, refs.length);
      assert.equal(refs[0], OLD_REF, "a call keeps its ref where it is the first");
    }
    assert.deepEqual(
      all.map(({ length }) => length),
      [3, 6, 3],
    );
    await host[Symbol.asyncDispose]();
    await start();
    assert.deepEqual(await Promise.all(Object.keys(equalRefTeams).map(refsIn)), all);
  });

  it("are replaced where calls had these refs before a reset, and the team opens from a checkpoint", async () => {
    await host.send(TeamOpen, { teamId: "afterReset" });
    const { ann } = await threeCalls("afterReset");
    assert.notEqual(ann.ref, OLD_REF);
    await decideOneByOne("afterReset");
  });

  it("are replaced where the host died while the tools ran: each outcome is unknown, and decided alone", async () => {
    await host.send(TeamOpen, { teamId: "killed" });
    const { ann, eve, dan } = await threeCalls("killed");
    for (const { interrupt } of [ann, eve, dan]) assert.deepEqual(interrupt, { outcome: "unknown" });
    await decideOneByOne("killed");
  });

  it("are replaced in a saved state that is loaded, which can be saved and loaded again", async () => {
    const definition = equalRefTeams.waiting;
    await host.send(TeamOpen, { teamId: "loaded", definition });
    await host.send(TeamLoadState, { teamId: "loaded", state: states["waiting"] });
    const saved = await host.send(TeamSaveState, { teamId: "loaded" });
    await host.send(TeamOpen, { teamId: "again", definition });
    await host.send(TeamLoadState, { teamId: "again", state: saved });
    assert.deepEqual(await host.send(TeamSaveState, { teamId: "again" }), saved);
    await decideOneByOne("loaded");
  });
});
