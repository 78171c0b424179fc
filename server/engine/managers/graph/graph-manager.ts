import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import { continuedText } from "../../context/continued-text.ts";
import { type Matching, runMatchings } from "../../pattern/work.ts";
import type { Manager, Selection, SelectionContext } from "../manager.ts";
import { EdgeError } from "./edge-predicate.ts";
import { type GraphNote, parseGraphNote } from "./graph-note.ts";
import { GraphProgress } from "./graph-progress.ts";
import { buildTopology, type GraphTopology } from "./graph-topology.ts";

/**
 * Selects the speakers of a graph team along its edges, several at once where the graph branches. Concepts and terms are
 * those of AutoGen's GraphFlow, with these semantics:
 *
 * - A graph that is complete, or has not begun, starts all entries at once: `graph.entry`; by default the participants
 *   without incoming edges, and the first participant of each loop without edges into it.
 * - A participant that finishes a turn sends a token along each of its edges whose `when` matches its message. Answers to
 *   directed messages do not count, and neither do handoffs.
 * - A back edge leads to a participant on the path from the entries to its source, found by a depth-first search that
 *   follows the edges in the order written. Without the back edges the graph has no cycle.
 * - The forward edges into a participant are joined with each other, and so are the back edges, so that a loop waits only
 *   for itself. With `join: all` (the default) the edges start the participant once each has a token or can no longer get
 *   one: its source is not running and cannot be reached, without passing the target, from a participant that is running or
 *   has a token. So a join never waits for a branch that is not taken. A start consumes one token of each edge.
 * - With `join: any` the first token starts the participant. Tokens that the other edges can still bring in the same pass
 *   are absorbed.
 * - A participant never has two turns at once: a token that arrives during its turn waits.
 * - When a run continues after an interrupt, a crash, or a condition that ended it, with a new task or without, the
 *   participants that were selected and have not finished speak again, and those that come after the finished ones.
 * - The graph ends when no participant runs and no token waits.
 *
 * @throws GavelError `InvalidDefinition` for unknown participants, and for invalid regular expressions.
 */
export function graphManager(definition: TeamDefinition): Manager {
  const graph = buildTopology(definition);
  return {
    overlaps: true,
    isFinished: (context) => isFinished(context, graph),
    select(context) {
      const seen = context.messages.length;
      const choose = (progress: GraphProgress): Selection => chosen(context, graph, progress, seen);
      const progress = progressIn(context, graph);
      return progress instanceof Promise ? progress.then(choose) : choose(progress);
    },
  };
}

type GraphContext = Pick<SelectionContext, "state" | "messages" | "signal">;

/** Where an edge takes too long to test, the graph is not finished: the next run says so. */
async function isFinished(context: GraphContext, graph: GraphTopology): Promise<boolean> {
  try {
    const { running } = await progressIn(context, graph);
    return running.length === 0;
  } catch (error) {
    if (error instanceof EdgeError) return false;
    throw error;
  }
}

/** @param seen how many messages there were when the progress was computed */
function chosen(context: SelectionContext, graph: GraphTopology, progress: GraphProgress, seen: number): Selection {
  const { running } = progress;
  if (running.length === 0) return { end: "The graph is complete." };
  // An open turn of a participant that is not speaking waits for the user.
  const busy = new Set([...context.speaking, ...context.state.openTurns.map(({ participant }) => participant)]);
  const speakers = running.flatMap((node) => graph.names[node] ?? []).filter((name) => !busy.has(name));
  const left = progress.note(seen);
  if (speakers.length > 0) return { speakers, note: left };
  context.saveNote(left);
  return { speakers };
}

/**
 * The progress of the graph after the turns that were finished since its note was saved. Turns that end while edges are
 * tested are not among them.
 * @throws EdgeError when an edge takes too long to test.
 */
function progressIn(context: GraphContext, graph: GraphTopology): GraphProgress | Promise<GraphProgress> {
  const turns = turnsOf(context, graph);
  const note = parseGraphNote(context.state.note, graph);
  const progress = note === undefined ? GraphProgress.start(graph, turns) : GraphProgress.resume(graph, note);
  const texts = new Map(progress.finished(turns).map((node) => [node, lastText(context, graph.names[node], note)]));
  const complete = (): GraphProgress => {
    progress.complete(turns, (node) => texts.get(node) ?? "");
    progress.activate(turns);
    return progress;
  };
  const testing = runMatchings(matchingsOf(graph, texts), context.signal);
  return testing === undefined ? complete() : testing.then(complete);
}

/** The work of testing the edges that leave participants with what these said. */
const matchingsOf = ({ leaving, edges }: GraphTopology, texts: ReadonlyMap<number, string>): Matching[] =>
  [...texts].flatMap(([node, text]) => (leaving[node] ?? []).flatMap((at) => edges[at]?.when.matching?.(text) ?? []));

/** How many turns each participant has finished since the graph started, without answers to directed messages. */
function turnsOf({ state }: GraphContext, { names }: GraphTopology): number[] {
  const turns = new Map(state.participants.map((participant) => [participant.name, participant.turns ?? 0]));
  return names.map((name) => turns.get(name) ?? 0);
}

/**
 * What a participant said in the turn that it finished since the note was saved: its first message after that. A later
 * message answers the user. If the turn was interrupted and resumed, its partials come before the note and are the beginning
 * of its text.
 */
function lastText({ messages }: GraphContext, name: string | undefined, note: GraphNote | undefined): string {
  for (let at = note?.seen ?? 0; at < messages.length; at++) {
    const message = messages[at];
    if (message !== undefined && message.source === name) return continuedText(messages, message);
  }
  return "";
}
