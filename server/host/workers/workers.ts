import type { WorkerModel } from "../../../shared/contract/definition.ts";
import { messageOf, modelError } from "../../../shared/contract/errors.ts";
import type { Model, TeamParts } from "../../engine/index.ts";
import type { HostLog } from "../log/host-log.ts";
import type { FoundWorker, WorkerFinder } from "./found-worker.ts";
import type { Loopback } from "./link/loopback.ts";
import type { WorkerLink } from "./link/worker-link.ts";
import { LoopbackParticipant } from "./loopback-participant.ts";
import { workerModel } from "./worker-model.ts";
import { WorkerParticipant } from "./worker-participant.ts";
import { WorkerToolSource } from "./worker-tool-source.ts";

/** For tests. */
const LOOPBACK = "GAVEL_LINK_LOOPBACK";

export interface WorkersOptions {
  /** The address of the link, which may have a password; undefined without one. */
  readonly link: string | undefined;
  readonly log: HostLog;
  readonly notifyUser: (message: string) => void;
}

/** The workers on the link of this host: what teams have placed on them. The link is joined when one is first needed. */
export class Workers implements WorkerFinder, Disposable {
  readonly #options: WorkersOptions;
  #joined: Promise<WorkerLink> | undefined;
  #loopback: Promise<Loopback> | undefined;
  #isClosed = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** A participant that is placed on a worker; undefined for any other. */
  readonly participant: NonNullable<TeamParts["participant"]> = (definition, place) => {
    const { on } = definition;
    return on && new WorkerParticipant({ workers: this, definition, on, place });
  };

  /** With the variable {@link LOOPBACK}, turns of the host's own assistants go over the link that it names, and back. */
  readonly elsewhere: NonNullable<TeamParts["elsewhere"]> = (assistant, definition, place) => {
    const address = process.env[LOOPBACK];
    if (address === undefined) return undefined;
    const loopback = async (): Promise<Loopback> => {
      this.#loopback ??= import("./link/link-parts.ts").then((parts) => parts.Loopback.connect(address));
      return this.#loopback;
    };
    return new LoopbackParticipant(assistant, loopback, { definition, place });
  };

  readonly toolSource: NonNullable<TeamParts["workerTools"]> = (worker, wanted) =>
    new WorkerToolSource({ workers: this, worker, wanted });

  model(definition: WorkerModel): Model {
    return workerModel(this, definition);
  }

  /** See {@link WorkerFinder}. */
  async find(worker: string, signal: AbortSignal): Promise<FoundWorker> {
    const found = this.#find(worker);
    const aborted = Promise.withResolvers<never>();
    const abort = (): void =>
      aborted.reject(new DOMException("The search for a worker was interrupted.", "AbortError"));
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([found, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#joined?.then((link) => link.close()).catch(() => {});
  }

  async #find(worker: string): Promise<FoundWorker> {
    const link = await this.#join(worker);
    const offers = await link.find(worker);
    if (offers !== undefined) return { link, offers };
    const message = `There is no worker "${worker}" on the link ${link.name}; start it with "gavel worker --name ${worker}".`;
    throw modelError(message, { retryable: true });
  }

  async #join(worker: string): Promise<WorkerLink> {
    const address = this.#options.link;
    if (address === undefined) {
      const message = `The worker "${worker}" cannot be reached without a link; set gavel.link, or GAVEL_LINK for the command line.`;
      throw modelError(message, { retryable: false });
    }
    const joined = this.#joined ?? this.#connect(address);
    this.#joined = joined;
    try {
      return await joined;
    } catch (error) {
      if (this.#joined === joined) this.#joined = undefined;
      throw modelError(messageOf(error), { retryable: true });
    }
  }

  async #connect(address: string): Promise<WorkerLink> {
    const { log, notifyUser } = this.#options;
    const { WorkerLink } = await import("./link/link-parts.ts");
    const link = await WorkerLink.connect(address, {
      status: (isUp) => (isUp ? log.info("The link is there again.") : log.warn("The link is interrupted.")),
      failed: (message) => log.warn(message),
    });
    if (this.#isClosed) {
      await link.close();
      throw new Error("The agent host has ended.");
    }
    log.info(`This host is on the link ${link.name}.`);
    if (link.warning !== undefined) {
      log.warn(link.warning);
      notifyUser(link.warning);
    }
    return link;
  }
}
