import { isKeyVariable } from "../../shared/environment-keys.ts";

/** The variable with the address of a store on a server. */
const STORE = "GAVEL_STORE";

/** The address of a store on a server, with its password; undefined for a store in a folder. */
export const storeAddress = (variables: NodeJS.ProcessEnv): string | undefined => variables[STORE]?.trim() || undefined;

/** The variable with the address of a link to workers. */
const LINK = "GAVEL_LINK";

/** The address of a link, with its password; undefined without one. */
export const linkAddress = (variables: NodeJS.ProcessEnv): string | undefined => variables[LINK]?.trim() || undefined;

/** The environment of a host, whose tools and other clients must not have this command's keys and passwords. */
export const hostEnvironment = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(variables).filter(([name]) => ![STORE, LINK].includes(name) && !isKeyVariable(name)),
  );
