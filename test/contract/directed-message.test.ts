import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamReset,
  TeamRun,
  TeamSendUserMessage,
} from "../../shared/contract/requests.ts";
import type { TaskResult } from "../../shared/contract/team.ts";
import { HostClient } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { beginLongRun, LONG, SLOW } from "./harness/long-run.ts";
import { openai, roundRobin } from "./harness/teams.ts";

const sources = ({ messages }: TaskResult): string[] => messages.map(({ source }) => source);

describe("directed messages", () => {
  it("are in the thread once, before the reply; only the target is asked; the order of speakers stays", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.says("ann", "ann here").says("bob", "bob here");
    await using host = await HostClient.start({ user: { id: "operator", name: "Operator" } });
    const definition = roundRobin({ model: openai(endpoint.baseUrl), termination: { maxMessages: 4 } });
    await host.send(TeamOpen, { teamId: "t", definition });
    assert.deepEqual(sources(await host.send(TeamRun, { teamId: "t", task: "go" })), ["operator", "ann", "bob", "ann"]);
    const answer = await host.send(TeamSendUserMessage, {
      teamId: "t",
      to: "ann",
      messages: ["one", "two"],
      // biome-ignore lint/suspicious/noThenProperty: the contract names the field so
      then: "pause",
    });
    assert.equal(answer.stopReason, "USER_MESSAGE_COMPLETED");
    assert.deepEqual(
      answer.messages.map(({ type, source, content }) => [type, source, content]),
      [
        ["UserTextMessage", "operator", "one"],
        ["UserTextMessage", "operator", "two"],
        ["TextMessage", "ann", "ann here"],
      ],
    );
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).threadLength, 7);
    const next = await host.send(TeamRun, { teamId: "t" });
    assert.deepEqual(sources(next), ["bob"]);
    const shown = endpoint.conversations.at(-1) ?? [];
    assert.equal(shown.filter((line) => line.includes("one")).length, 1);
  });

  it("to a running team interrupt it first; with then: continue the others speak after the reply", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run } = await beginLongRun(host, endpoint);
    const answer = await host.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "and you?" });
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    assert.deepEqual([answer.stopReason, sources(answer)], ["USER_MESSAGE_COMPLETED", ["user", "bob"]]);
    // Selection goes on as usual: ann, whose turn was cut short, speaks again.
    await host.event("t", (event) => event.type === "run/started" && event.cause === "userMessage");
    await host.streamed("t", 50);
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).status, "running");
    await host.send(TeamInterrupt, { teamId: "t" });
    await host.send(TeamReset, { teamId: "t" });
  });

  it("that fire a termination condition end the run; the target is not asked", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const definition = roundRobin({ model: openai(endpoint.baseUrl), termination: { textMention: { text: "STOP" } } });
    await host.send(TeamOpen, { teamId: "t", definition });
    const answer = await host.send(TeamSendUserMessage, { teamId: "t", to: "ann", messages: "STOP now" });
    assert.deepEqual([answer.stopReason, sources(answer)], ["Text 'STOP' mentioned", ["user"]]);
    assert.equal(endpoint.conversations.length, 0);
  });

  it("without a reply in time give USER_MESSAGE_TIMEOUT, with the text so far kept", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    endpoint.says("ann", LONG, SLOW);
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ model: openai(endpoint.baseUrl) }) });
    const answer = await host.send(TeamSendUserMessage, { teamId: "t", to: "ann", messages: "hi", timeoutMs: 300 });
    assert.equal(answer.stopReason, "USER_MESSAGE_TIMEOUT");
  });

  it("reach a participant of a nested team, which is shown the message and answers in its team's thread", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    endpoint.says("cid", "cid here");
    const model = openai(endpoint.baseUrl);
    const lab = { name: "lab", kind: "team" as const, team: roundRobin({ names: ["cid", "dan"], model }) };
    const team = roundRobin({ names: ["ann"], model });
    await host.send(TeamOpen, { teamId: "t", definition: { ...team, participants: [...team.participants, lab] } });
    const answer = await host.send(TeamSendUserMessage, {
      teamId: "t",
      to: "lab/cid",
      messages: "and you?",
      // biome-ignore lint/suspicious/noThenProperty: the contract names the field so
      then: "pause",
    });
    assert.deepEqual([answer.stopReason, sources(answer)], ["USER_MESSAGE_COMPLETED", ["user", "cid"]]);
    assert.equal(endpoint.conversations.length, 1);
    assert.ok(endpoint.conversations[0]?.some((line) => line.endsWith("and you?")));
    const { threadLength, inner } = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual([threadLength, inner?.["lab"]?.threadLength], [0, 2]);
  });
});
