import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import type { WorkerLink } from "./link/worker-link.ts";

/** Where a participant of a team is placed. */
export type PlacedOn = NonNullable<ParticipantDefinition["on"]>;

/** A worker that is there. */
export interface FoundWorker {
  readonly link: WorkerLink;
  readonly offers: NonNullable<Awaited<ReturnType<WorkerLink["find"]>>>;
}

/** Finds workers by their names. */
export interface WorkerFinder {
  /**
   * The worker of that name; rejects with an AbortError when `signal` aborts.
   * @throws GavelError `ModelError` when there is none, or the link cannot be used.
   */
  find(worker: string, signal: AbortSignal): Promise<FoundWorker>;
}
