import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { TeamStatus } from "../../shared/contract/team.ts";
import { type CommandContext, slashCommandNames, slashCommands } from "./slash-commands.ts";

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string; readonly enablement?: string }[] };
}
const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Manifest;

/** The context keys of a trusted workspace with an open team. */
const keysOf = (context: CommandContext): Readonly<Record<string, string | boolean>> => ({
  isWorkspaceTrusted: true,
  "gavel.teamOpen": true,
  "gavel.status": context.status,
  "gavel.hasThread": context.hasThread,
  "gavel.hasPendingTools": context.hasPendingTools,
  "gavel.stopRequested": context.isStopping,
  "gavel.hasQueued": context.hasQueued,
  "gavel.hasPartial": context.hasPartial,
});

/** A clause whose negations are `!=` and `!key`, as those of package.json are. */
function holds(clause: string, keys: Readonly<Record<string, string | boolean>>): boolean {
  const inner = /\(([^()]*)\)/.exec(clause);
  if (inner !== null) return holds(clause.replace(inner[0], String(holds(inner[1] ?? "", keys))), keys);
  return clause.split("||").some((part) => part.split("&&").every((term) => holdsTerm(term.trim(), keys)));
}

function holdsTerm(term: string, keys: Readonly<Record<string, string | boolean>>): boolean {
  if (term.startsWith("!")) return !holdsTerm(term.slice(1), keys);
  const [key = "", operator, value] = term.split(/\s*(==|!=)\s*/);
  if (operator !== undefined) return (keys[key] === value) === (operator === "==");
  return key === "true" || (key !== "false" && keys[key] === true);
}

const either = [true, false];

const contexts: readonly CommandContext[] = (
  ["idle", "running", "interrupting", "paused", "awaitingTools"] satisfies TeamStatus[]
)
  .flatMap((status) => either.map((hasThread) => ({ status, hasThread })))
  .flatMap((context) => either.map((hasPendingTools) => ({ ...context, hasPendingTools })))
  .flatMap((context) => either.map((isStopping) => ({ ...context, isStopping })))
  .flatMap((context) => either.map((hasQueued) => ({ ...context, hasQueued })))
  .flatMap((context) => either.map((hasPartial) => ({ ...context, hasPartial })));

test("a slash command is offered exactly when the palette offers its command", () => {
  for (const name of slashCommandNames) {
    const { command, isOffered } = slashCommands[name];
    const enablement = manifest.contributes.commands.find((each) => each.command === command)?.enablement ?? "true";
    for (const context of contexts) {
      assert.equal(isOffered(context), holds(enablement, keysOf(context)), `/${name} for ${JSON.stringify(context)}`);
    }
  }
});
