/** User settings of the test editors: VS Code without what moves, asks, saves or calls out by itself. */
export const baseSettings: Readonly<Record<string, unknown>> = {
  "chat.commandCenter.enabled": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": "off",
  "extensions.ignoreRecommendations": true,
  // In a browser VS Code saves files by itself unless it is told not to.
  "files.autoSave": "off",
  "security.workspace.trust.banner": "never",
  "security.workspace.trust.startupPrompt": "always",
  "telemetry.telemetryLevel": "off",
  "window.dialogStyle": "custom",
  "workbench.editor.useModal": "off",
  "workbench.enableExperiments": false,
  "workbench.reduceMotion": "on",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
};
