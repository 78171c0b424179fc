import * as z from "zod";
import type { ServeOptions } from "../shared/contract/joining.ts";

/** What a host without a parent says, once, on its standard output. */
export const Started = z.object({
  listening: z.boolean(),
  port: z.number().int().optional(),
  metricsPort: z.number().int().optional(),
});
export type Started = z.infer<typeof Started>;

/** A host that is started without a parent that speaks with it (PROTOCOL.md, "A host without a parent"). */
export interface HostToServe {
  /** The path of dist/server.js. */
  readonly serverModule: string;
  readonly options: ServeOptions;
  /** The address of a store on a server, with its password. */
  readonly store?: string | undefined;
  /** The address of a link, with its password. */
  readonly link?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** How its process is started: the arguments of Node, what its standard input begins with, and its environment. */
export function startOf({ serverModule, options, store, link, env }: HostToServe): {
  readonly args: readonly string[];
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
} {
  const given = { hasStore: store !== undefined, hasLink: link !== undefined };
  return {
    args: [serverModule, "--serve", JSON.stringify({ ...options, ...given })],
    input: [store, link].flatMap((line) => (line === undefined ? [] : `${line}\n`)).join(""),
    // Where this is a process of Electron, it has to be told to be Node.
    env: { ...env, ELECTRON_RUN_AS_NODE: "1" },
  };
}
