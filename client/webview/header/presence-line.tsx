import { computed, effect } from "@preact/signals";
import { othersPresent, type Present, presenceChange, presenceText } from "../../common/people/presence-text.ts";
import { announce } from "../state/announcements.ts";
import { presence, team, user } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { Icon } from "../ui/icon.tsx";

/** Who else has the team open. */
const others = computed(() => othersPresent(presence.value, user.value, (id) => roster.value.others?.get(id)));

/** Who is there, and whether somebody writes: a line of its own below the team's name, or beside it in a low page. */
export function PresenceLine() {
  const text = presenceText(others.value);
  if (text === "") return null;
  const isWriting = others.value.some((one) => one.isWriting);
  return (
    <p class={`presence${isWriting ? " is-writing" : ""}`} title={text}>
      <Icon name={isWriting ? "edit" : "person"} /> <span class="presence-text">{text}</span>
    </p>
  );
}

let said: { readonly teamId: string | undefined; readonly others: readonly Present[] } = {
  teamId: undefined,
  others: [],
};

// Who comes and goes is announced; that somebody writes would be said again and again.
effect(() => {
  const teamId = team.value?.teamId;
  const now = others.value;
  const before = said;
  if (before.teamId === teamId && before.others === now) return;
  said = { teamId, others: now };
  if (before.teamId === teamId && teamId !== undefined) announce(...presenceChange(before.others, now));
});
