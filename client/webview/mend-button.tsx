import type { Mend } from "../common/page-messages.ts";
import { post } from "./host-bridge.ts";

export function MendButton({ mend, secondary = false }: { readonly mend: Mend; readonly secondary?: boolean }) {
  const { label, command, argument } = mend;
  return (
    <button
      type="button"
      class={secondary ? "button is-secondary" : "button"}
      onClick={() => post({ type: "mend", command, ...(argument === undefined ? {} : { argument }) })}
    >
      {label}
    </button>
  );
}
