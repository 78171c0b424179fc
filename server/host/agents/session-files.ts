import { createHash } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../../shared/parse-json.ts";
import type { SessionRecord } from "../../agents/index.ts";
import { ToldRecord } from "../../agents/told-record.ts";
import { makePrivateFolder } from "../store/private-files.ts";

const Stored = z.object({
  version: z.literal(1),
  session: z.string(),
  program: z.string(),
  task: z.string().optional(),
  told: ToldRecord,
});

/**
 * The sessions of agents, each in a small file of the storage, so that they can be resumed after the host has ended. Without
 * one, or with one that cannot be read, the agent is told the conversation again.
 */
export class SessionFiles {
  readonly #folder: string | undefined;
  readonly #kept = new Map<string, SessionRecord>();
  #writing: Promise<void> = Promise.resolve();

  constructor(storagePath: string | undefined) {
    this.#folder = storagePath === undefined ? undefined : join(storagePath, "agents");
  }

  /** The session of the participant at `place` in a root team. */
  async get(teamId: string, place: string): Promise<SessionRecord | undefined> {
    const name = nameOf(teamId, place);
    const known = this.#kept.get(name);
    if (known !== undefined || this.#folder === undefined) return known;
    try {
      return Stored.parse(parseJson(await readFile(join(this.#folder, name), "utf8")));
    } catch {
      return undefined;
    }
  }

  /** @throws Error when it cannot be written. */
  async keep(teamId: string, place: string, record: SessionRecord): Promise<void> {
    const name = nameOf(teamId, place);
    this.#kept.set(name, record);
    const folder = this.#folder;
    if (folder === undefined) return;
    const written = this.#writing.then(async () => {
      makePrivateFolder(folder);
      const path = join(folder, name);
      await writeFile(`${path}.new`, JSON.stringify({ version: 1, ...record }), { mode: 0o600 });
      await rename(`${path}.new`, path);
    });
    this.#writing = written.catch(() => {});
    await written;
  }

  /** Forgets those of a team. */
  async forget(teamId: string): Promise<void> {
    const prefix = `${digestOf(teamId)}-`;
    for (const name of this.#kept.keys()) if (name.startsWith(prefix)) this.#kept.delete(name);
    const folder = this.#folder;
    if (folder === undefined) return;
    this.#writing = this.#writing.then(async () => {
      const names = await readdir(folder).catch(() => []);
      for (const name of names)
        if (name.startsWith(prefix)) await rm(join(folder, name), { force: true }).catch(() => {});
    });
    await this.#writing;
  }
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

const nameOf = (teamId: string, place: string): string => `${digestOf(teamId)}-${digestOf(place)}.json`;
