import { readAutoGenComponent } from "../../../server/engine/index.ts";
import { GavelError } from "../../../shared/contract/errors.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { autoGenTeams } from "./autogen-components.ts";
import { loggedTest } from "./run-log.ts";

/** What is read of a component, one line for each value of the definition, for what is left out, and for what is wrong. */
function read(json: unknown): string[] {
  try {
    const { definition, leftOut } = readAutoGenComponent(json);
    return [...leaves(definition), ...leftOut.map((sentence) => `left out ${sentence.split(" ")[0]}`)];
  } catch (error) {
    if (!(error instanceof GavelError)) throw error;
    const problems = error.data["problems"];
    return Array.isArray(problems) ? problems.map((problem: { path: string }) => `wrong ${problem.path}`) : [];
  }
}

function leaves(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${path} ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, item]) => leaves(item, `${path}/${key}`));
}

/** Every value in it, by its path. */
function* places(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) yield* places(item, [...path, key]);
}

/** A copy with another value at a place, or with none there. */
function changed(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined || typeof value !== "object" || value === null) return to;
  const copy: Record<string, unknown> = { ...value };
  if (rest.length > 0 || to !== undefined) copy[key] = changed(copy[key], rest, to);
  else delete copy[key];
  return Array.isArray(value) ? Object.values(copy) : copy;
}

const anotherKind = (value: unknown): unknown => (typeof value === "string" ? 42 : isRecord(value) ? [] : "a text");

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null ? Object.entries(at).find(([name]) => name === key)?.[1] : undefined,
    value,
  );
}

for (const [name, team] of Object.entries(autoGenTeams)) {
  loggedTest(
    `autogen/${name}`,
    `An AutoGen ${name} team is read with every part left out or of another type`,
    async (log) => {
      const whole = read(team);
      for (const line of whole) log.note(line);
      // Parts that several teams have are varied in the first.
      const varied = [...places(team)].filter((path) => name === "round-robin" || !path.includes("participants"));
      for (const path of varied) {
        for (const [how, to] of [
          ["without", undefined],
          ["other", anotherKind(valueAt(team, path))],
        ] as const) {
          const now = read(changed(team, path, to));
          const gone = whole.filter((line) => !now.includes(line)).length;
          const come = now.filter((line) => !whole.includes(line));
          log.note(`${how} ${path.join("/")}: ${gone} gone${come.map((line) => `\n  ${line}`).join("")}`);
        }
      }
    },
  );
}
