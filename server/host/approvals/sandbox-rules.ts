import type { AddedFiles, SensitiveFiles } from "../../engine/index.ts";
import type { PathRules } from "../../tools/index.ts";
import type { DeniedPaths } from "./denied-paths.ts";

/**
 * What a sandboxed command must not read or write in the workspace: secret files and what rules deny, and files that lead to
 * execution. Package managers write manifests and read their own settings, so these stay as they are.
 * @param added the lists that the user added to `sensitive`.
 */
export function sandboxRules(sensitive: SensitiveFiles, added: AddedFiles, denied: DeniedPaths): PathRules {
  const { isReadDenied, isWriteDenied } = denied;
  return {
    key: JSON.stringify([denied.key, added]),
    isHidden: (path) => {
      const secret = sensitive.secretFile(path);
      return (secret !== undefined && secret.hasSettings !== true) || sensitive.isOwn(path) || isReadDenied(path);
    },
    isReadOnly: (path) => {
      const file = sensitive.protectedFile(path);
      return (file !== undefined && file.isManifest !== true) || isWriteDenied(path);
    },
  };
}
