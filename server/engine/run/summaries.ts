import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import { ownValue } from "../../../shared/json-record.ts";
import type { OlderPart } from "../context/older-part.ts";
import type { Ledger } from "../log/ledger.ts";
import type { ContextItem } from "../model.ts";
import {
  type OlderPartRequest,
  olderParts,
  type SummaryRequest,
  writtenSummaries,
} from "../participants/participant-container.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { LiveReasoning } from "./live-reasoning.ts";
import type { Transcript } from "./transcript.ts";

export interface SummariesOptions {
  readonly teamId: string;
  readonly ledger: Ledger;
  readonly transcript: Transcript;
  readonly runtime: Runtime;
  readonly contextOf: (participant: string) => ContextDefinition | undefined;
}

/** Gives the turns of a team what they summarize, and records their summaries. `inProgress` finds a turn by its id. */
export function installSummaries(
  { teamId, ledger, transcript, runtime, contextOf }: SummariesOptions,
  inProgress: (turnId: string) => LiveReasoning | undefined,
): void {
  const summaryOf = (participant: string) => ownValue(ledger.state.contexts, participant)?.summary;
  const isRestored = (participant: string) => ownValue(ledger.state.contexts, participant)?.restored === true;
  const read = async ({ turnId, sizes }: OlderPartRequest): Promise<OlderPart | undefined> => {
    const live = inProgress(turnId);
    if (live === undefined || live.context.isInterrupted || isRestored(live.participant)) return undefined;
    return transcript.readOlderPart(live.participant, summaryOf(live.participant), sizes);
  };
  const record = async ({ turnId, summary }: SummaryRequest): Promise<readonly ContextItem[] | undefined> => {
    const live = inProgress(turnId);
    if (live === undefined || live.context.isInterrupted || isRestored(live.participant)) return undefined;
    const { participant } = live;
    const { tokens, ...written } = summary;
    ledger.record({ type: "context/summarized", participant, summary: written, tokens });
    return transcript.readItemsFor(participant, contextOf(participant), written);
  };
  runtime.register(olderParts(teamId), read, { serial: false });
  runtime.register(writtenSummaries(teamId), record, { serial: false });
}
