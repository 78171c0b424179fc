import { post } from "../state/editor-bridge.ts";
import { trusted } from "../state/page-state.ts";
import { Icon } from "./icon.tsx";

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
      class="link-button interrupt-reasoning"
      title={`Stop or redirect what ${participant} thinks, after the current thought`}
      aria-label={`Interrupt Reasoning of ${participant}`}
      onClick={() => post({ type: "interruptReasoning", participant, path })}
    >
      <Icon name="debug-pause" />
      <span class="link-text">Interrupt Reasoning</span>
    </button>
  );
}
