import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ApplyWorkspaceEditParams, TextDocumentEdit, TextEdit } from "vscode-languageserver/node";
import { DocumentsRead, DocumentsSave } from "../../shared/contract/client-requests.ts";
import type { PracticeLine } from "../../shared/contract/definition.ts";
import {
  EditsChanges,
  EditsFile,
  EditsKeep,
  EditsList,
  EditsMoved,
  EditsUndo,
  TeamInspect,
  TeamOpen,
  TeamPreviewTool,
  TeamResolveTools,
  TeamRun,
} from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

/** A client's editor with one file open in it, as the contract lets the host see it. */
class OneDocument {
  readonly uri: string;
  text: string;
  version = 1;
  dirty = false;
  /** What the user types just before an edit comes in. */
  typesFirst: string | undefined;

  constructor(path: string) {
    this.uri = pathToFileURL(path).href;
    this.text = readFileSync(path, "utf8");
  }

  type(text: string): void {
    this.text = text;
    this.version++;
    this.dirty = true;
  }

  answer({ connection }: HostClient): void {
    connection.onRequest(DocumentsRead.method, ({ uri }) => {
      const { text, version, dirty } = this;
      return uri === this.uri ? { uri, text, version, dirty } : null;
    });
    connection.onRequest("workspace/applyEdit", ({ edit }: ApplyWorkspaceEditParams) => {
      if (this.typesFirst !== undefined) this.type(this.typesFirst);
      const [change] = edit.documentChanges as TextDocumentEdit[];
      if (change?.textDocument.version !== this.version) return { applied: false };
      for (const one of change.edits as TextEdit[]) this.type(applied(this.text, one));
      return { applied: true };
    });
    connection.onRequest(DocumentsSave.method, () => {
      writeFileSync(fileURLToPath(this.uri), this.text);
      this.dirty = false;
      return { saved: true };
    });
  }
}

function applied(text: string, { range, newText }: TextEdit): string {
  const lines = text.split("\n");
  const at = ({ line, character }: TextEdit["range"]["start"]): number =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + character;
  return text.slice(0, at(range.start)) + newText + text.slice(at(range.end));
}

interface EditingTeam extends AsyncDisposable {
  readonly host: HostClient;
  readonly path: (name: string) => string;
  readonly read: (name: string) => string;
  /** Runs a turn that makes these calls at once, with every one approved; gives their results, sorted. */
  readonly turn: () => Promise<readonly string[]>;
}

/** A host with one team, whose turns make these calls, in a workspace with a file `a.txt`. */
async function editingTeam(
  scratch: Scratch,
  calls: readonly [string, object][],
  options: HostOptions = {},
): Promise<EditingTeam> {
  const folder = join(scratch.path, "workspace");
  mkdirSync(folder);
  const path = (name: string) => join(folder, name);
  writeFileSync(path("a.txt"), "one\ntwo\n");
  const host = await HostClient.start({ ...options, folders: [pathToFileURL(folder).href] });
  const lines: PracticeLine[] = [{ calls: calls.map(([tool, input]) => ({ tool, input: { ...input } })) }, "done"];
  const definition = roundRobin({
    names: ["ann"],
    model: { provider: "practice", pace: 0, lines: { ann: lines } },
    maxTurns: 1,
    participants: { tools: ["editFile", "writeFile", "applyPatch", "runCommand"] },
  });
  await host.send(TeamOpen, { teamId: "t", definition });
  const turn = async (): Promise<readonly string[]> => {
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const { pendingTools } = await host.send(TeamInspect, { teamId: "t" });
    assert.ok(pendingTools.every(({ approval }) => approval));
    await host.send(TeamResolveTools, { teamId: "t", restart: pendingTools.map(({ ref }) => ({ ref })) });
    const results = host
      .eventsOf("t")
      .flatMap((event) => (event.type === "tool/executed" ? [String(event.output)] : []));
    return results.sort();
  };
  return {
    host,
    path,
    turn,
    read: (name) => readFileSync(path(name), "utf8"),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

const EDIT: [string, object] = ["editFile", { path: "a.txt", old: "two", new: "2" }];
const WRITE: [string, object] = ["writeFile", { path: "src/b.txt", content: "b\n" }];
const PATCH = `*** Begin Patch
*** Update File: a.txt
@@
 one
-two
+2
*** Update File: old.txt
*** Move to: new/name.txt
@@
-old
+renewed
*** Delete File: gone.txt
*** Add File: added.txt
+added
*** End Patch`;

describe("the tools that edit files", () => {
  it("ask first, and then change the file on disk for a client without documents", async () => {
    using scratch = new Scratch();
    await using team = await editingTeam(scratch, [EDIT, WRITE]);
    assert.deepEqual(await team.turn(), [
      'Created "src/b.txt" with 1 line.',
      'Replaced 1 occurrence at line 2 in "a.txt".',
    ]);
    assert.deepEqual([team.read("a.txt"), team.read("src/b.txt")], ["one\n2\n", "b\n"]);
    const shown = team.host.eventsOf("t").flatMap((event) => (event.type === "tool/output" ? [event.delta] : []));
    assert.deepEqual(shown.sort(), ["@@ line 1 @@\n one\n-two\n+2\n", "@@ line 1 @@\n+b\n"]);
  });

  it("change an open file in the editor, and save it where nothing was unsaved", async () => {
    using scratch = new Scratch();
    await using team = await editingTeam(scratch, [EDIT]);
    const open = new OneDocument(team.path("a.txt"));
    open.answer(team.host);
    await team.turn();
    assert.deepEqual([open.text, open.dirty, team.read("a.txt")], ["one\n2\n", false, "one\n2\n"]);
  });

  it("keep what the user has typed, unsaved", async () => {
    using scratch = new Scratch();
    await using team = await editingTeam(scratch, [EDIT]);
    const open = new OneDocument(team.path("a.txt"));
    open.answer(team.host);
    open.type("one, typed\ntwo\n");
    assert.match((await team.turn())[0] ?? "", /in the editor and is not saved yet/);
    assert.deepEqual([open.text, open.dirty, team.read("a.txt")], ["one, typed\n2\n", true, "one\ntwo\n"]);
  });

  it("fail where the user types at the same moment, and nothing is lost", async () => {
    using scratch = new Scratch();
    await using team = await editingTeam(scratch, [EDIT]);
    const open = new OneDocument(team.path("a.txt"));
    open.answer(team.host);
    open.typesFirst = "mine\n";
    assert.match((await team.turn())[0] ?? "", /"a\.txt" was changed in the editor just now, and was not edited/);
    assert.deepEqual([open.text, team.read("a.txt")], ["mine\n", "one\ntwo\n"]);
    assert.deepEqual((await team.host.send(EditsList, { teamId: "t" })).turns, []);
  });
});

describe("edits/undo", () => {
  it("restores all files of a turn at once, also after a restart of the host, and can be undone", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "store");
    await using team = await editingTeam(scratch, [EDIT, WRITE], { storagePath });
    await team.turn();
    await team.host.kill();

    await using host = await HostClient.start({ storagePath, folders: [pathToFileURL(team.path("")).href] });
    await host.send(TeamOpen, { teamId: "t" });
    const { turns } = await host.send(EditsList, { teamId: "t" });
    assert.deepEqual(
      turns.map(({ participant, files }) => ({
        participant,
        files: files.map(({ refs, ...file }) => ({ ...file, calls: refs?.length })),
      })),
      [
        {
          participant: "ann",
          files: [
            { path: "a.txt", change: "changed", undone: false, calls: 1 },
            { path: "src/b.txt", change: "created", undone: false, calls: 1 },
          ],
        },
      ],
    );
    const { restored, undoId } = await host.send(EditsUndo, { teamId: "t" });
    assert.deepEqual([restored, team.read("a.txt")], [["a.txt", "src/b.txt"], "one\ntwo\n"]);
    assert.throws(() => team.read("src/b.txt"), /ENOENT/);
    assert.match((await refusal(host.send(EditsUndo, { teamId: "t" }))).message, /there is no edit to undo/);
    await host.send(EditsUndo, { teamId: "t", turnId: undoId ?? "" });
    assert.deepEqual([team.read("a.txt"), team.read("src/b.txt")], ["one\n2\n", "b\n"]);
  });

  it("undoes a patch as one, with the files that it moved, added and deleted", async () => {
    using scratch = new Scratch();
    await using team = await editingTeam(scratch, [["applyPatch", { patch: PATCH }]]);
    const before = { "a.txt": team.read("a.txt"), "old.txt": "old\n", "gone.txt": "gone\n" };
    for (const [name, text] of Object.entries(before)) writeFileSync(team.path(name), text);
    const all = ["a.txt", "old.txt", "gone.txt", "new/name.txt", "added.txt"];
    const texts = () => all.map((name) => (existsSync(team.path(name)) ? team.read(name) : null));
    await team.host.send(TeamRun, { teamId: "t", task: "go" });
    const { pendingTools } = await team.host.send(TeamInspect, { teamId: "t" });
    const [call] = pendingTools;
    assert.ok(call?.approval && pendingTools.length === 1);
    assert.deepEqual(
      call.places?.map((place) => relative(realpathSync(team.path("")), place)),
      ["a.txt", "old.txt", join("new", "name.txt"), "gone.txt", "added.txt"],
    );
    const preview = await team.host.send(TeamPreviewTool, { teamId: "t", ref: call.ref });
    assert.ok(preview !== null && "files" in preview);
    assert.deepEqual(
      preview.files.map(({ path, before, after, deleted, movedFrom }) => [
        path,
        before,
        after,
        deleted,
        movedFrom?.path,
      ]),
      [
        ["a.txt", "one\ntwo\n", "one\n2\n", undefined, undefined],
        [join("new", "name.txt"), "old\n", "renewed\n", undefined, "old.txt"],
        ["gone.txt", "gone\n", "", true, undefined],
        ["added.txt", null, "added\n", undefined, undefined],
      ],
    );
    const metadata = { preview: preview.digest };
    await team.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call.ref, metadata }] });
    assert.deepEqual(texts(), ["one\n2\n", null, null, "renewed\n", "added\n"]);
    assert.equal((await team.host.send(EditsList, { teamId: "t" })).turns.length, 1);
    await team.host.send(EditsUndo, { teamId: "t" });
    assert.deepEqual(texts(), ["one\ntwo\n", "old\n", "gone\n", null, null]);
  });

  it("goes through the editor where the file is open, and leaves files that have changed since", async () => {
    using scratch = new Scratch();
    await using team = await editingTeam(scratch, [EDIT, WRITE]);
    const open = new OneDocument(team.path("a.txt"));
    open.answer(team.host);
    await team.turn();
    writeFileSync(team.path("src/b.txt"), "the user's\n");
    const { restored, left } = await team.host.send(EditsUndo, { teamId: "t" });
    assert.deepEqual(
      [restored, left],
      [["a.txt"], [{ path: "src/b.txt", reason: '"src/b.txt" has changed since the turn.' }]],
    );
    assert.deepEqual([open.text, open.dirty, team.read("a.txt")], ["one\ntwo\n", false, "one\ntwo\n"]);
    assert.equal(team.read("src/b.txt"), "the user's\n");
  });

  it("is TeamBusy during a run, and UnknownTeam for an unknown team", async () => {
    using scratch = new Scratch();
    await using team = await editingTeam(scratch, [EDIT]);
    const reading = Promise.withResolvers<void>();
    const go = Promise.withResolvers<null>();
    team.host.connection.onRequest(DocumentsRead.method, () => {
      reading.resolve();
      return go.promise;
    });
    const turn = team.turn();
    await reading.promise;
    assert.equal((await refusal(team.host.send(EditsUndo, { teamId: "t" }))).data.code, "TeamBusy");
    go.resolve(null);
    await turn;
    assert.equal((await refusal(team.host.send(EditsUndo, { teamId: "x" }))).data.code, "UnknownTeam");
  });
});

describe("edits/changes", () => {
  it("lists what the team changed and the user has not kept, also in unsaved text and after a restart", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "store");
    await using team = await editingTeam(scratch, [EDIT, WRITE], { storagePath });
    const open = new OneDocument(team.path("a.txt"));
    open.answer(team.host);
    await team.turn();
    open.type("mine\none\n2\n");
    const shown = async (host: HostClient) =>
      (await host.send(EditsChanges, { teamId: "t" })).files.map(({ path, change, added, removed, participants }) =>
        [path, change, added, removed, ...participants].join(" "),
      );
    assert.deepEqual(await shown(team.host), ["a.txt changed 1 1 ann", "src/b.txt created 1 0 ann"]);
    const { base, now, hunks } = await team.host.send(EditsFile, { teamId: "t", path: "a.txt" });
    assert.deepEqual([base, now], ["mine\none\ntwo\n", "mine\none\n2\n"]);
    const { undoId } = await team.host.send(EditsUndo, {
      teamId: "t",
      files: [{ path: "a.txt", hunks: hunks.map(({ id }) => id) }],
    });
    assert.deepEqual(
      [open.text, open.dirty, await shown(team.host)],
      ["mine\none\ntwo\n", true, ["src/b.txt created 1 0 ann"]],
    );
    await team.host.send(EditsUndo, { teamId: "t", turnId: undoId ?? "" });
    await team.host.send(EditsKeep, { teamId: "t", files: [{ path: "src/b.txt" }] });
    open.dirty = false;
    writeFileSync(team.path("a.txt"), open.text);
    await team.host.kill();

    await using host = await HostClient.start({ storagePath, folders: [pathToFileURL(team.path("")).href] });
    await host.send(TeamOpen, { teamId: "t" });
    assert.deepEqual(await shown(host), ["a.txt changed 1 1 ann"]);
    await host.send(EditsUndo, { teamId: "t", all: true });
    assert.deepEqual([team.read("a.txt"), team.read("src/b.txt")], ["mine\none\ntwo\n", "b\n"]);
  });

  it("lists the files that changed while a command ran, but not what the team's own edits left, until they are kept", async () => {
    using scratch = new Scratch();
    const command = `${JSON.stringify(process.execPath)} -e "const fs = require('fs'); fs.writeFileSync('made.txt', ''); fs.rmSync('a.txt')"`;
    await using team = await editingTeam(scratch, [WRITE, ["runCommand", { command }]]);
    await team.turn();
    const { files, commands } = await team.host.send(EditsChanges, { teamId: "t" });
    assert.deepEqual(
      commands.map((change) => [change.path, change.change, change.participant, change.command === command]),
      [
        ["a.txt", "deleted", "ann", true],
        ["made.txt", "created", "ann", true],
      ],
    );
    assert.deepEqual(
      files.map(({ path }) => path),
      ["src/b.txt"],
    );
    await team.host.send(EditsUndo, { teamId: "t", all: true });
    assert.equal(team.read("made.txt"), "");
    assert.deepEqual((await team.host.send(EditsKeep, { teamId: "t" })).kept, ["src/b.txt", "a.txt", "made.txt"]);
    assert.deepEqual(await team.host.send(EditsChanges, { teamId: "t" }), { files: [], turns: [], commands: [] });
  });

  it("lists a file that a command moved once, with where it was", async () => {
    using scratch = new Scratch();
    const command = `${JSON.stringify(process.execPath)} -e "require('fs').renameSync('a.txt', 'moved.txt')"`;
    await using team = await editingTeam(scratch, [["runCommand", { command }]]);
    await team.turn();
    const { commands } = await team.host.send(EditsChanges, { teamId: "t" });
    assert.deepEqual(
      commands.map(({ path, change, from }) => [path, change, from]),
      [["moved.txt", "created", "a.txt"]],
    );
    writeFileSync(team.path("moved.txt"), "one\nmine\n");
    const { base, now } = await team.host.send(EditsFile, { teamId: "t", path: "moved.txt" });
    assert.deepEqual([base, now], ["one\ntwo\n", "one\nmine\n"]);
  });

  it("follows files and folders that the user moves, when the client says so", async () => {
    using scratch = new Scratch();
    await using team = await editingTeam(scratch, [EDIT, WRITE]);
    const { host, path, read, turn } = team;
    await turn();
    const uri = (name: string) => pathToFileURL(path(name)).href;
    renameSync(path("src"), path("lib ü"));
    renameSync(path("a.txt"), path("lib ü/a.txt"));
    const files = [
      { oldUri: uri("src"), newUri: uri("lib ü") },
      { oldUri: uri("a.txt"), newUri: uri("lib ü/a.txt") },
      { oldUri: "untitled:a", newUri: "https://example.com/b" },
    ];
    assert.deepEqual(await host.send(EditsMoved, { files }), { moved: 2 });
    const changed = await host.send(EditsChanges, { teamId: "t" });
    assert.deepEqual(
      changed.files.map(({ path: shown, change, uri: at }) => [shown, change, at]),
      [
        ["lib ü/a.txt", "changed", uri("lib ü/a.txt")],
        ["lib ü/b.txt", "created", uri("lib ü/b.txt")],
      ],
    );
    const { restored } = await host.send(EditsUndo, { teamId: "t", all: true });
    assert.deepEqual(restored, ["lib ü/a.txt", "lib ü/b.txt"]);
    assert.deepEqual([read("lib ü/a.txt"), existsSync(path("lib ü/b.txt"))], ["one\ntwo\n", false]);
  });

  it("tells what each turn changed, and keeps a turn", async () => {
    using scratch = new Scratch();
    await using team = await editingTeam(scratch, [WRITE]);
    await team.turn();
    const { files, turns } = await team.host.send(EditsChanges, { teamId: "t" });
    const [turn] = turns;
    assert.deepEqual([turns.length, turn?.participant], [1, "ann"]);
    assert.deepEqual(
      turn?.files,
      files.map(({ path, added, removed }) => ({ path, added, removed })),
    );
    const { turnId = "" } = turn ?? {};
    const { kept } = await team.host.send(EditsKeep, { teamId: "t", turnId });
    assert.deepEqual(
      kept,
      files.map(({ path }) => path),
    );
    const both = { teamId: "t", turnId, files: [{ path: "x" }] };
    assert.match((await refusal(team.host.send(EditsKeep, both))).message, /give only one of turnId and files/);
  });

  it("refuses a selection with a turn, and names what it does not know", async () => {
    using scratch = new Scratch();
    await using team = await editingTeam(scratch, [WRITE]);
    await team.turn();
    const both = { teamId: "t", turnId: "x", all: true } as const;
    assert.match(
      (await refusal(team.host.send(EditsUndo, both))).message,
      /give only one of turnId, files, all and after/,
    );
    const { restored, left } = await team.host.send(EditsUndo, {
      teamId: "t",
      files: [{ path: "x" }, { path: "src/b.txt", hunks: ["0"] }],
    });
    assert.deepEqual([restored, left.map(({ path }) => path).sort()], [[], ["src/b.txt", "x"]]);
    assert.match(
      (await refusal(team.host.send(EditsFile, { teamId: "t", path: "x" }))).message,
      /has not edited this file/,
    );
  });
});
