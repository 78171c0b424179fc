import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { TeamInspect, TeamOpen, TeamResolveTools, TeamRun } from "../../shared/contract/requests.ts";
import { StopReason } from "../../shared/contract/stop-reasons.ts";
import { HostClient } from "../host-client.ts";
import { copyOfSample, teamFiles } from "./sample.ts";
import { runToEnd, SAMPLE_RUNS, type TeamUnderTest } from "./sample-runs.ts";

/** Makes the practice model of a copied sample speak without pauses. @returns the file's URI. */
function quickCopy(root: string, file: string): string {
  const path = join(root, file);
  writeFileSync(path, readFileSync(path, "utf8").replace("provider: practice\n", "provider: practice\n    pace: 0\n"));
  return pathToFileURL(path).href;
}

test("every sample has an expected course", () => {
  assert.deepEqual(SAMPLE_RUNS.map(({ file }) => file).sort(), [...teamFiles].sort());
});

for (const sample of SAMPLE_RUNS) {
  test(`${sample.file} runs to its end on the host`, async () => {
    const root = copyOfSample();
    await using host = await HostClient.start({ folders: [pathToFileURL(root).href] });
    const { teamId } = await host.send(TeamOpen, { uri: quickCopy(root, sample.file) });
    const team: TeamUnderTest = {
      run: (task) => host.send(TeamRun, { teamId, ...(task === undefined ? {} : { task }) }),
      denyPending: async () => {
        const { pendingTools } = await host.send(TeamInspect, { teamId });
        if (pendingTools.length === 0) return undefined;
        const deny = pendingTools.map(({ ref }) => ({ ref, reason: "Not now." }));
        return (await host.send(TeamResolveTools, { teamId, deny })).result;
      },
      awaitsUser: () => false,
    };

    assert.deepEqual(await runToEnd(sample, team), sample.stopReasons);

    const selected = host
      .eventsOf(teamId)
      .flatMap((event) => (event.type === "speaker/selected" && event.path === undefined ? [event.participants] : []));
    assert.deepEqual(
      selected.filter(({ length }) => length > 0).map((names) => names.join(", ")),
      sample.speakers,
    );
    const { thread } = await host.send(TeamInspect, { teamId });
    assert.equal(thread.at(-1)?.source, sample.lastSpeaker);
    const failed = host.eventsOf(teamId).filter((event) => event.type === "tool/executed" && event.isError);
    assert.equal(
      failed.length,
      sample.stopReasons.filter((stop) => stop === StopReason.toolInterrupt).length,
      "only denied calls fail",
    );
    assert.ok(!thread.some(({ content }) => String(content).includes("has no more lines")));
  });
}
