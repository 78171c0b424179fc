import { setFlagsFromString } from "node:v8";

/** The first of V8's versions whose flags these are: Node 24's and VS Code's. */
const FIRST_VERSION = 13;

/**
 * Has V8 compile functions for speed after fewer calls than its defaults say, which are made for programs that call a
 * function a million times: most turns of a host would run in interpreted code. Called when the modules are loaded, so that
 * the start is not slower. It changes when code is compiled, not what the code does. See docs/DECISIONS.md, "Dependencies".
 */
export function compileEarly(): void {
  if (Number.parseInt(process.versions.v8, 10) < FIRST_VERSION) return;
  const flags = [
    "--invocation-count-for-feedback-allocation=2",
    "--invocation-count-for-maglev=50",
    "--minimum-invocations-after-ic-update=50",
  ];
  for (const flag of flags) setFlagsFromString(flag);
}
