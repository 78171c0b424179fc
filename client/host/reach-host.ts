import type { JoinedHost } from "../../socket/join-host.ts";

/** How often it is tried at most: hosts of other windows come and go meanwhile. */
const MAX_TRIES = 5;
/** How often a host of one's own is started at most. */
const MAX_STARTS = 2;
/** How long another host is given to say where it listens, or to end, in milliseconds. */
const PAUSE_MS = 150;

/** A host that this window has started. */
interface OwnHost {
  /** Whether other windows can join it. */
  readonly isShared: boolean;
  stop(): Promise<void>;
}

/** How a window gets a connection to a host. */
export interface WaysToHost<Connection extends OwnHost> {
  /** Joins the host that runs; undefined if none does. */
  join(): Promise<JoinedHost | undefined>;
  /** Begins to use the host that was joined. @throws Error when it has ended meanwhile. */
  use(joined: JoinedHost): Promise<Connection>;
  /** Starts a host of its own, which lets others join unless another host does so already. */
  start(): Promise<Connection>;
  /** Starts a host that goes on without this window; left out if the user does not want one. */
  readonly serve: (() => Promise<unknown>) | undefined;
  /** Waits for so many milliseconds. */
  pause(ms: number): Promise<unknown>;
}

/**
 * Joins the host that runs for the window's storage folder, or else starts one. Of several windows that start one at the
 * same time, all but the first join that one. A host that no one can join, as its socket cannot be made, serves this window
 * alone.
 * @throws HostRefusedError for a host that runs and cannot be joined; Error when none can be started.
 */
export async function reachHost<Connection extends OwnHost>(ways: WaysToHost<Connection>): Promise<Connection> {
  let starts = 0;
  let failure: unknown;
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    if (tries > 1) await ways.pause(PAUSE_MS * tries);
    const joined = (await ways.join()) ?? (await served(ways));
    if (joined !== undefined) {
      try {
        return await ways.use(joined);
      } catch (error) {
        joined.stream.destroy();
        failure = error;
      }
    } else if (ways.serve === undefined) {
      const own = await ways.start();
      starts++;
      if (own.isShared || starts >= MAX_STARTS) return own;
      await own.stop();
    }
  }
  throw failure ?? new Error("The agent host ended right after its start.");
}

/** A host that keeps running, if the user wants one; undefined if another has just begun to listen and says where soon. */
async function served({ serve, join }: WaysToHost<OwnHost>): Promise<JoinedHost | undefined> {
  if (serve === undefined) return undefined;
  await serve();
  return join();
}
