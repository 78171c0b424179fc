import type { StorageStatus } from "../../../shared/contract/storage.ts";

/** What a host says of itself to those who watch it: numbers alone. */
export interface HostState {
  readonly version: string;
  readonly clients: number;
  /** Open teams. */
  readonly teams: number;
  readonly running: number;
  /** Calls that wait for a decision of the user. */
  readonly waitingCalls: number;
  readonly storage: StorageStatus["state"];
  /** It ends, and starts no more runs. */
  readonly isDraining: boolean;
}
