import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { editFileTool } from "../files/edit-file.ts";
import { folderOf, runTool, testCall } from "../testing.ts";
import { FileEditor } from "./file-editor.ts";
import { Notebook, OpenFiles } from "./testing.ts";

function editing(t: TestContext, content: string) {
  const root = folderOf(t, { "a.txt": content });
  const path = join(root, "a.txt");
  const documents = new OpenFiles();
  const log = new Notebook();
  const editor = new FileEditor({ roots: () => [root] }, { documents, log });
  const tool = editFileTool({ roots: () => [root] }, editor);
  return {
    ...{ root, path, documents, log, editor },
    edit: (old: string, fresh: string) => runTool(tool, { path: "a.txt", old, new: fresh }, testCall().context),
    onDisk: () => readFileSync(path, "utf8"),
  };
}

describe("an edit of a file that is open in the editor", () => {
  it("without unsaved changes changes the editor's text and saves it", async (t) => {
    const { documents, path, edit, onDisk } = editing(t, "one two\n");
    documents.open(path);
    assert.equal(await edit("two", "2"), 'Replaced 1 occurrence at line 1 in "a.txt".');
    assert.deepEqual([documents.textOf(path), onDisk()], ["one 2\n", "one 2\n"]);
    assert.equal((await documents.read(path))?.isDirty, false);
  });

  it("with unsaved changes changes the editor's text and leaves it unsaved", async (t) => {
    const { documents, path, edit, onDisk, log } = editing(t, "one\n");
    documents.open(path);
    documents.type(path, "one, typed\n");
    assert.match(
      String(await edit("typed", "edited")),
      /had unsaved changes, so the change was made in the editor and is not saved yet/,
    );
    assert.deepEqual([documents.textOf(path), onDisk()], ["one, edited\n", "one\n"]);
    assert.deepEqual(log.lines, ['a.txt: "one, typed\\n" -> "one, edited\\n"']);
  });

  it("fails and is not recorded when the user types at that moment, and keeps what was typed", async (t) => {
    const { documents, path, edit, onDisk, log } = editing(t, "one\n");
    documents.open(path);
    documents.beforeWrite = () => documents.type(path, "one, typed\n");
    await assert.rejects(edit("one", "1"), /was changed in the editor/);
    assert.deepEqual([documents.textOf(path), onDisk()], ["one, typed\n", "one\n"]);
    assert.deepEqual(log.lines, ['a.txt: "one\\n" -> "1\\n"', "not made"]);
  });

  it("is recorded as the editor formatted it on save", async (t) => {
    const { documents, path, edit, log } = editing(t, "one\n");
    documents.open(path);
    documents.format = (text) => text.toUpperCase();
    await edit("one", "two");
    assert.deepEqual(log.lines, ['a.txt: "one\\n" -> "two\\n"', 'made as "TWO\\n"']);
  });

  it("that cannot be saved leaves it unsaved, and tells the model", async (t) => {
    const { documents, path, edit, onDisk } = editing(t, "one\n");
    documents.open(path);
    documents.canSave = false;
    assert.match(String(await edit("one", "1")), /made in the editor and is not saved yet/);
    assert.deepEqual([documents.textOf(path), onDisk()], ["1\n", "one\n"]);
  });

  it("uses the file on disk when the editor has not reloaded it yet", async (t) => {
    const { documents, path, edit, onDisk } = editing(t, "old\n");
    documents.open(path);
    writeFileSync(path, "fresh\n");
    await edit("fresh", "edited");
    assert.deepEqual([documents.textOf(path), onDisk()], ["old\n", "edited\n"]);
  });
});

describe("a rewrite", () => {
  const toText = (text: string) => () => Buffer.from(text);

  it("fails when the file changes between reading and writing, and keeps that change", async (t) => {
    const { editor, path, log, root } = editing(t, "one\n");
    const write = editor.rewrite(path, toText("two\n"), (edit) => {
      writeFileSync(path, "somebody else's\n");
      return log.plan({}, edit);
    });
    await assert.rejects(write, /"a\.txt" was changed by another program just now, and was not edited/);
    assert.equal(readFileSync(path, "utf8"), "somebody else's\n");
    assert.deepEqual(readdirSync(root), ["a.txt"]);
    assert.equal(log.lines.at(-1), "not made");
  });

  it("of a new file fails when the file was created in the meantime, and keeps it", async (t) => {
    const { editor, root, log } = editing(t, "");
    const write = editor.rewrite("new.txt", toText("mine\n"), (edit) => {
      writeFileSync(join(root, "new.txt"), "theirs\n");
      return log.plan({}, edit);
    });
    await assert.rejects(write, /was changed by another program just now/);
    assert.equal(readFileSync(join(root, "new.txt"), "utf8"), "theirs\n");
  });

  it("that cannot be recorded is not made", async (t) => {
    const { editor, path, onDisk } = editing(t, "one\n");
    const refuse = async (): Promise<never> => {
      throw new Error("The store is full.");
    };
    await assert.rejects(editor.rewrite(path, toText("two\n"), refuse), /The store is full/);
    assert.equal(onDisk(), "one\n");
  });

  it("deletes a file, but not one with unsaved changes", async (t) => {
    const { editor, path, root, log, documents } = editing(t, "one\n");
    const remove = () =>
      editor.rewrite(
        path,
        () => null,
        (edit) => log.plan({}, edit),
      );
    documents.open(path);
    documents.type(path, "typed\n");
    await assert.rejects(remove(), /"a\.txt" has unsaved changes/);
    documents.save(path);
    await remove();
    assert.deepEqual(readdirSync(root), []);
  });
});
