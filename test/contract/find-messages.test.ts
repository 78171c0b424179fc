import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  TeamEditMessage,
  TeamFind,
  TeamFork,
  TeamInterrupt,
  TeamLoadState,
  TeamOpen,
  TeamReset,
  TeamRewind,
  TeamRun,
  TeamSaveState,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const says = (...lines: readonly string[]) => ({ provider: "practice" as const, pace: 0, lines: { ann: [...lines] } });

async function talk(host: HostClient, teamId: string, ...lines: readonly string[]): Promise<void> {
  const definition = roundRobin({ names: ["ann"], model: says(...lines), maxTurns: lines.length });
  await host.send(TeamOpen, { teamId, definition });
  await host.send(TeamRun, { teamId, task: `Task of ${teamId}` });
}

/** What is found, each as its team, who said it, and the text around it. */
async function find(host: HostClient, query: string): Promise<readonly string[]> {
  const { hits } = await host.send(TeamFind, { query });
  return hits.map(({ teamId, source, excerpt }) => `${teamId} ${source}: ${excerpt}`);
}

describe("team/find", () => {
  it("finds messages in all stored teams by a part of their text, in any letter case, the newest first", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ storagePath: scratch.path });
    await talk(host, "a", "A grey\nHeron stands there.", "nothing", 'It said "ÄRGER" and 100% \\\\ more.');
    await talk(host, "b", ...Array.from({ length: 5 }, (_, at) => `heron number ${at}`));
    await using other = await HostClient.start({ storagePath: scratch.path });
    assert.deepEqual(await find(other, " HERON "), [
      "b ann: heron number 4",
      "b ann: heron number 3",
      "b ann: heron number 2",
      "a ann: A grey Heron stands there.",
    ]);
    assert.deepEqual(await find(other, "grey heron"), ["a ann: A grey Heron stands there."]);
    assert.deepEqual(await find(other, "ärger"), ['a ann: It said "ÄRGER" and 100% \\\\ more.']);
    assert.deepEqual(await find(other, '"ä'), ['a ann: It said "ÄRGER" and 100% \\\\ more.']);
    assert.deepEqual(await find(other, "100% \\\\"), ['a ann: It said "ÄRGER" and 100% \\\\ more.']);
    assert.deepEqual(await find(other, "task of b"), ["b user: Task of b"]);
    for (const none of ["kingfisher", "messageId", "message/added"]) assert.deepEqual(await find(other, none), []);
    const { data } = await refusal(other.send(TeamFind, { query: "  " }));
    assert.deepEqual([data.code, data.problems?.[0]?.path], ["InvalidParams", "query"]);
  });

  it("gives everything in pages: first the last three of each team, then the others", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ storagePath: scratch.path });
    await talk(host, "a", ...Array.from({ length: 6 }, (_, at) => `heron ${at}`));
    await talk(host, "b", "no bird", "one heron");
    await talk(host, "c", ...Array.from({ length: 5 }, (_, at) => `heron ${at}`));
    // A state that was loaded is paged through like events.
    await host.send(TeamFork, { teamId: "c", newTeamId: "d" });
    const first = ["d 4", "d 3", "d 2", "c 4", "c 3", "c 2", "b one", "a 5", "a 4", "a 3"];
    const others = ["d 1", "d 0", "c 1", "c 0", "a 2", "a 1", "a 0"];
    const all = await host.send(TeamFind, { query: "heron" });
    assert.deepEqual(all.hits.map(shortly), first);
    assert.ok(all.next);
    const rest = await host.send(TeamFind, { query: "heron", after: all.next });
    assert.deepEqual([rest.hits.map(shortly), rest.next], [others, undefined]);
    for (const limit of [1, 2, 3, 4, 7]) {
      const pages: string[] = [];
      for (let after: string | undefined, isLast = false; !isLast; ) {
        const page = await host.send(TeamFind, { query: "heron", limit, ...(after === undefined ? {} : { after }) });
        assert.ok(page.hits.length > 0 && page.hits.length <= limit, `${page.hits.length} in a page of ${limit}`);
        pages.push(...page.hits.map(shortly));
        after = page.next;
        isLast = after === undefined;
      }
      assert.deepEqual(pages, [...first, ...others], `${limit} at a time`);
    }
    assert.equal((await host.send(TeamFind, { query: "one heron" })).next, undefined);
    const { data } = await refusal(host.send(TeamFind, { query: "heron", after: "elsewhere" }));
    assert.deepEqual([data.code, data.problems?.[0]?.path], ["InvalidParams", "after"]);
  });

  it("finds what is in the present thread of a team that was forked, loaded, rewound or reset, once", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ storagePath: scratch.path });
    await talk(host, "a", "A grey heron.");
    await host.send(TeamFork, { teamId: "a", newTeamId: "fork" });
    const state = await host.send(TeamSaveState, { teamId: "a" });
    await talk(host, "loaded", "A kingfisher.");
    await host.send(TeamLoadState, { teamId: "loaded", state });
    assert.deepEqual(await find(host, "heron"), [
      "loaded ann: A grey heron.",
      "fork ann: A grey heron.",
      "a ann: A grey heron.",
    ]);
    assert.deepEqual(await find(host, "kingfisher"), []);

    await host.send(TeamRewind, { teamId: "loaded", seq: 0 });
    await host.send(TeamReset, { teamId: "a" });
    assert.deepEqual(await find(host, "heron"), ["fork ann: A grey heron."]);
    await host.send(TeamRun, { teamId: "a", task: "Look for a heron" });
    assert.deepEqual(await find(host, "heron"), [
      "a ann: A grey heron.",
      "a user: Look for a heron",
      "fork ann: A grey heron.",
    ]);
  });

  it("finds a message by its last words when it is longer than 64 K characters, also in a fork", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ storagePath: scratch.path });
    await talk(host, "a", "Short.");
    const task = `${"many words ".repeat(20_000)} and then\na Grey heron.`;
    await host.send(TeamRun, { teamId: "a", task });
    await host.send(TeamFork, { teamId: "a", newTeamId: "fork" });
    const excerpt = "…words many words and then a Grey heron.";
    assert.deepEqual(await find(host, "grey HERON"), [`fork user: ${excerpt}`, `a user: ${excerpt}`]);
  });

  it("finds a partial message by the text that the user has given it, and not once it is removed", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ storagePath: scratch.path });
    const model = {
      provider: "practice" as const,
      pace: 5,
      lines: { ann: [`A grey heron ${"and more ".repeat(500)}`] },
    };
    await host.send(TeamOpen, { teamId: "a", definition: roundRobin({ names: ["ann"], model }) });
    const speaking = host.event("a", ({ type }) => type === "message/chunk");
    const run = host.send(TeamRun, { teamId: "a", task: "Go" });
    await speaking;
    const { partials } = await host.send(TeamInterrupt, { teamId: "a" });
    await run;
    const [messageId] = partials.map(({ id }) => id);
    assert.ok(messageId);
    await host.send(TeamEditMessage, { teamId: "a", messageId, content: "A white stork" });
    assert.deepEqual(await find(host, "heron"), []);
    assert.deepEqual(await find(host, "stork"), ["a ann: A white stork"]);
    await host.send(TeamEditMessage, { teamId: "a", messageId, content: null });
    assert.deepEqual(await find(host, "stork"), []);
  });
});

/** The team and the word beside "heron" of a message. */
const shortly = ({ teamId, excerpt }: { readonly teamId: string; readonly excerpt: string }): string =>
  `${teamId} ${excerpt.replace("heron", "").trim()}`;
