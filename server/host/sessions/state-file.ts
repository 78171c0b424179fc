import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { messageOf, storageError } from "../../../shared/contract/errors.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { LIMITS } from "../../../shared/limits.ts";
import { sizeProblem } from "../../../shared/size-problem.ts";
import { newId, withLoadedTexts } from "../../engine/index.ts";
import { type CutText, cutJson, withTexts } from "../store/cut-texts.ts";

/** The version of the format of these files. That of the states in them is their `schemaVersion`. */
const FORMAT = 1;

/** How long a piece of a text is, in characters, so that nothing of a long text is one JSON text. */
const PIECE = 1024 * 1024;

/** How long a line may be, in bytes: a piece with every character escaped, or an entry of many texts that are not long. */
const MAX_LINE = 256 * 1024 * 1024;

/** A team of the file, the outermost first; the lines after it are the entries of its transcript. */
interface TeamLine {
  readonly kind: "team";
  /** The names of the participants that the nested team is in. */
  readonly path: readonly string[];
  /** Its saved state without a transcript and nested teams. */
  readonly state: object;
}

/**
 * Writes a saved state to a file of JSON lines (PROTOCOL.md, `team/saveStateFile`), of which one long text at a time is in
 * memory. A file of that name is replaced when all is written. Returns the file's size, in bytes.
 * @throws GavelError `StorageError` when it cannot be written.
 */
export async function writeStateFile(path: string, state: SavedState): Promise<number> {
  const unfinished = `${path}.${newId("state")}`;
  let size = 0;
  try {
    // What was said is for the user alone.
    const file = await open(unfinished, "wx", 0o600);
    try {
      size += await writeLines(file, { kind: "savedState", format: FORMAT });
      size += await writeTeam(file, state, []);
      size += await writeLines(file, { kind: "end" });
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    return size;
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw storageError(`${path} could not be written: ${messageOf(error)}; choose another file, or make room for it.`);
  }
}

async function writeTeam(file: FileHandle, state: SavedState, path: readonly string[]): Promise<number> {
  const { transcript, inner = {}, ...head } = state;
  let size = await writeLines(file, { kind: "team", path, state: head } satisfies TeamLine);
  for (const entry of transcript) size += await writeLines(file, entry);
  for (const [name, team] of Object.entries(inner)) size += await writeTeam(file, team, [...path, name]);
  return size;
}

/** Writes the pieces of the long texts of a value, and then the value without them. */
async function writeLines(file: FileHandle, value: object): Promise<number> {
  const { json, texts } = await withLoadedTexts(
    () => cutJson(value),
    () => {},
  );
  let size = 0;
  const write = async (line: string): Promise<void> => {
    const bytes = Buffer.from(`${line}\n`);
    await file.writeFile(bytes);
    size += bytes.length;
  };
  for (const { place, text } of texts) {
    for (let at = 0; at < text.length; at += PIECE) await write(JSON.stringify([place, text.slice(at, at + PIECE)]));
  }
  await write(json);
  return size;
}

/** A file is not a state file; the message is a clause that says why. */
export class NoStateFile extends Error {}

/** Reads a state file. @throws NoStateFile; the file system's error. */
export async function readStateFile(path: string): Promise<unknown> {
  // A pipe would be read for as long as its other end likes.
  if (!(await stat(path)).isFile()) throw new NoStateFile("it is not a file");
  const reader = new StateReader();
  let number = 0;
  for await (const line of linesOf(path)) {
    number++;
    try {
      reader.add(JSON.parse(line));
    } catch (error) {
      throw new NoStateFile(`line ${number} of it is none of a saved state (${messageOf(error)})`);
    }
  }
  return reader.end();
}

async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield decoder.decode(Buffer.concat([...parts, chunk.subarray(start, end)]));
      [parts, size, start] = [[], 0, end + 1];
    }
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_LINE) throw new NoStateFile("one of its lines is longer than those of a saved state");
  }
  if (size > 0) throw new NoStateFile("it ends within a line");
}

/** Puts a state together from the values of a file's lines. */
class StateReader {
  /** By their paths, as JSON. */
  readonly #teams = new Map<string, ReadTeam>();
  #transcript: unknown[] | undefined;
  #isStarted = false;
  #isEnded = false;
  /** The pieces of texts of the next value, by place. */
  readonly #texts = new Map<string, string[]>();

  /** @throws Error for what is no line of a state file at this place. */
  add(value: unknown): void {
    if (this.#isEnded) throw new Error("it comes after the end");
    const problem = sizeProblem(value, { depth: LIMITS.message.depth });
    if (problem !== undefined) throw new Error(problem);
    if (Array.isArray(value)) {
      this.#piece(value);
      return;
    }
    const texts: CutText[] = [...this.#texts].map(([place, pieces]) => ({ place, text: pieces.join("") }));
    this.#texts.clear();
    const whole = withTexts(value, texts);
    if (!isRecord(whole)) throw new Error("it is neither a map of keys nor a text");
    const { $texts: _, ...entry } = whole;
    this.#value(entry);
  }

  /** @throws NoStateFile when there is no end. */
  end(): unknown {
    const state = this.#teams.get("[]");
    if (!this.#isEnded || state === undefined) throw new NoStateFile("its end is missing");
    // The same limits as for a state in a message: what is put together of lines may be beyond them.
    const { depth, text } = LIMITS.message;
    const problem = sizeProblem(state, { depth, text });
    if (problem !== undefined) throw new NoStateFile(`the state ${problem}`);
    return state;
  }

  #piece([place, piece]: readonly unknown[]): void {
    if (typeof place !== "string" || typeof piece !== "string") throw new Error("it is no piece of a text");
    const pieces = this.#texts.get(place) ?? [];
    pieces.push(piece);
    this.#texts.set(place, pieces);
  }

  #value(value: JsonRecord): void {
    if (!this.#isStarted) {
      if (value["kind"] !== "savedState") throw new Error("a state file begins otherwise");
      if (value["format"] !== FORMAT) throw new Error("it was written by a newer version of Gavel; update Gavel");
      this.#isStarted = true;
    } else if (value["kind"] === "team") this.#team(value);
    else if (value["kind"] === "end") this.#isEnded = true;
    else if (this.#transcript === undefined) throw new Error("it belongs to no team");
    else this.#transcript.push(value);
  }

  #team({ path, state: head }: JsonRecord): void {
    if (!Array.isArray(path) || !isRecord(head)) throw new Error("it is no team");
    const name: unknown = path.at(-1);
    const outer = name === undefined ? undefined : this.#teams.get(JSON.stringify(path.slice(0, -1)));
    const key = JSON.stringify(path);
    if (name !== undefined && outer === undefined) throw new Error("the team around it is missing");
    if (this.#teams.has(key)) throw new Error("that team is in it already");
    const { inner: _, ...own } = head;
    const state: ReadTeam = { ...own, transcript: [] };
    if (outer !== undefined) {
      outer.inner ??= {};
      // A participant may have any name: an assignment would not set a field named __proto__.
      Object.defineProperty(outer.inner, String(name), {
        value: state,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    this.#teams.set(key, state);
    this.#transcript = state.transcript;
  }
}

/** A team as it is put together. */
interface ReadTeam {
  readonly transcript: unknown[];
  inner?: Readonly<Record<string, ReadTeam>>;
}
