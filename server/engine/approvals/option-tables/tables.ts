import { buildTools } from "./build-tools.ts";
import { codeCheckers } from "./code-checkers.ts";
import { interpreters } from "./interpreters.ts";
import { network } from "./network.ts";
import { packageManagers } from "./packages.ts";
import { systemTools } from "./system.ts";
import { textTools } from "./text-tools.ts";
import { versionControl } from "./version-control.ts";

/** The programs whose options are known, by what they are for. */
export const TABLES = {
  versionControl,
  packageManagers,
  interpreters,
  textTools,
  network,
  buildTools,
  codeCheckers,
  systemTools,
};
