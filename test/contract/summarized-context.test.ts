import assert from "node:assert/strict";
import { it } from "node:test";
import { delta, finished, rawEndpoint, sendStream } from "../../server/models/testing/raw-endpoint.ts";
import {
  TeamFork,
  TeamInspect,
  TeamOpen,
  TeamRestoreContext,
  TeamRun,
  TeamSaveState,
  TeamSummarizeContext,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const LONG = "word ".repeat(1_000);

it("a context that is too long is summarized by a request of its own; the summary survives a restart and a fork, and can be undone", async () => {
  using scratch = new Scratch();
  await using endpoint = await rawEndpoint((response, count) => {
    const isSummary = endpoint.requests[count - 1]?.body.includes("Write a summary of it") === true;
    sendStream(
      response,
      delta({ content: isSummary ? "Two long answers were given." : `Answer ${count} ${LONG}` }),
      finished,
    );
  });
  const asked = (nth: number): string => endpoint.requests[nth - 1]?.body ?? "";
  const options = { storagePath: scratch.path };
  const definition = roundRobin({
    names: ["ann"],
    model: { provider: "openai", model: "m", baseUrl: endpoint.url },
    maxTurns: 3,
    participants: { context: { kind: "summarized", size: 2_500 } },
  });
  await using host = await HostClient.start(options);
  await host.send(TeamOpen, { teamId: "t", definition });
  const unknown = await refusal(host.send(TeamSummarizeContext, { teamId: "t", to: "eve" }));
  assert.equal(unknown.data.code, "UnknownParticipant");
  const none = await refusal(host.send(TeamRestoreContext, { teamId: "t", to: "ann" }));
  assert.deepEqual([none.data.code, none.message.includes("is not summarized")], ["InvalidParams", true]);

  await host.send(TeamRun, { teamId: "t", task: "Answer me." });

  const { contexts, threadLength } = await host.send(TeamInspect, { teamId: "t" });
  const summary = contexts?.["ann"]?.summary;
  assert.equal(summary?.text, "Two long answers were given.");
  assert.equal(threadLength, 4);
  assert.equal(endpoint.requests.length, 4);
  assert.match(asked(4), /stands for the earlier part of the conversation:\\n\\nTwo long answers/);
  assert.doesNotMatch(asked(4), /Answer 1 word/);
  assert.deepEqual((await host.send(TeamSaveState, { teamId: "t" })).contexts, contexts);
  assert.deepEqual((await host.send(TeamFork, { teamId: "t", newTeamId: "f" })).contexts, contexts);

  await using later = await HostClient.start(options);
  assert.deepEqual((await later.send(TeamOpen, { teamId: "f" })).contexts, contexts);
  await later.send(TeamRestoreContext, { teamId: "f", to: "ann" });
  assert.deepEqual((await later.send(TeamInspect, { teamId: "f" })).contexts, { ann: { restored: true } });
  await later.send(TeamRun, { teamId: "f", task: "Once more." });
  assert.match(asked(5), /Answer 1 word/);
  await later.send(TeamSummarizeContext, { teamId: "f", to: "ann" });
  await later.send(TeamRun, { teamId: "f", task: "And again." });
  assert.equal((await later.send(TeamInspect, { teamId: "f" })).contexts?.["ann"]?.summary?.text, summary.text);
});
