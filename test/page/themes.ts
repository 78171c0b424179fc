import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The built-in themes in which the page is tested, by the name that the setting `workbench.colorTheme` has for each. */
export const themeLabels = {
  dark: "Dark Modern",
  light: "Light Modern",
  contrast: "Default High Contrast",
  contrastLight: "Default High Contrast Light",
  dark2026: "Dark 2026",
  light2026: "Light 2026",
  darkPlus: "Dark+",
  lightPlus: "Light+",
  monokai: "Monokai",
  solarizedLight: "Solarized Light",
} as const;

export type ThemeName = keyof typeof themeLabels;

export const themeNames = Object.keys(themeLabels) as readonly ThemeName[];

interface Theme {
  readonly bodyClass: string;
  readonly variables: Readonly<Record<string, string>>;
}

const fonts = {
  "font-family": 'system-ui, "Ubuntu", "Noto Sans", "Droid Sans", sans-serif',
  "font-size": "13px",
  "editor-font-family": '"DejaVu Sans Mono", monospace',
  "editor-font-size": "12px",
};

/** What the editor gives a page in a theme, as capture-themes.ts found it. */
export function themeOf(name: ThemeName): Theme {
  return JSON.parse(readFileSync(join(import.meta.dirname, "themes", `${name}.json`), "utf8")) as Theme;
}

/** The part of VS Code's own style sheet for webviews that affects this page. */
const editorCss = `@layer vscode-default {
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body { background-color: transparent; color: var(--vscode-editor-foreground); margin: 0; padding: 0 20px; }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background);
    padding: 1px 3px; border-radius: 4px; }
  pre code { padding: 0; }
  blockquote { background: var(--vscode-textBlockQuote-background); }
}`;

/** The rules that apply a theme to the page, as VS Code does. */
export function themeCss(name: ThemeName): string {
  const variables = { ...themeOf(name).variables, ...fonts };
  const lines = Object.entries(variables).map(([variable, value]) => `--vscode-${variable}: ${value};`);
  return `:root { ${lines.join(" ")} } html { background: var(--vscode-sideBar-background); } ${editorCss}`;
}
