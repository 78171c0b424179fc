import { post } from "../state/editor-bridge.ts";
import { trusted } from "../state/page-state.ts";

interface Props {
  readonly participant: string;
  readonly path: readonly string[];
}

/** Stops or redirects a participant that is reasoning; in an untrusted workspace there is nothing to stop. */
export function InterruptReasoning({ participant, path }: Props) {
  if (!trusted.value) return null;
  return (
    <button
      type="button"
      class="link-button"
      title={`Stop or redirect what ${participant} thinks, after the current thought`}
      aria-label={`Interrupt Reasoning of ${participant}`}
      onClick={() => post({ type: "interruptReasoning", participant, path })}
    >
      Interrupt Reasoning
    </button>
  );
}
