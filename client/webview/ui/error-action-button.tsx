import type { ErrorAction } from "../../common/error-actions.ts";
import { post } from "../state/editor-bridge.ts";

/** A button that does something about an error. */
export function ErrorActionButton({
  action: { label, command, argument },
  secondary = false,
}: {
  readonly action: ErrorAction;
  readonly secondary?: boolean;
}) {
  return (
    <button
      type="button"
      class={secondary ? "button is-secondary" : "button"}
      onClick={() => post({ type: "errorAction", command, ...(argument === undefined ? {} : { argument }) })}
    >
      {label}
    </button>
  );
}
