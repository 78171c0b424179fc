import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import { continuedText } from "../../context/continued-text.ts";
import type { Manager, SelectionContext } from "../manager.ts";
import { type GraphNote, parseGraphNote } from "./graph-note.ts";
import { GraphProgress } from "./graph-progress.ts";
import { buildTopology, type GraphTopology } from "./graph-topology.ts";

/**
 * The manager of a graph team: participants speak when the edges that lead to them say so, several at once where the flow
 * forks. The idea and the words are those of AutoGen's GraphFlow; what follows is our own.
 *
 * - A new task starts all entries at once: `graph.entry`, else those whom no edge leads to, and of a loop that no edge leads into,
 *   whoever stands first in the team.
 * - Whoever finishes a turn sends a token along each of its edges whose `when` holds for what it said. Answers to messages that
 *   the user sent to it alone do not count, nor do handoffs.
 * - An edge leads back when its target is among those that the flow has come through on the way to its source; a walk
 *   depth first from the entries, along the edges in the order written, tells which do. Without them the graph has no cycle.
 * - The edges that lead on to a participant are joined with each other, and so are those that lead back to it, so that a loop
 *   waits for nothing but itself. Of either, those with `join: all` (the default) start it together: once each has brought a token
 *   or can bring none, for its source is not running and cannot be reached, without passing the target, from anyone who is running or
 *   waits with a token. No branch that is not taken keeps a join waiting. A start uses up one token of each.
 * - Of those with `join: any` the first token starts it, and the tokens that the others can still bring in the same pass are
 *   absorbed.
 * - Nobody speaks twice at once: a token that comes meanwhile waits.
 * - Going on after an interrupt or a crash, those who were chosen and have not finished speak again, and nobody else does.
 * - When nobody runs and no token waits, the flow is over.
 *
 * @throws GavelError `InvalidDefinition` for names of nobody, and text that is no regular expression.
 */
export function graphManager(definition: TeamDefinition): Manager {
  const graph = buildTopology(definition);
  return {
    overlaps: true,
    select(floor) {
      const turns = turnsOf(floor, graph);
      const note = parseGraphNote(floor.state.note, graph);
      const progress = note === undefined ? GraphProgress.start(graph, turns) : GraphProgress.resume(graph, note);
      progress.complete(turns, (node) => lastText(floor, graph.names[node], note));
      progress.activate(turns);
      const { running } = progress;
      if (running.length === 0) return { end: "The graph has run to its end." };
      // A turn that is open without anyone speaking waits for the user.
      const busy = new Set([...floor.speaking, ...floor.state.openTurns.map(({ participant }) => participant)]);
      const speakers = running.flatMap((node) => graph.names[node] ?? []).filter((name) => !busy.has(name));
      const left = progress.note(floor.messages.length);
      if (speakers.length > 0) return { speakers, note: left };
      floor.saveNote(left);
      return { speakers };
    },
  };
}

/** How many turns each participant has finished since the flow began, directed answers aside. */
function turnsOf({ state }: SelectionContext, { names }: GraphTopology): number[] {
  const turns = new Map(state.participants.map((participant) => [participant.name, participant.turns ?? 0]));
  return names.map((name) => turns.get(name) ?? 0);
}

/**
 * What a participant said in the turn that it has finished since the note was left: its first message after that. A later one answers
 * the user; what was cut short of the same turn stands before the note by which it was chosen again, and is the beginning of its text.
 */
function lastText({ messages }: SelectionContext, name: string | undefined, note: GraphNote | undefined): string {
  for (let at = note?.seen ?? 0; at < messages.length; at++) {
    const message = messages[at];
    if (message !== undefined && message.source === name) return continuedText(messages, message);
  }
  return "";
}
