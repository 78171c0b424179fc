import assert from "node:assert/strict";
import type { DurableEvent, TeamEvent } from "../../../shared/contract/event.ts";
import { TeamFollow, TeamInspect, TeamOpen, ToolsRegister } from "../../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { snapshotOf, stateFromSnapshot, type TeamState } from "../../../shared/state/team-state.ts";
import type { JoinedClient } from "../../contract/harness/joined-client.ts";
import type { ServedHost } from "../../contract/harness/served-host.ts";
import { COUNTED_TOOL, eightTeams } from "./eight-teams.ts";
import { eightIds } from "./open-teams.ts";
import { isDurable } from "./told.ts";

/** What a client knows of a team: it was given a state, and was told what happened since. */
interface Known {
  readonly from: number;
  state: TeamState;
  readonly events: DurableEvent[];
  readonly problems: string[];
}

/** The place of a client that leaves and returns. It keeps what it knows of the teams. */
export class Seat {
  readonly #clientId: string;
  readonly #known = new Map<string, Known>();
  /** Events that came before the state that they follow. */
  #early: (readonly [string, TeamEvent])[] | undefined;
  #client: JoinedClient | undefined;
  #told = 0;

  constructor(number: number) {
    this.#clientId = `the client of seat ${number}`;
  }

  get isHere(): boolean {
    return this.#client?.isGone === false;
  }

  get client(): JoinedClient {
    assert.ok(this.#client !== undefined);
    return this.#client;
  }

  /** How many events it was told. */
  get told(): number {
    return this.#told;
  }

  /** Connects, or connects again: then it asks only for what it missed. */
  async join(host: ServedHost): Promise<void> {
    const client = await host.join({
      clientId: this.#clientId,
      answers: (connection) => void connection.onRequest("tools/call", () => ({ output: "recorded" })),
      onEvent: (teamId, event) => {
        if (this.#client === client) this.#note(teamId, event);
      },
    });
    this.#client = client;
    const tool = { name: COUNTED_TOOL, description: "Records.", inputSchema: {}, approval: "never" as const };
    await client.send(ToolsRegister, { tools: [tool] });
    for (const [teamId, definition] of Object.entries(eightTeams)) {
      this.#early = [];
      const last = this.#known.get(teamId)?.events.at(-1);
      if (last === undefined) this.#given(teamId, await client.send(TeamOpen, { teamId, definition }));
      else {
        const missed = await client.send(TeamFollow, { teamId, after: last.seq, at: last.at });
        if ("snapshot" in missed) this.#given(teamId, missed.snapshot);
        else for (const event of missed.events) this.#add(teamId, event);
      }
      const early = this.#early;
      this.#early = undefined;
      for (const [id, event] of early) this.#note(id, event);
    }
  }

  /** Of a team at rest: it was told exactly what is stored, and what it shows is what the host has. */
  async assertKnows(teamId: string, stored: readonly DurableEvent[]): Promise<void> {
    const shown = await this.client.send(TeamInspect, { teamId });
    const known = this.#known.get(teamId);
    assert.ok(known !== undefined);
    const what = `what ${this.#clientId} knows of ${teamId}`;
    assert.deepEqual(known.problems, [], what);
    assert.deepEqual(
      known.events,
      stored.filter(({ seq }) => seq > known.from),
      what,
    );
    assert.deepEqual(snapshotOf(known.state), shown, what);
  }

  #given(teamId: string, snapshot: TeamSnapshot): void {
    const before = this.#known.get(teamId);
    const problems = before?.problems ?? [];
    if (before !== undefined && snapshot.lastSeq < before.state.lastSeq)
      problems.push(`it was told event ${before.state.lastSeq}, and then given a state of ${snapshot.lastSeq}`);
    this.#known.set(teamId, { from: snapshot.lastSeq, state: stateFromSnapshot(snapshot), events: [], problems });
  }

  #note(teamId: string, event: TeamEvent): void {
    this.#told++;
    if (!eightIds.includes(teamId)) return;
    // The answer to the request comes first on the wire, and is seen a turn later.
    if (this.#early === undefined) this.#add(teamId, event);
    else this.#early.push([teamId, event]);
  }

  #add(teamId: string, event: TeamEvent): void {
    const known = this.#known.get(teamId);
    assert.ok(known !== undefined);
    const { state, events, problems } = known;
    if (isDurable(event)) {
      if (event.seq !== state.lastSeq + 1) problems.push(`event ${event.seq} was told after ${state.lastSeq}`);
      events.push(event);
    }
    known.state = reduceTeam(state, event);
  }
}
