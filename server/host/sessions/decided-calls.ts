import { messageOf } from "../../../shared/contract/errors.ts";
import type { ToolAnswers } from "../../engine/index.ts";
import type { PendingCall } from "../approvals/approvals.ts";
import type { HostLog } from "../log/host-log.ts";
import type { Session } from "./session.ts";

/** The answers that the rules give to some of the calls; undefined for none. */
export type DecidedAnswers = (calls: readonly PendingCall[]) => Promise<ToolAnswers | undefined>;

/**
 * Resolves the pending calls of a team that the rules now decide. Returns the refs that were resolved.
 * @throws GavelError for a team that another host runs, or that cannot be read.
 */
export async function answerDecided(session: Session, answers: DecidedAnswers, log: HostLog): Promise<string[]> {
  const waiting = (await session.current()).pendingTools.filter(({ approval }) => approval !== undefined);
  const calls = await Promise.all(waiting.map(async ({ ref }) => pendingCall(session, ref)));
  const decided = await answers(calls.filter((call) => call !== undefined));
  // The user may have answered some of them meanwhile.
  const { pendingTools } = await session.current();
  const isPending = ({ ref }: { readonly ref: string }): boolean => pendingTools.some((call) => call.ref === ref);
  const restart = decided?.restart?.filter(isPending) ?? [];
  const deny = decided?.deny?.filter(isPending) ?? [];
  if (restart.length + deny.length === 0) return [];
  const applied = Promise.withResolvers<void>();
  session
    .exclusive((team) => {
      // Answers are applied at once, except while a run is about to end: then after its end.
      const resolving = team.resolveTools({ restart, deny });
      applied.resolve();
      return resolving;
    }, "writable")
    .catch((error: unknown) => log.warn(messageOf(error)))
    .finally(applied.resolve);
  await applied.promise;
  const left = new Set(session.state.pendingTools.map(({ ref }) => ref));
  return pendingTools.map(({ ref }) => ref).filter((ref) => !left.has(ref));
}

/** A pending call as the rules see it; undefined when it cannot run any more, which leaves it to the user. */
async function pendingCall(session: Session, ref: string): Promise<PendingCall | undefined> {
  const call = await session.read((team) => team.callToApprove(ref));
  return call && { ref, call };
}
