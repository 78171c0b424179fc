import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { notAuthorized } from "../../../shared/contract/errors.ts";

/**
 * Where hosts of several computers share teams, a team works on one that has the folder of its file: elsewhere its tools
 * would find other files, or none. @throws GavelError `NotAuthorized` where that folder is not on this computer.
 */
export function assertHere({ teamId, uri }: { readonly teamId: string; readonly uri: string | undefined }): void {
  const folder = folderOf(uri);
  if (folder === undefined || existsSync(folder)) return;
  throw notAuthorized(
    `Team "${teamId}" works in ${folder}, which is not on this computer; read it here, and run it where that folder is.`,
    { teamId, folder },
  );
}

function folderOf(uri: string | undefined): string | undefined {
  try {
    return uri === undefined ? undefined : dirname(fileURLToPath(uri));
  } catch {
    // It has no file, as one that was never saved.
    return undefined;
  }
}
