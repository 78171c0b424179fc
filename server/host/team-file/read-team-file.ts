import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { invalidDefinition, invalidParams } from "../../../shared/contract/errors.ts";
import type { CheckOptions } from "../definition/check-definition.ts";
import { parseTeamFile } from "./parse-team-file.ts";

/** No team that a person wrote is larger, in bytes. */
const MAX_SIZE = 1024 * 1024;

/** A team that a file describes, and what a team that AutoGen wrote has beside it. */
export interface TeamFile {
  readonly definition: TeamDefinition;
  /** One sentence for everything that was not taken over, with its place. */
  readonly leftOut: readonly string[];
}

/**
 * The team that a file describes.
 * @throws GavelError `InvalidParams` for an address that names no file, `InvalidDefinition` for one that can not be read, or with
 * all problems of its content, each with its line and column.
 */
export async function readTeamFile(uri: string, surroundings: Omit<CheckOptions, "unknownKeys">): Promise<TeamFile> {
  const path = pathOf(uri);
  const content = parseTeamFile(await readText(path), surroundings);
  if (!content.ok) throw invalidDefinition(basename(path), content.problems);
  return content;
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    throw invalidParams("team/open", [{ path: "uri", message: `"${uri}" is not a file: URI of this machine` }]);
  }
}

async function readText(path: string): Promise<string> {
  try {
    // Opening a pipe would wait for its writer.
    if (!(await stat(path)).isFile()) throw unreadable(path, "is not a file; open a team file");
    await using file = await open(path, "r");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_SIZE + 1), 0, MAX_SIZE + 1, 0);
    if (bytesRead > MAX_SIZE) throw unreadable(path, `is larger than ${MAX_SIZE / 1024} KB, the limit for a team file`);
    return new TextDecoder("utf-8").decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    if (error instanceof Error && "code" in error) throw unreadable(path, reasonOf(String(error.code)));
    throw error;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist; check its path, or open another file",
  EACCES: "cannot be read; change its permissions",
  EPERM: "cannot be read; change its permissions",
};

const reasonOf = (code: string): string => REASONS[code] ?? `cannot be read (${code})`;

const unreadable = (path: string, message: string): Error => invalidDefinition(basename(path), [{ path: "", message }]);
