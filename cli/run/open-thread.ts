import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { NewApprovalRule } from "../../shared/contract/approval.ts";
import { GavelError } from "../../shared/contract/errors.ts";
import { TeamList, TeamOpen, TeamSetModel } from "../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { ownValue } from "../../shared/json-record.ts";
import { approvalRule } from "../arguments/approve-rule.ts";
import { modelIn } from "../arguments/model-option.ts";
import type { RunOptions } from "../arguments/parse.ts";
import { UsageError } from "../arguments/usage-error.ts";
import type { HostClient } from "../host/host-client.ts";
import type { Thread } from "./thread.ts";

/** Opens the thread that the options name: a new one of the team file, or a stored one. @throws UsageError, GavelError */
export async function openThread(host: HostClient, options: RunOptions): Promise<TeamSnapshot> {
  const uri = options.file === undefined ? undefined : fileUri(options.file);
  const teamId = await threadId(host, options, uri);
  const params = { ...(uri === undefined ? {} : { uri }), ...(teamId === undefined ? {} : { teamId }) };
  return host.request(TeamOpen, params).catch((error: unknown) => {
    throw notFound(error, options.file) ?? error;
  });
}

/** Finds what is wrong with the rules of this run before a thread is made. @throws UsageError */
export function checkRules(options: RuleOptions): void {
  rulesOf(options, "-");
}

/** Gives an open thread its model and the approval rules of this run, which may at once decide calls that wait. */
export async function prepareThread(thread: Thread, options: RunOptions): Promise<void> {
  if (options.model !== undefined) await setModel(thread, options.model);
  for (const rule of rulesOf(options, thread.teamId)) await thread.addRule(rule);
}

type RuleOptions = Pick<RunOptions, "approve" | "deny" | "review">;

/** The rules of this run, those that allow last: with one of them, a call that waits runs at once. @throws UsageError */
const rulesOf = ({ deny, review, approve }: RuleOptions, teamId: string): readonly NewApprovalRule[] => [
  ...deny.map((text) => approvalRule(text, "deny", teamId)),
  ...review.map((text) => approvalRule(text, "review", teamId)),
  ...approve.map((text) => approvalRule(text, "allow", teamId)),
];

/** A file's address; with links resolved, as the editor has it. A file that is missing is the host's to tell. */
export function fileUri(path: string): string {
  const absolute = resolve(path);
  try {
    return pathToFileURL(realpathSync.native(absolute)).href;
  } catch {
    return pathToFileURL(absolute).href;
  }
}

async function threadId(host: HostClient, { thread, file }: RunOptions, uri: string | undefined) {
  if (thread === undefined) return undefined;
  const { teams } = await host.request(TeamList, {});
  if (thread !== "last") return storedId(teams, thread);
  const last = teams.find((team) => team.uri === uri);
  if (last === undefined)
    throw new UsageError(`There is no thread of ${file ?? "the team"} yet; leave out --continue.`);
  return last.teamId;
}

/** The stored thread with that id, or whose id alone starts so. @throws UsageError */
export function storedId(teams: readonly { readonly teamId: string }[], given: string): string {
  const exact = teams.find(({ teamId }) => teamId === given);
  if (exact !== undefined) return exact.teamId;
  const [first, ...others] = teams.filter(({ teamId }) => teamId.startsWith(given));
  if (first === undefined) throw new UsageError(`There is no thread ${given} here; "gavel list" lists them.`);
  if (others.length === 0) return first.teamId;
  throw new UsageError(`${others.length + 1} threads start with ${given}; give more of the id.`);
}

async function setModel({ host, teamId, state: { models } }: Thread, text: string): Promise<void> {
  const model = ownValue(models, text) === undefined ? modelIn(text) : text;
  const keys = Object.keys(models ?? {});
  const known = keys.length === 0 ? "the team file has no models" : `the team file has ${keys.join(", ")}`;
  if (model === undefined) throw new UsageError(`There is no model ${text}: ${known}; or give it as PROVIDER:MODEL.`);
  await host.request(TeamSetModel, { teamId, model });
}

/** A team file that does not exist is a fault of the command, in the words of the command. */
function notFound(error: unknown, file: string | undefined): UsageError | undefined {
  const isMissing = error instanceof GavelError && /ENOENT|does not exist|no such file/i.test(error.message);
  return isMissing && file !== undefined ? new UsageError(`The team file ${file} does not exist.`) : undefined;
}
