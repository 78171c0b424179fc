import { existsSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { SelectedFile } from "../../../../shared/contract/edits.ts";
import { FileEditor, workspaceTools } from "../../../tools/index.ts";
import { changedFiles, fileVersions, runTool } from "../../../tools/testing.ts";
import type { EditSource } from "../../store/records/edit-journal.ts";
import { Store } from "../../store/store.ts";
import { sampleTeam } from "../../store/testing/sample-events.ts";
import { ScratchFolder } from "../../store/testing/scratch-folder.ts";
import { CommandLog } from "../command-log.ts";
import type { UndoWanted } from "../edited-paths.ts";
import { Edits } from "../edits.ts";
import type { UndoOptions } from "../team-changes.ts";

/** A team in a real folder with a real store, whose tools can be called in a turn. */
export async function editedProject(t: TestContext, files: Readonly<Record<string, string>> = {}) {
  const folder = new ScratchFolder();
  const scratch = new ScratchFolder();
  const store = new Store();
  t.after(() => {
    store[Symbol.dispose]();
    folder[Symbol.dispose]();
    scratch[Symbol.dispose]();
  });
  const path = (name: string) => join(folder.path, name);
  for (const [name, content] of Object.entries(files)) writeFileSync(path(name), content);
  await store.teams.create("t", sampleTeam, undefined, new Date().toISOString());
  const key = (await store.teams.key("t")) ?? 0;
  const workspace = { roots: () => [folder.path] };
  let source: EditSource = { turnId: "" };
  const editor = new FileEditor(workspace, {
    log: { plan: (_, edit) => store.edits.add(key, source, edit) },
  });
  const tools = workspaceTools(workspace, editor);
  // As in the host, which restores files of scratch folders too.
  const everywhere = new FileEditor({ roots: () => [folder.path, scratch.path] });
  const edits = new Edits(store, everywhere);
  const commands = new CommandLog(store, everywhere, (teamId) => store.teams.key(teamId));
  const versions = async () => (await fileVersions(workspace, new AbortController().signal)) ?? new Map();
  return {
    path,
    edits: () => edits.list(key),
    undo: (turn?: string) => edits.undo(key, turn),
    read: (name: string) => (existsSync(path(name)) ? readFileSync(path(name), "utf8") : null),
    changes: () => edits.changes.list(key),
    file: (name: string) => edits.changes.file(key, name),
    keep: (files?: readonly SelectedFile[]) => edits.changes.keep(key, files),
    keepTurn: (turn: string) => edits.changes.keepTurn(key, turn),
    undoChanges: (wanted: UndoWanted, options: UndoOptions = {}) => edits.undoChanges(key, wanted, options),
    /** The user moves files or folders, from and to these, and the client says so. */
    async userMoves(...moves: readonly (readonly [from: string, to: string])[]) {
      for (const [from, to] of moves) renameSync(path(from), path(to));
      return edits.moved(moves.map(([from, to]) => ({ from: path(from), to: path(to) })));
    },
    /** What the client says, whatever has happened. */
    saysMoved: (from: string, to: string) => edits.moved([{ from: path(from), to: path(to) }]),
    /** The user or a command writes the file; null deletes it. */
    others: (name: string, content: string | null) =>
      content === null ? unlinkSync(path(name)) : writeFileSync(path(name), content),
    /** A command of ann does this in the folder. */
    async command(ref: string, run: () => void) {
      const before = await versions();
      run();
      await commands.add({ teamId: "t", participant: "ann", ref }, ref, changedFiles(before, await versions()));
    },
    /** The tool writes a file, in a turn of that participant; `seq` is the team's last event. */
    async write(turn: string, name: string, content: string, participant = "ann", seq = 0) {
      source = { turnId: turn, participant, ref: `${turn}-${name}`, seq };
      const signal = new AbortController().signal;
      const context = {
        teamId: "t",
        participant: "ann",
        ref: "r",
        signal,
        metadata: {},
        effects: undefined,
        output: () => {},
      };
      await runTool(tools.get("writeFile"), { path: name, content }, context);
    },
  };
}
