import { accentOf, initialsOf, isUser } from "./people.ts";
import { roster } from "./roster.ts";

/** A participant's initials on its accent. It stands beside the name, so a screen reader passes over it. */
export function Avatar({ name }: { readonly name: string }) {
  const members = roster.value;
  const user = isUser(name, members);
  return (
    <span class={`avatar ${accentOf(name, members)}`} aria-hidden="true">
      {user ? <span class="codicon codicon-person" /> : initialsOf(name, members)}
    </span>
  );
}
