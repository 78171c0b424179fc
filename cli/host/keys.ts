import { readFileSync } from "node:fs";
import { messageOf } from "../../shared/contract/errors.ts";
import { isSecretVariable, valuesInFiles } from "../../shared/environment-files.ts";
import { isKeyVariable } from "../../shared/environment-keys.ts";
import { HostError } from "./host-errors.ts";

/** The variable with the address of a store on a server. */
const STORE = "GAVEL_STORE";

/** The address of a store on a server, with its password; undefined for a store in a folder. */
export const storeAddress = (variables: NodeJS.ProcessEnv): string | undefined => variables[STORE]?.trim() || undefined;

/** The variable with the address of a link to workers. */
const LINK = "GAVEL_LINK";

/** The address of a link, with its password; undefined without one. */
export const linkAddress = (variables: NodeJS.ProcessEnv): string | undefined => variables[LINK]?.trim() || undefined;

/**
 * Takes the addresses and keys that files have into these variables, for the command that runs.
 * @throws HostError for a file that cannot be used.
 */
export function takeFromFiles(variables: NodeJS.ProcessEnv): void {
  try {
    Object.assign(
      variables,
      valuesInFiles(variables, (path) => readFileSync(path, "utf8")),
    );
  } catch (error) {
    throw new HostError(messageOf(error));
  }
}

/** The environment of a host, whose tools and other clients must not have this command's keys and passwords. */
export const hostEnvironment = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !isSecretVariable(name) && !isKeyVariable(name)));
