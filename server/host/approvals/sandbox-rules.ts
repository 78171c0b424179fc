import type { SensitiveFiles } from "../../engine/index.ts";
import type { PathRules } from "../../tools/index.ts";
import type { DeniedPaths } from "./denied-paths.ts";

/**
 * What a sandboxed command must not read or write in the workspace: secret files and what rules deny, and files that lead to
 * execution. Package managers write manifests and read their own settings, so these stay as they are.
 */
export function sandboxRules(sensitive: SensitiveFiles, { isReadDenied, isWriteDenied }: DeniedPaths): PathRules {
  return {
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
