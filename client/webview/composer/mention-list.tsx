import { AddresseeAvatar, addressee } from "./addressee-avatar.tsx";

export const MENTION_LIST = "mention-list";

export const optionId = (index: number): string => `${MENTION_LIST}-${index}`;

interface Props {
  readonly names: readonly string[];
  readonly chosen: number;
  readonly choose: (name: string) => void;
}

/** The participants that match the text after `@`. The focus stays in the text box. */
export function MentionList({ names, chosen, choose }: Props) {
  return (
    <div id={MENTION_LIST} class="mentions" role="listbox" aria-label="Participants">
      {names.map((name, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text box keeps the focus and handles the keys
        <div
          key={name}
          id={optionId(index)}
          class={`mention${index === chosen ? " is-chosen" : ""}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // Without this, the text box would lose the focus, which closes the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(name)}
        >
          <AddresseeAvatar to={name} />
          <span class="mention-name">{name}</span>
          <span class="mention-role">{addressee(name).info?.description}</span>
        </div>
      ))}
    </div>
  );
}
