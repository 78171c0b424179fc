import { hostDownActions } from "../../common/error-actions.ts";
import { post } from "../state/editor-bridge.ts";
import { host, hostStateText, notice, storage, storageText, trusted } from "../state/page-state.ts";
import { ErrorActionButton } from "../ui/error-action-button.tsx";
import { Icon } from "../ui/icon.tsx";

/** Banners above the thread: the host's state, a storage that cannot be written, Restricted Mode and notices. */
export function Banners() {
  return (
    <>
      <HostLine />
      <StorageLine />
      <TrustLine />
      <Notice />
    </>
  );
}

function HostLine() {
  const state = host.value;
  if (state === "ready") return null;
  return (
    <section class={`banner is-${state}`} aria-label="Agent host">
      <Icon name={state === "starting" ? "loading" : "warning"} spin={state === "starting"} />
      <span class="banner-text">{hostStateText(state)}</span>
      {state === "down" && (
        <div class="banner-actions">
          {hostDownActions.map((action, index) => (
            <ErrorActionButton key={action.command} action={action} secondary={index > 0} />
          ))}
        </div>
      )}
    </section>
  );
}

function StorageLine() {
  const text = storageText(storage.value);
  if (text === null) return null;
  return (
    <section class="banner is-down" aria-label="Saving">
      <Icon name="warning" />
      <span class="banner-text" title={text}>
        {text}
      </span>
      <div class="banner-actions">
        <button type="button" class="button" onClick={() => post({ type: "storage", action: "retry" })}>
          Try Again
        </button>
        {storage.value.state === "failing" && (
          <button
            type="button"
            class="button is-secondary"
            onClick={() => post({ type: "storage", action: "continueWithoutSaving" })}
          >
            Continue Without Saving
          </button>
        )}
      </div>
    </section>
  );
}

function TrustLine() {
  if (trusted.value) return null;
  return (
    <section class="banner" aria-label="Restricted Mode">
      <Icon name="shield" />
      <span class="banner-text">Restricted Mode: trust this workspace to run teams.</span>
      <button type="button" class="link-button" onClick={() => post({ type: "errorAction", command: "manageTrust" })}>
        Manage Trust
      </button>
    </section>
  );
}

function Notice() {
  const now = notice.value;
  if (now === null) return null;
  return (
    <section class="banner is-notice" aria-label="Notice">
      <Icon name="info" />
      <span class="banner-text" title={now.message}>
        {now.message}
      </span>
      {now.actions.map((action) => (
        <ErrorActionButton key={action.command} action={action} secondary />
      ))}
      <button
        type="button"
        class="icon-button"
        aria-label="Dismiss"
        title="Dismiss"
        onClick={() => post({ type: "dismissNotice" })}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}
