/** User settings of the test editors: without animations, prompts, automatic saving and network access. */
export const baseSettings: Readonly<Record<string, unknown>> = {
  "chat.commandCenter.enabled": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": "off",
  "extensions.ignoreRecommendations": true,
  // In a browser VS Code saves files automatically by default.
  "files.autoSave": "off",
  "security.workspace.trust.banner": "never",
  "security.workspace.trust.startupPrompt": "always",
  "telemetry.telemetryLevel": "off",
  // What a terminal shows is then on the page, not on a canvas.
  "terminal.integrated.gpuAcceleration": "off",
  "window.dialogStyle": "custom",
  "workbench.editor.useModal": "off",
  "workbench.enableExperiments": false,
  "workbench.reduceMotion": "on",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
};
