import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { delta, finished, rawEndpoint, sendJson, sendStream } from "../../server/models/testing/raw-endpoint.ts";
import {
  TeamDelete,
  TeamEvents,
  TeamFork,
  TeamInspect,
  TeamList,
  TeamLoadState,
  TeamOpen,
  TeamRename,
  TeamReset,
  TeamRun,
  TeamSaveState,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { practice, roundRobin } from "./harness/teams.ts";

describe("team/open", () => {
  it("creates a team from a definition, under the given id or a new one", async () => {
    await using host = await HostClient.start();
    const named = await host.send(TeamOpen, { teamId: "talk", definition: roundRobin() });
    assert.equal(named.teamId, "talk");
    assert.equal(named.status, "idle");
    assert.deepEqual(
      named.participants.map(({ name, kind, activity }) => ({ name, kind, activity })),
      ["ann", "bob"].map((name) => ({ name, kind: "assistant", activity: "idle" })),
    );
    const other = await host.send(TeamOpen, { definition: roundRobin() });
    assert.notEqual(other.teamId, "talk");
  });

  it("needs something to open", async () => {
    await using host = await HostClient.start();
    const { code, message } = await refusal(host.send(TeamOpen, {}));
    assert.equal(code, -32602);
    assert.match(message, /a definition, the uri of a team file, or the teamId/);
  });

  it("creates a team from a file, YAML or JSON", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start();
    const yaml = join(scratch.path, "talk.team.yaml");
    writeFileSync(
      yaml,
      "name: Talk\nkind: roundRobin\nparticipants:\n  - name: ann\nmodels:\n  default: { provider: practice }\n",
    );
    const json = join(scratch.path, "talk.team.json");
    writeFileSync(json, JSON.stringify(roundRobin(), null, "\t"));
    for (const path of [yaml, json]) {
      const uri = pathToFileURL(path).href;
      const snapshot = await host.send(TeamOpen, { uri });
      assert.deepEqual([snapshot.name, snapshot.uri], ["Talk", uri]);
    }
  });

  it("names every problem of a file, each with its line and column", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start();
    const path = join(scratch.path, "bad.team.yaml");
    writeFileSync(
      path,
      "name: Talk\nkind: roundRobbin\nparticipants:\n  - name: ann\n    model: fast\n    instrutions: Hi\n",
    );
    const { code, data, message } = await refusal(host.send(TeamOpen, { uri: pathToFileURL(path).href }));
    assert.equal(code, -32004);
    assert.match(message, /bad\.team\.yaml has 3 problems/);
    assert.deepEqual(
      data.problems?.map(({ path: at, line, column }) => [at, line, column]),
      [
        ["kind", 2, 7],
        ["participants[0].model", 5, 12],
        ["participants[0].instrutions", 6, 5],
      ],
    );
  });

  it("refuses a file that does not exist", async () => {
    await using host = await HostClient.start();
    const { code, message } = await refusal(host.send(TeamOpen, { uri: "file:///nowhere/a.team.yaml" }));
    assert.equal(code, -32004);
    assert.match(message, /a\.team\.yaml.*does not exist/);
    assert.equal((await refusal(host.send(TeamOpen, { uri: "untitled:a" }))).code, -32602);
  });

  it("ignores keys of a later version, but not misspelled ones", async () => {
    await using host = await HostClient.start();
    const definition = { ...roundRobin(), hologram: { size: 3 } };
    assert.equal((await host.send(TeamOpen, { definition })).name, "Talk");
    assert.equal((await refusal(host.send(TeamOpen, { definition: { ...roundRobin(), maxTurn: 3 } }))).code, -32004);
  });

  it("opens a stored team by its id alone in another host, with its thread", async () => {
    using scratch = new Scratch();
    const options = { storagePath: join(scratch.path, "made", "here") };
    await using first = await HostClient.start(options);
    await first.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 2 }) });
    await first.send(TeamRun, { teamId: "t", task: "go" });
    const before = await first.send(TeamInspect, { teamId: "t" });
    await first.shutdown();

    await using second = await HostClient.start(options);
    assert.deepEqual(await second.send(TeamOpen, { teamId: "t" }), before);
    const { lastStop, thread } = before;
    assert.equal(lastStop, "Maximum number of turns 2 reached.");
    assert.deepEqual(
      thread.map(({ content }) => content),
      ["go", "ann speaks", "bob speaks"],
    );
  });

  it("replaces the definition of a stored team, with its thread kept", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 1 }) });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const names = ["ann", "bob", "cid"];
    const changed = await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ names, maxTurns: 1 }) });
    assert.deepEqual(
      changed.participants.map(({ name }) => name),
      names,
    );
    assert.equal(changed.threadLength, 2);
    const { messages } = await host.send(TeamRun, { teamId: "t" });
    assert.deepEqual(
      messages.map(({ source }) => source),
      ["bob"],
    );
  });
});

describe("the teams of a host", () => {
  it("team/list shows the newest first, with what was said last", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    await using host = await HostClient.start(options);
    for (const teamId of ["a", "b"]) {
      await host.send(TeamOpen, { teamId, definition: roundRobin({ maxTurns: 1 }) });
      await host.send(TeamRun, { teamId, task: `hello ${teamId}` });
    }
    await using other = await HostClient.start(options);
    for (const client of [host, other]) {
      const { teams } = await client.send(TeamList, {});
      assert.deepEqual(
        teams.map(({ teamId, threadLength, status, lastLine }) => ({ teamId, threadLength, status, lastLine })),
        ["b", "a"].map((teamId) => ({ teamId, threadLength: 2, status: "idle", lastLine: "ann speaks" })),
      );
    }
  });

  it("team/rename gives a team a title that every host sees, and that a reset and a saved state leave", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    await using host = await HostClient.start(options);
    await using other = await HostClient.start(options);
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 1 }) });
    const saved = await host.send(TeamSaveState, { teamId: "t" });
    const titles = async (client: HostClient): Promise<readonly (string | undefined)[]> => {
      const { teams } = await client.send(TeamList, {});
      return [(await client.send(TeamInspect, { teamId: "t" })).title, ...teams.map(({ title }) => title)];
    };
    assert.deepEqual(await titles(other), [undefined, undefined]);

    const title = "Herons $(zap) [x](command:y)";
    await host.send(TeamRename, { teamId: "t", title });
    await host.send(TeamReset, { teamId: "t" });
    await host.send(TeamLoadState, { teamId: "t", state: saved });
    for (const client of [host, other]) assert.deepEqual(await titles(client), [title, title]);
    await other.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 2 }) });
    assert.deepEqual(await titles(other), [title, title]);
    const renamed = host.eventsOf("t").filter(({ type }) => type === "team/renamed");
    assert.deepEqual(
      renamed.map((event) => "title" in event && event.title),
      [title],
    );

    await other.send(TeamRename, { teamId: "t", title: null });
    for (const client of [host, other]) assert.deepEqual(await titles(client), [undefined, undefined]);
    for (const wrong of ["", "  ", "x".repeat(201)]) {
      const { data } = await refusal(host.send(TeamRename, { teamId: "t", title: wrong }));
      assert.deepEqual([data.code, data.problems?.[0]?.path], ["InvalidParams", "title"]);
    }
  });

  it("team/fork gives each copy a title of its own, which is kept with the copy", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ storagePath: scratch.path });
    const { name } = await host.send(TeamOpen, { teamId: "t", definition: roundRobin() });
    const first = await host.send(TeamFork, { teamId: "t" });
    const second = await host.send(TeamFork, { teamId: "t" });
    const third = await host.send(TeamFork, { teamId: second.teamId });
    const wanted = [`${name} (fork)`, `${name} (fork 2)`, `${name} (fork 3)`];
    assert.deepEqual(
      [first, second, third].map(({ title }) => title),
      wanted,
    );
    await using next = await HostClient.start({ storagePath: scratch.path });
    const { teams } = await next.send(TeamList, {});
    assert.deepEqual(teams.map(({ title }) => title).reverse(), [undefined, ...wanted]);
    assert.equal((await next.send(TeamOpen, { teamId: third.teamId })).title, wanted[2]);
  });

  it("team/delete forgets a team with all that is stored of it", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ storagePath: scratch.path });
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 1 }) });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(await host.send(TeamDelete, { teamId: "t" }), null);
    assert.equal((await refusal(host.send(TeamInspect, { teamId: "t" }))).data.code, "UnknownTeam");
    assert.deepEqual(await host.send(TeamList, {}), { teams: [] });
    const again = await host.send(TeamOpen, { teamId: "t", definition: roundRobin() });
    assert.deepEqual([again.threadLength, again.lastSeq], [0, 0]);
  });

  it("team/events gives the log by pages, as it was told", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 3 }) });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const told = host.eventsOf("t").filter((event) => "seq" in event);
    const { events, lastSeq } = await host.send(TeamEvents, { teamId: "t" });
    assert.deepEqual(events, told);
    assert.deepEqual(
      events.map((event) => ("seq" in event ? event.seq : 0)),
      Array.from({ length: lastSeq }, (_, at) => at + 1),
    );
    const page = await host.send(TeamEvents, { teamId: "t", after: 2, limit: 3 });
    assert.deepEqual(page.events, events.slice(2, 5));
    assert.equal(page.lastSeq, lastSeq);
  });

  it("tells nothing of a team that the client has not opened", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    await using first = await HostClient.start(options);
    await first.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 1 }) });
    await using second = await HostClient.start(options);
    const { messages } = await second.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(messages.length, 2);
    assert.deepEqual(second.eventsOf("t"), []);
  });

  it("team/reset empties the thread, and the first speaks first again", async () => {
    await using host = await HostClient.start();
    const names = ["a1", "a2", "a3", "a4"];
    const definition = roundRobin({ names, termination: { maxMessages: 3 } });
    await host.send(TeamOpen, { teamId: "t", definition });
    const sources = async (task?: string): Promise<string[]> => {
      const { messages } = await host.send(TeamRun, { teamId: "t", ...(task === undefined ? {} : { task }) });
      return messages.map(({ source }) => source);
    };
    assert.deepEqual(await sources("t"), ["user", "a1", "a2"]);
    assert.deepEqual(await sources(), ["a3", "a4", "a1"]);
    assert.equal((await host.send(TeamReset, { teamId: "t" })).threadLength, 0);
    assert.deepEqual(await sources("t"), ["user", "a1", "a2"]);
  });
});

describe("team/saveState and team/loadState", () => {
  it("save, load, save are equal", async () => {
    await using host = await HostClient.start();
    const definition = roundRobin({ maxTurns: 2 });
    await host.send(TeamOpen, { teamId: "from", definition });
    await host.send(TeamRun, { teamId: "from", task: "go" });
    const state = await host.send(TeamSaveState, { teamId: "from" });
    await host.send(TeamOpen, { teamId: "to", definition });
    const snapshot = await host.send(TeamLoadState, { teamId: "to", state });
    assert.equal(snapshot.threadLength, 3);
    assert.deepEqual(await host.send(TeamSaveState, { teamId: "to" }), state);
  });

  it("a newer state, no state, or a missing participant is refused, and the team is unchanged", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "three", definition: roundRobin({ names: ["ann", "bob", "cid"] }) });
    const state = await host.send(TeamSaveState, { teamId: "three" });
    await host.send(TeamOpen, { teamId: "two", definition: roundRobin() });
    const empty = await host.send(TeamSaveState, { teamId: "two" });
    const refused: readonly (readonly [unknown, RegExp])[] = [
      [{ ...state, schemaVersion: 99 }, /has version 99, and this Gavel supports up to/],
      [{ hello: 1 }, /is not a saved state/],
      [null, /is not a saved state/],
      [{ ...state, transcript: [{ kind: "message" }] }, /state\.transcript\[0\]\.message: is missing/],
      [state, /has cid, not in this team/],
      [{ ...state, schemaVersion: -1 }, /is not a saved state/],
      [
        { ...empty, pendingTools: [{ ref: "r", name: "t", participant: "eve", input: {}, approval: true }] },
        /has eve, not in this team/,
      ],
      [{ ...state, team: { ...state.team, kind: "swarm" } }, /swarm team/],
    ];
    for (const [given, expected] of refused) {
      const { code, message } = await refusal(host.send(TeamLoadState, { teamId: "two", state: given }));
      assert.equal(code, -32602);
      assert.match(message, expected);
    }
    assert.equal((await host.send(TeamInspect, { teamId: "two" })).lastSeq, 0);
  });
});

describe("the model of participants that name none", () => {
  const bare = { name: "Talk", kind: "roundRobin", participants: [{ name: "ann" }], maxTurns: 1 };

  it("is the setting gavel.model", async () => {
    await using host = await HostClient.start({ model: practice(["ann"]) });
    await host.send(TeamOpen, { teamId: "t", definition: bare });
    const { messages } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(messages.at(-1)?.content, "ann speaks");
  });

  it("has the fallbacks of the setting, which are remembered from turn to turn", async () => {
    await using busy = await rawEndpoint((response) => sendJson(response, 503, {}));
    await using other = await rawEndpoint((response) => sendStream(response, delta({ content: "here" }), finished));
    const at = ({ url }: { readonly url: string }) => ({ provider: "openai", model: "m", baseUrl: url, maxRetries: 0 });
    await using host = await HostClient.start({ model: { ...at(busy), fallback: [at(other)] } });
    await host.send(TeamOpen, { teamId: "t", definition: { ...bare, maxTurns: 2 } });
    const { messages } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.deepEqual(
      messages.map(({ content }) => content),
      ["go", "here", "here"],
    );
    const { reason } = (await host.event("t", ({ type }) => type === "model/fallback")) as { readonly reason?: string };
    assert.equal(reason, `${busy.host} answered 503`);
    assert.equal(busy.requests.length, 1);
  });

  it("is not used when a fallback of the setting is invalid, and the warning says which", async () => {
    const model = { ...practice(["ann"]), fallback: ["other", { provider: "openai" }] };
    await using host = await HostClient.start({ model });
    assert.equal((await refusal(host.send(TeamOpen, { definition: bare }))).code, -32004);
    assert.match(host.shown[0] ?? "", /gavel\.model is ignored: fallback\[0\]: .*; fallback\[1\]/);
    const nested = { ...practice(["ann"]), fallback: [{ provider: "vscode", fallback: ["x"] }] };
    await using second = await HostClient.start({ model: nested });
    assert.equal((await refusal(second.send(TeamOpen, { definition: bare }))).code, -32004);
    assert.match(second.shown[0] ?? "", /fallback\[0\]: should have no fallback of its own/);
  });

  it("is that of a stored team that runs before the client has said what the setting is", async () => {
    using scratch = new Scratch();
    const model = practice(["ann"]);
    {
      await using host = await HostClient.start({ storagePath: scratch.path, model });
      await host.send(TeamOpen, { teamId: "t", definition: bare });
    }
    const settings = Promise.withResolvers<Record<string, unknown>>();
    await using host = await HostClient.start({ storagePath: scratch.path, model, settings: settings.promise });
    await host.send(TeamOpen, { teamId: "t" });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await host.event("t", (event) => event.type === "reasoning/start");
    // A host that does not wait for the setting ends the run before it answers this.
    await host.send(TeamInspect, { teamId: "t" });
    settings.resolve({});
    assert.equal((await run).messages.at(-1)?.content, "ann speaks");
  });

  it("is missing: the problem says where it can be given", async () => {
    await using host = await HostClient.start();
    const { data } = await refusal(host.send(TeamOpen, { definition: bare }));
    assert.match(data.problems?.[0]?.message ?? "", /models\.default.*gavel\.model/);
  });

  it("is not used when the setting is invalid, and the user gets one warning", async () => {
    await using host = await HostClient.start({ model: { provider: "openaii" } });
    assert.equal((await refusal(host.send(TeamOpen, { definition: bare }))).code, -32004);
    assert.equal(host.shown.length, 1);
    assert.match(host.shown[0] ?? "", /gavel\.model is ignored: provider: .*did you mean "openai"/);
  });
});
