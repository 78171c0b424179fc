import { post } from "../state/editor-bridge.ts";
import { canAct } from "../state/own-role.ts";
import { Icon } from "./icon.tsx";

interface Props {
  readonly participant: string;
  readonly path: readonly string[];
}

/** Stops or redirects a participant that is reasoning; nothing where the user may not. */
export function InterruptReasoning({ participant, path }: Props) {
  if (!canAct.value) return null;
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
