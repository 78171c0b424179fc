import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { TeamInspect, TeamOpen, TeamResolveTools, TeamRun } from "../../shared/contract/requests.ts";
import { StopReason } from "../../shared/contract/stop-reasons.ts";
import { HostClient } from "../contract/harness/host-client.ts";
import { PLAYS, playToEnd, type Stage } from "./plays.ts";
import { copyOfSample, teamFiles } from "./sample.ts";

/** The file in a copy of the workspace, to be played without a pause. */
function quickCopy(root: string, file: string): string {
  const path = join(root, file);
  writeFileSync(path, readFileSync(path, "utf8").replace("provider: practice\n", "provider: practice\n    pace: 0\n"));
  return pathToFileURL(path).href;
}

test("every sample is played", () => {
  assert.deepEqual(PLAYS.map(({ file }) => file).sort(), [...teamFiles].sort());
});

for (const play of PLAYS) {
  test(`${play.file} comes to its end on the host`, async () => {
    const root = copyOfSample();
    await using host = await HostClient.start({ folders: [pathToFileURL(root).href] });
    const { teamId } = await host.send(TeamOpen, { uri: quickCopy(root, play.file) });
    const stage: Stage = {
      run: (task) => host.send(TeamRun, { teamId, ...(task === undefined ? {} : { task }) }),
      deny: async () => {
        const { pendingTools } = await host.send(TeamInspect, { teamId });
        if (pendingTools.length === 0) return undefined;
        const deny = pendingTools.map(({ ref }) => ({ ref, reason: "Not now." }));
        return (await host.send(TeamResolveTools, { teamId, deny })).result;
      },
      isHandedOver: () => false,
    };

    assert.deepEqual(await playToEnd(play, stage), play.stops);

    const floor = host
      .eventsOf(teamId)
      .flatMap((event) => (event.type === "speaker/selected" && event.path === undefined ? [event.participants] : []));
    assert.deepEqual(
      floor.filter(({ length }) => length > 0).map((names) => names.join(", ")),
      play.floor,
    );
    const { thread } = await host.send(TeamInspect, { teamId });
    assert.equal(thread.at(-1)?.source, play.lastWord);
    const failed = host.eventsOf(teamId).filter((event) => event.type === "tool/executed" && event.isError);
    assert.equal(
      failed.length,
      play.stops.filter((stop) => stop === StopReason.toolInterrupt).length,
      "but the refused call",
    );
    assert.ok(!thread.some(({ content }) => String(content).includes("has no more lines")));
  });
}
