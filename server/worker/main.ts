import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { isSecretVariable, valuesInFiles } from "../../shared/environment-files.ts";
import { isKeyVariable } from "../../shared/environment-keys.ts";
import { gavelVersion } from "../host/connection/gavel-version.ts";
import { linkAddress } from "../link/index.ts";
import { Worker } from "./worker.ts";
import { readWorkerFile } from "./worker-file.ts";

/** How long a worker that is ended goes on with what it does, in milliseconds. */
const DRAIN_MS = 30_000;

/**
 * Takes the keys and the address of the link out of the environment, which tools could read, or out of the files that it
 * names. @throws Error for a file that cannot be used.
 */
function takeVariables(): Record<string, string | undefined> {
  const taken: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!isSecretVariable(name) && !isKeyVariable(name)) continue;
    taken[name] = value;
    delete process.env[name];
  }
  return { ...taken, ...valuesInFiles(taken, (path) => readFileSync(path, "utf8")) };
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const variables = takeVariables();
  const { values } = parseArgs({
    options: {
      participants: { type: "string" },
      name: { type: "string" },
      // It ends when its standard input does: with the process that has started it, however that ended.
      "ends-with-input": { type: "boolean", default: false },
    },
  });
  if (values["ends-with-input"])
    process.stdin
      .once("close", () => process.exit(0))
      .on("error", () => {})
      .resume();
  const file = await readWorkerFile(values.participants ?? "");
  const name = values.name ?? file.name;
  if (name === undefined) throw new Error("The worker has no name; give --name, or add `name` to its file.");
  const address = linkAddress(variables["GAVEL_LINK"] ?? "");
  if (address.warning !== undefined) say(address.warning);
  const { connectNats } = await import("../link/nats-link.ts");
  const link = await connectNats(address);
  link.onStatus((isUp) => say(isUp ? "The link is there again." : "The link is interrupted."));
  const worker = new Worker({
    name,
    file,
    link,
    space: address.space,
    silence: address.silence,
    variables,
    version: gavelVersion(),
    log: say,
  });
  const end = async (): Promise<never> => {
    process.once("SIGTERM", () => process.exit(0)).once("SIGINT", () => process.exit(0));
    await worker.drain(DRAIN_MS);
    worker.close();
    await link.close();
    process.exit(0);
  };
  process.once("SIGTERM", () => void end()).once("SIGINT", () => void end());
  const unsafe = await worker.unsafe();
  if (unsafe !== undefined) say(unsafe);
  process.stdout.write(`The worker ${name} is on the link ${link.name}: ${offered(file)}.\n`);
}

const offered = ({ participants = [], models = {}, tools = [] }: Awaited<ReturnType<typeof readWorkerFile>>): string =>
  [
    ["participants", participants.map(({ name }) => name)] as const,
    ["models", Object.keys(models)] as const,
    ["tools", tools] as const,
  ]
    .flatMap(([what, names]) => (names.length === 0 ? [] : `${what} ${names.join(", ")}`))
    .join("; ");

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
