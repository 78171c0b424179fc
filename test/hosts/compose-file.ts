import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { root } from "../../scripts/root.ts";

/** The folder of the Compose file. */
export const DEPLOY = join(root, "deploy");

const SecretUse = z.union([
  z.string().transform((source) => ({ source, target: `/run/secrets/${source}` })),
  z.object({ source: z.string(), target: z.string() }),
]);

const Service = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(SecretUse).default([]),
  /** `SOURCE:TARGET:ro`. */
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  user: z.string().optional(),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  stop_grace_period: z.string().default("10s"),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  deploy: z.object({ replicas: z.number() }).optional(),
});
export type Service = z.infer<typeof Service>;

const Compose = z.object({
  services: z.record(z.string(), Service),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })),
});

/** What compose.yaml says, with its anchors resolved. */
export const compose = Compose.parse(
  parse(readFileSync(join(DEPLOY, "compose.yaml"), "utf8"), { merge: true, maxAliasCount: 100 }),
);

/** A service by its name. */
export function service(name: string): Service {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`compose.yaml has no service ${name}.`);
  return found;
}
