import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { AddresseeAvatar } from "../addressee-avatar.tsx";

/** One row of a list of completions. */
export interface CompletionOption {
  readonly key: string;
  readonly icon?: IconName;
  /** Shows the avatar of this participant in place of an icon. */
  readonly avatar?: string;
  readonly label: string;
  readonly detail?: string;
  /** Does what the row stands for. */
  readonly choose: () => void;
}

const LIST = "completion-list";

export const completionListId = LIST;

export const optionId = (index: number): string => `${LIST}-${index}`;

interface Props {
  readonly label: string;
  readonly options: readonly CompletionOption[];
  readonly chosen: number;
  readonly choose: (option: CompletionOption) => void;
}

/** What can complete the text at the caret. The focus stays in the text box. */
export function CompletionList({ label, options, chosen, choose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <div ref={list} id={LIST} class="completions" role="listbox" aria-label={label}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text box keeps the focus and handles the keys
        <div
          key={option.key}
          id={optionId(index)}
          class={`completion${index === chosen ? " is-chosen" : ""}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // Without this, the text box would lose the focus, which closes the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(option)}
        >
          {option.avatar !== undefined && <AddresseeAvatar to={option.avatar} />}
          {option.icon !== undefined && <Icon name={option.icon} />}
          <span class="completion-label">{option.label}</span>
          <span class="completion-detail">{option.detail}</span>
        </div>
      ))}
    </div>
  );
}
