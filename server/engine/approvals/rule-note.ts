import type { NewApprovalRule } from "../../../shared/contract/approval.ts";

/** What a rule that denies or asks cannot prevent, in a sentence for its author; undefined if there is nothing to say. */
export function ruleNote({ decision, command, path }: NewApprovalRule): string | undefined {
  if (decision === "allow") return undefined;
  if (command !== undefined) {
    return (
      "This rule is compared with the words of commands. It does not see what a program runs by itself, such as a script, " +
      "`npm exec -- COMMAND`, or text that is sent to `sh`; to be sure, deny runCommand as a whole."
    );
  }
  if (path === undefined) return undefined;
  return (
    "A command is compared with this rule by its words: the rule applies to one that names this path, and one that names a " +
    "folder above it, or a path that is only known at run time, asks. Only the sandbox limits what a program opens by itself."
  );
}
