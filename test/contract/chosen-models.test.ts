import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelDefinition } from "../../shared/contract/definition.ts";
import {
  TeamFork,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamReset,
  TeamRun,
  TeamSetModel,
} from "../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { HostClient, refusal } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { beginLongRun } from "./harness/long-run.ts";
import { Scratch } from "./harness/scratch.ts";
import { openai, practice, roundRobin } from "./harness/teams.ts";

/** The endpoint's address as one that is not known to be this machine, although it is: 0.0.0.0 leads to it as well. */
const away = ({ baseUrl }: FakeEndpoint): string => baseUrl.replace(/127\.0\.0\.1|localhost/, "0.0.0.0");

const chosenIn = ({ participants, chosenModel }: TeamSnapshot) => [
  chosenModel,
  ...participants.map((participant) => participant.chosenModel),
];

const line = (text: string): ModelDefinition => ({
  provider: "practice",
  pace: 0,
  lines: { ann: [text], bob: [text] },
});

describe("team/setModel", () => {
  it("changes who answers for a participant; every host sees it, also after a restart, a reset and in a fork", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    await using host = await HostClient.start(options);
    const definition = {
      ...roundRobin({ maxTurns: 2 }),
      models: { default: practice(["ann", "bob"]), fast: line("fast") },
    };
    const opened = await host.send(TeamOpen, { teamId: "t", definition });
    assert.deepEqual(opened.models, { default: { provider: "practice" }, fast: { provider: "practice" } });
    assert.deepEqual(opened.participants[0]?.definedModel, { provider: "practice" });

    const model = line("chosen");
    assert.deepEqual(chosenIn(await host.send(TeamSetModel, { teamId: "t", to: "bob", model: "fast" })), [
      undefined,
      undefined,
      "fast",
    ]);
    await host.send(TeamSetModel, { teamId: "t", to: "ann", model });
    const { messages } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.deepEqual(
      messages.map(({ content }) => content),
      ["go", "chosen", "fast"],
    );

    const wanted = [undefined, model, "fast"];
    await host.send(TeamReset, { teamId: "t" });
    assert.deepEqual(chosenIn(await host.send(TeamFork, { teamId: "t", newTeamId: "copy" })), wanted);
    await using next = await HostClient.start(options);
    for (const teamId of ["t", "copy"]) assert.deepEqual(chosenIn(await next.send(TeamOpen, { teamId })), wanted);
    const events = host.eventsOf("t").flatMap((event) => (event.type === "model/chosen" ? [event] : []));
    assert.deepEqual(
      events.map(({ participant, by, model: chosen }) => [participant, by, chosen]),
      [
        ["bob", "user", "fast"],
        ["ann", "user", model],
      ],
    );
  });

  it("is refused while the participant speaks, and taken while the team is paused", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run } = await beginLongRun(host, endpoint);
    for (const to of ["ann", undefined]) {
      const refused = await refusal(host.send(TeamSetModel, { teamId: "t", to, model: line("chosen") }));
      assert.equal(refused.data.code, "TeamBusy");
    }
    await host.send(TeamSetModel, { teamId: "t", to: "bob", model: line("bob’s") });
    await host.send(TeamInterrupt, { teamId: "t" });
    await run;
    await host.send(TeamSetModel, { teamId: "t", model: line("chosen") });
    await host.send(TeamRun, { teamId: "t" });
    assert.equal(endpoint.conversations.length, 1);
    assert.deepEqual(chosenIn(await host.send(TeamInspect, { teamId: "t" })).slice(1), [undefined, undefined]);
  });

  it("asks about the endpoint of a chosen model before anything is sent to it", async () => {
    await using endpoint = await FakeEndpoint.start();
    const asked: string[] = [];
    await using host = await HostClient.start({
      onEndpoint: ({ origin }) => {
        asked.push(origin);
        return false;
      },
    });
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 1 }) });
    await host.send(TeamSetModel, { teamId: "t", model: openai(away(endpoint)) });
    assert.deepEqual(asked, []);
    const { status } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.match(status.message ?? "", /because you did not allow it/);
    assert.deepEqual(asked, [new URL(away(endpoint)).origin]);
    assert.deepEqual(endpoint.conversations, []);
  });

  it("refuses what cannot be used, and changes nothing", async () => {
    await using host = await HostClient.start();
    const { lastSeq } = await host.send(TeamOpen, { teamId: "t", definition: roundRobin() });
    const problemOf = async (params: object) => {
      const { data } = await refusal(host.connection.sendRequest("team/setModel", { teamId: "t", ...params }));
      return [data.code, data.problems?.[0]?.path];
    };
    assert.deepEqual(await problemOf({ model: "nope" }), ["InvalidParams", "model"]);
    assert.deepEqual(await problemOf({}), ["InvalidParams", "model"]);
    assert.deepEqual(await problemOf({ to: "zoe", model: "default" }), ["UnknownParticipant", undefined]);
    const small = { provider: "vscode", maxTokens: 9, contextWindow: 9 };
    assert.deepEqual(await problemOf({ model: small }), ["InvalidParams", "model.maxTokens"]);
    const withPassword = { provider: "openai", model: "m", baseUrl: "https://me:secret@example.com/v1" };
    const refused = await refusal(host.connection.sendRequest("team/setModel", { teamId: "t", model: withPassword }));
    assert.doesNotMatch(JSON.stringify(refused), /secret/);
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).lastSeq, lastSeq);
  });
});
