import type { SavedState } from "../../../shared/contract/saved-state.ts";
import type { PendingTool, ToolCall } from "../../../shared/contract/team.ts";

/** Gives the refs of one tree: `taken` has those of calls, `newRef` makes one that no call has. */
export interface RefNames {
  readonly taken: Set<string>;
  readonly newRef: () => string;
}

/** A saved state whose calls, nested teams included, all have different refs, which are not `taken`; they are by then. */
export function withUniqueRefs(state: SavedState, names: RefNames): SavedState {
  return renamed(state, names).state;
}

/** The longest ref that a call keeps: an older version took any id that a model gave. */
const LONGEST_REF = 64;

/** A call with a new ref keeps the model's own id of it, which an older version took as the ref. */
export function withUniqueRef(call: ToolCall, names: RefNames): ToolCall {
  const ref = uniqueRef(call.ref, names);
  if (ref === call.ref) return call;
  return { ...call, ref, ...(call.id === undefined && call.ref.length <= LONGEST_REF ? { id: call.ref } : {}) };
}

/** Calls with equal refs get new ones; the first keeps its own. */
function uniqueRef(ref: string, { taken, newRef }: RefNames): string {
  const unique = taken.has(ref) || ref.length > LONGEST_REF ? newRef() : ref;
  taken.add(unique);
  return unique;
}

interface RenamedState {
  readonly state: SavedState;
  /** A pending call of this team or a nested one, with its unique ref. */
  readonly pendingCall: (call: PendingTool) => PendingTool;
}

function renamed(state: SavedState, names: RefNames): RenamedState {
  const refs = new Map<string, string>();
  const transcript = state.transcript.map((entry) => {
    if (entry.kind === "message") return entry;
    if (entry.kind === "result") return { ...entry, ref: refs.get(entry.ref) ?? uniqueRef(entry.ref, names) };
    const calls = entry.calls.map((call) => {
      const unique = withUniqueRef(call, names);
      refs.set(call.ref, unique.ref);
      return unique;
    });
    return { ...entry, calls };
  });
  const inner = Object.entries(state.inner ?? {}).map(([name, team]) => [name, renamed(team, names)] as const);
  const nested = new Map(inner);
  const pendingCall = ({ path, ...call }: PendingTool): PendingTool => {
    const [name, ...rest] = path ?? [];
    if (path === undefined || name === undefined) {
      if (!refs.has(call.ref)) refs.set(call.ref, uniqueRef(call.ref, names));
      return { ...call, ref: refs.get(call.ref) ?? call.ref };
    }
    const within = nested.get(name)?.pendingCall({ ...call, ...(rest.length === 0 ? {} : { path: rest }) });
    return { ...call, ref: within?.ref ?? uniqueRef(call.ref, names), path };
  };
  return {
    pendingCall,
    state: {
      ...state,
      transcript,
      pendingTools: distinct(state.pendingTools.map(pendingCall)),
      ...(state.inner === undefined
        ? {}
        : { inner: Object.fromEntries(inner.map(([name, { state: team }]) => [name, team])) }),
    },
  };
}

/** Each call once: no team writes a call twice, but a saved state comes from outside. */
const distinct = (calls: readonly PendingTool[]): PendingTool[] =>
  calls.filter(({ ref }, at) => calls.findIndex((other) => other.ref === ref) === at);
