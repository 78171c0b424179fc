import type { DurableEvent } from "../../../../shared/contract/event.ts";
import type { SavedState } from "../../../../shared/contract/saved-state.ts";
import type { InterruptScope } from "../../../../shared/contract/team.ts";
import { ownValue } from "../../../../shared/json-record.ts";
import { callRef } from "../../../engine/calls/call-ref.ts";
import { newId } from "../../../engine/index.ts";
import { type RefNames, withUniqueRef, withUniqueRefs } from "../../../engine/team/unique-refs.ts";

/** Where a call or an event is: the participants that lead to its team, none for the root team. */
type Path = readonly string[] | undefined;

/**
 * Gives the calls in the events of one tree different refs: apply it to all events, in order. The first of equal refs stays,
 * so that a team without equal refs stays as it is.
 */
export class RefRenaming {
  readonly #origin = newId("call");
  readonly #taken = new Set<string>();
  /** The present ref of each old one, by the path of its team. */
  readonly #refs = new Map<string, Map<string, string>>();
  #hasRenamed = false;

  get hasRenamed(): boolean {
    return this.#hasRenamed;
  }

  /** The event with the present refs of its calls. */
  apply(event: DurableEvent): DurableEvent {
    const { path } = event;
    switch (event.type) {
      case "tool/requested": {
        const names = this.#names(event.seq, this.#taken);
        const calls = event.calls.map((call) => {
          const renamed = withUniqueRef(call, names);
          this.#refsOf(path).set(call.ref, renamed.ref);
          return renamed;
        });
        return { ...event, calls };
      }
      case "tool/started":
      case "tool/executed":
      case "tool/abandoned":
      case "tool/interrupted":
      case "tool/resolved":
        return { ...event, ref: this.#refOf(path, event.ref) };
      case "interrupt/requested":
        return { ...event, ...this.#scope(event) };
      case "interrupt/completed": {
        const place = <C extends { readonly ref: string; readonly path?: string[] | undefined }>(call: C): C => ({
          ...call,
          ref: this.#refOf([...(path ?? []), ...(call.path ?? [])], call.ref),
        });
        const { abandonedTools, stopped } = event;
        return {
          ...event,
          ...this.#scope(event),
          abandonedTools: abandonedTools.map(place),
          ...(stopped === undefined ? {} : { stopped: { ...stopped, tools: stopped.tools.map(place) } }),
        };
      }
      case "state/loaded":
        return { ...event, state: this.#load(event.seq, event.state, path ?? []) };
      default:
        return event;
    }
  }

  /** A loaded state has the calls of the state that was saved: only its equal refs are renamed. */
  #load(seq: number, state: SavedState, path: readonly string[]): SavedState {
    const taken = new Set<string>();
    const renamed = withUniqueRefs(state, this.#names(seq, taken));
    for (const ref of taken) this.#taken.add(ref);
    this.#note(state, renamed, path);
    return renamed;
  }

  #note(before: SavedState, after: SavedState, path: readonly string[]): void {
    const refs = this.#refsOf(path);
    for (const [at, entry] of before.transcript.entries()) {
      const renamed = after.transcript[at];
      if (entry.kind !== "calls" || renamed?.kind !== "calls") continue;
      for (const [nth, { ref }] of entry.calls.entries()) refs.set(ref, renamed.calls[nth]?.ref ?? ref);
    }
    for (const [name, inner] of Object.entries(before.inner ?? {})) {
      const within = ownValue(after.inner, name);
      if (within !== undefined) this.#note(inner, within, [...path, name]);
    }
  }

  /** The scope of one call meant the outermost call with that ref. */
  #scope({ scope, path }: { readonly scope?: InterruptScope | undefined; readonly path?: Path }) {
    if (scope === undefined || !("ref" in scope)) return {};
    return { scope: { ref: this.#refOf(path, scope.ref) } };
  }

  #refOf(path: Path, ref: string): string {
    return this.#refsOf(path).get(ref) ?? ref;
  }

  #refsOf(path: Path): Map<string, string> {
    const key = JSON.stringify(path ?? []);
    const known = this.#refs.get(key) ?? new Map<string, string>();
    this.#refs.set(key, known);
    return known;
  }

  #names(seq: number, taken: Set<string>): RefNames {
    let count = 0;
    return {
      taken,
      newRef: () => {
        this.#hasRenamed = true;
        return callRef(seq, ++count, this.#origin);
      },
    };
  }
}
