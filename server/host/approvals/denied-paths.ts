import type { ApprovalRule } from "../../../shared/contract/approval.ts";
import { globMatcher, type PathPlaces, parsePathPattern } from "../../engine/index.ts";

/** Tools that read a file, and those that only write one. */
const READERS = ["readFile", "searchText", "listFiles", "runCommand"];
const WRITERS = ["applyPatch", "editFile", "rename", "writeFile"];

/** Whether rules deny paths, given as absolute paths. */
export interface DeniedPaths {
  readonly isReadDenied: (path: string) => boolean;
  readonly isWriteDenied: (path: string) => boolean;
  /** Changes whenever the rules do. */
  readonly key: string;
}

/** Who makes a call. */
interface Caller {
  readonly teamId: string;
  readonly participant: string;
}

/** What the user's rules deny a caller, for commands, which can read and write any file. */
export function deniedPaths(
  rules: readonly ApprovalRule[],
  { teamId, participant }: Caller,
  places: PathPlaces,
): DeniedPaths {
  const denying = rules.filter(
    (rule) =>
      rule.decision === "deny" &&
      (rule.team === undefined || rule.team === teamId) &&
      (rule.participant === undefined || rule.participant === participant),
  );
  const deniedTo = (tools: readonly string[]) => {
    const patterns = denying.flatMap(({ tool, path }) =>
      path !== undefined && tools.some(globMatcher(tool)) ? [parsePathPattern(path, places)] : [],
    );
    return (path: string): boolean => patterns.some((pattern) => pattern.mightMatch(path));
  };
  const key = JSON.stringify(denying.map(({ tool, path }) => [tool, path]));
  return { isReadDenied: deniedTo(READERS), isWriteDenied: deniedTo(WRITERS), key };
}
