import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { invalidDefinition, invalidParams } from "../../../shared/contract/errors.ts";
import type { CheckOptions } from "../definition/check-definition.ts";
import type { ResolveContent } from "../definition/resolved-content.ts";
import { readTeamText } from "./parse-team-file.ts";

/** The limit on the size of a team file, in bytes. */
const MAX_SIZE = 1024 * 1024;

/** The team of a file, and what could not be converted from AutoGen. */
export interface TeamFile {
  readonly definition: TeamDefinition;
  /** A sentence for each part of an AutoGen component that was not converted. */
  readonly leftOut: readonly string[];
  /** A sentence for each part of an agent file that is not taken over. */
  readonly notes: readonly string[];
}

/**
 * Reads the team of a file.
 * @throws GavelError `InvalidParams` if `uri` is not a file, `InvalidDefinition` if the file cannot be read, or with all
 * problems of its content, each with its line and column.
 */
export async function readTeamFile(
  uri: string,
  context: Omit<CheckOptions, "unknownKeys">,
  resolve: ResolveContent,
): Promise<TeamFile> {
  const path = pathOf(uri);
  const content = await readTeamText(await readText(path), context, resolve);
  if (!content.ok) throw invalidDefinition(basename(path), content.problems);
  const notes = content.notes.map(({ message, line = 1 }) => `line ${line}: ${message}`);
  return { definition: content.definition, leftOut: content.leftOut, notes };
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
    // Opening a named pipe would wait for a writer.
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
