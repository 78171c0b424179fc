import * as z from "zod";
import { Plan } from "../../../../shared/contract/plan.ts";
import type { Participant } from "../../../engine/index.ts";
import { LinkRuntime, linkAddress, TurnData, turnOf, workerPlans, workerTurns } from "../../../link/index.ts";
import { connectNats } from "../../../link/nats-link.ts";
import { WorkerLink } from "./worker-link.ts";

const PlanChange = z.object({ turnId: z.string(), plan: Plan.optional() });

/**
 * Carries turns of a host's own participants over a link and back, as if each was on a worker: so the tests of how teams
 * behave are tests of the link too.
 */
export class Loopback {
  readonly link: WorkerLink;
  readonly #there: LinkRuntime;
  readonly #participants = new Map<string, Participant>();
  readonly #plans = new Map<string, Plan | undefined>();
  #count = 0;

  private constructor(link: WorkerLink, there: LinkRuntime) {
    this.link = link;
    this.#there = there;
    there.register(workerTurns(this.node), (message, context) => this.#turn(TurnData.parse(message), context), {
      serial: false,
    });
    there.register(workerPlans(this.node), (message) => {
      const { turnId, plan } = PlanChange.parse(message);
      if (this.#plans.has(turnId)) this.#plans.set(turnId, plan);
    });
    there.subscribe({ id: workerPlans(this.node).id }, workerPlans(this.node));
  }

  static async connect(address: string): Promise<Loopback> {
    const quiet = { status: () => {}, failed: () => {} };
    const { space, silence } = linkAddress(address);
    const there = new LinkRuntime(await connectNats(linkAddress(address)), { space, silence }, () => {});
    return new Loopback(await WorkerLink.connect(address, quiet), there);
  }

  get node(): string {
    return this.#there.node;
  }

  /** @returns what the participant is called there. */
  add(participant: Participant): string {
    const id = `participant-${++this.#count}`;
    this.#participants.set(id, participant);
    return id;
  }

  async #turn(data: TurnData, { signal, soft }: { signal: AbortSignal; soft: AbortSignal }) {
    const participant = this.#participants.get(data.participant);
    if (participant === undefined) throw new Error("There is no such participant.");
    this.#plans.set(data.turnId, data.plan);
    try {
      const plan = (): Plan | undefined => this.#plans.get(data.turnId);
      return await participant.takeTurn(turnOf(data, { runtime: this.#there, signal, soft, plan }));
    } finally {
      this.#plans.delete(data.turnId);
    }
  }
}
