import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import type { ChatMessage } from "../../shared/contract/message.ts";
import {
  ApprovalsList,
  EditsUndo,
  TeamInspect,
  TeamList,
  TeamLoadState,
  TeamOpen,
  TeamResolveTools,
  TeamRun,
} from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { restore } from "../stored/dump.ts";
import { LONG_LINE, type StoredTeamId, storedTeams } from "../stored/stored-teams.ts";
import { Scratch } from "./harness/scratch.ts";

const fixtures = join(import.meta.dirname, "../fixtures/stored");

/** The thread as `source: text`. A partial and what continues it are one line. */
function lines(thread: readonly ChatMessage[]): string[] {
  const said: { source: string; text: string; open: boolean }[] = [];
  for (const { source, content, partial } of thread) {
    const before = said.findLast((one) => one.source === source && one.open);
    if (before === undefined) said.push({ source, text: String(content), open: partial === true });
    else {
      before.text += String(content);
      before.open = partial === true;
    }
  }
  // Of a text in parts, the first; of one that was cut short, its first word.
  return said.map(({ source, text, open }) => `${source}: ${open ? `${text.split(" ")[0]}…` : text.split("\n")[0]}`);
}

const run = async (host: HostClient, teamId: string, task?: string): Promise<void> => {
  const { status } = await host.send(TeamRun, { teamId, ...(task === undefined ? {} : { task }) });
  assert.equal(status.code, "success");
};

/** Answers the first pending call, and denies all others. */
async function answer(host: HostClient, teamId: string): Promise<void> {
  const { pendingTools } = await host.send(TeamInspect, { teamId });
  const [first, ...others] = pendingTools.map(({ ref }) => ({ ref }));
  assert.ok(first);
  const { remaining, result } = await host.send(TeamResolveTools, {
    teamId,
    respond: [{ ...first, output: "the output" }],
    deny: others,
  });
  assert.deepEqual(remaining, []);
  assert.equal(result?.status.code, "success");
}

interface Expected {
  /** The thread as it is stored. */
  readonly stored: readonly string[];
  /**
   * The team's status, calls that wait for the user, and messages that wait, in this order; `paused` and none if left out.
   */
  readonly state?: readonly [status: string, pending: number, queued: number];
  /** What the user does next; continues the run if left out. */
  readonly next?: (host: HostClient, teamId: string) => Promise<void>;
  /** What is in the thread after that, beyond what was stored; what continues a partial stands with it. */
  readonly adds: readonly string[];
}

const TO_BOB = "ann: Transferred to bob, adopting the role of bob immediately.";
const TO_ANN = "bob: Transferred to ann, adopting the role of ann immediately.";
const STARTED = "orchestrator: We begin to work on this request.";

const expected: Readonly<Record<StoredTeamId, Expected>> = {
  finished: {
    stored: ["user: go", "ann: ann one", "bob: bob one"],
    state: ["idle", 0, 0],
    adds: ["ann: ann two", "bob: bob two"],
  },
  interrupted: { stored: ["user: go", "ann: ann one", "bob: word0…"], adds: [`bob: ${LONG_LINE}`] },
  asked: { stored: ["user: go", "ann: ann one", "user: Why?", "bob: word0…"], adds: [`bob: ${LONG_LINE}`] },
  pending: { stored: ["user: go"], state: ["awaitingTools", 2, 0], next: answer, adds: ["ann: ann is done"] },
  waiting: {
    stored: ["user: go", "ann: word0…"],
    state: ["paused", 0, 2],
    next: continueUntil("bob answers second"),
    adds: [`ann: ${LONG_LINE}`, "user: First?", "bob: bob answers first", "user: Second?", "bob: bob answers second"],
  },
  swarm: { stored: ["user: go", TO_BOB, "bob: word0…"], adds: [`bob: ${LONG_LINE}`, TO_ANN] },
  selector: { stored: ["user: go", "bob: word0…"], adds: [`bob: ${LONG_LINE}`] },
  graph: {
    stored: ["user: go", "ann: ann one", "left: word0…", "right: word0…"],
    adds: [`left: ${LONG_LINE}`, `right: ${LONG_LINE}`, "end: end one"],
  },
  magentic: {
    stored: ["user: go", STARTED, "orchestrator: ann: Please do.", "ann: word0…"],
    adds: [`ann: ${LONG_LINE}`, "orchestrator: the answer"],
  },
  nested: { stored: ["user: go", "ann: ann one"], adds: ["lab: dan one"] },
  nestedPending: { stored: ["user: go"], state: ["awaitingTools", 1, 0], next: answer, adds: ["lab: eve is done"] },
  user: {
    stored: ["user: go", "ann: ann one"],
    next: (host, teamId) => run(host, teamId, "my answer"),
    adds: ["you: my answer", "ann: ann two"],
  },
  edits: {
    stored: ["user: go", "ann: ann is done"],
    state: ["idle", 0, 0],
    next: (host, teamId) => run(host, teamId, "again"),
    adds: ["user: again", "ann: ann two"],
  },
  killedStreaming: { stored: ["user: go", "ann: ann one", "bob: word0…"], adds: [`bob: ${LONG_LINE}`] },
  killedInTool: { stored: ["user: go"], state: ["awaitingTools", 1, 0], next: answer, adds: ["ann: ann is done"] },
};

/** What 0.1.0 refused to queue does not wait in its store. */
const ofVersion: Readonly<Record<string, Partial<Record<StoredTeamId, Expected>>>> = {
  "0.1.0": { waiting: { stored: ["user: go", "ann: word0…"], adds: [`ann: ${LONG_LINE}`] } },
};

it("a stored state is kept of the version that package.json names", () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(readJson(join(import.meta.dirname, "../../package.json")));
  assert.ok(readdirSync(fixtures).includes(version), `Write its fixture: see test/stored/record.ts`);
});

for (const version of readdirSync(fixtures)) {
  const folder = join(fixtures, version);
  const states = z.record(z.string(), z.unknown()).parse(readJson(join(folder, "saved-states.json")));
  const stored = new Set(storedTeamsOf(join(folder, "gavel.sql")));

  describe(`what version ${version} stored`, () => {
    const scratch = new Scratch();
    const workspace = join(scratch.path, "workspace");
    let host: HostClient;
    before(async () => {
      const storagePath = join(scratch.path, "storage");
      for (const made of [storagePath, workspace]) mkdirSync(made);
      restore(join(folder, "gavel.sql"), join(storagePath, "gavel.db"), workspace);
      host = await HostClient.start({ storagePath, folders: [pathToFileURL(workspace).href] });
    });
    after(async () => {
      await host[Symbol.asyncDispose]();
      scratch[Symbol.dispose]();
    });

    /** The team is as it was stored, and then as the user expects it. */
    async function continues(teamId: string, of: StoredTeamId): Promise<void> {
      const { stored, state = ["paused", 0, 0], next = run, adds } = ofVersion[version]?.[of] ?? expected[of];
      const { thread, status, pendingTools, queued } = await host.send(TeamInspect, { teamId });
      assert.deepEqual([lines(thread), [status, pendingTools.length, queued.length]], [stored, state]);
      await next(host, teamId);
      const said = lines((await host.send(TeamInspect, { teamId })).thread);
      assert.deepEqual(said, [...stored.filter((line) => !line.endsWith("…")), ...adds]);
    }

    it("is listed whole", async () => {
      const { teams } = await host.send(TeamList, {});
      assert.deepEqual(new Set(teams.map(({ teamId }) => teamId)), stored);
    });

    for (const teamId of stored) {
      it(`opens as it was and continues: ${teamId}`, async () => {
        await host.send(TeamOpen, { teamId });
        await continues(teamId, teamId);
      });

      if (!(teamId in states)) continue;
      it(`can be loaded from a saved state and continues: ${teamId}`, async () => {
        const loaded = `loaded-${teamId}`;
        await host.send(TeamOpen, { teamId: loaded, definition: storedTeams[teamId] });
        await host.send(TeamLoadState, { teamId: loaded, state: states[teamId] });
        await continues(loaded, teamId);
      });
    }

    // It had no rules, and edited no files.
    if (version === "0.1.0") return;

    it("has the rules for tool calls", async () => {
      const { rules } = await host.send(ApprovalsList, {});
      assert.deepEqual(
        rules.map(({ decision, tool, scope }) => [decision, tool, scope]),
        [
          ["allow", "allowed", "workspace"],
          ["deny", "denied", "workspace"],
        ],
      );
    });

    it("has what a turn did to files, and undoes it", async () => {
      const [edited, made] = [join(workspace, "a.txt"), join(workspace, "b.txt")];
      writeFileSync(edited, "one\n2\n");
      writeFileSync(made, "b\n");
      await host.send(TeamOpen, { teamId: "edits" });
      await host.send(EditsUndo, { teamId: "edits" });
      assert.deepEqual([readFileSync(edited, "utf8"), existsSync(made)], ["one\ntwo\n", false]);
    });
  });
}

/** Continues, and waits until that was said and its run has ended. */
function continueUntil(text: string): NonNullable<Expected["next"]> {
  return async (host, teamId) => {
    await host.send(TeamRun, { teamId });
    let said = false;
    await host.event(teamId, (event) => {
      said ||= event.type === "message/added" && event.message.content === text;
      return said && event.type === "run/ended";
    });
  };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function isStoredTeam(teamId: string): teamId is StoredTeamId {
  return Object.hasOwn(storedTeams, teamId);
}

/** The ids of the teams that a dump holds. */
function storedTeamsOf(dump: string): StoredTeamId[] {
  const ids = [...readFileSync(dump, "utf8").matchAll(/^INSERT INTO teams VALUES \(\d+, '(\w+)'/gm)].map(
    (match) => match[1],
  );
  return ids.filter((id) => id !== undefined).filter(isStoredTeam);
}
