import { randomBytes } from "node:crypto";
import { Uri, type Webview, workspace } from "vscode";
import { contentSecurityPolicy } from "../common/content-security-policy.ts";

/** Where a page's files are: its own, and those that messages show. */
export interface PageFolders {
  /** This extension's files. */
  readonly extension: Uri;
  /** Has the scratch folders of teams. */
  readonly scratch: Uri;
}

/** Loads the chat page into a webview. */
export function loadPage(webview: Webview, { extension, scratch }: PageFolders): void {
  webview.options = {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [
      pageFolder(extension),
      // Images that messages show.
      scratch,
      ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri),
    ],
  };
  webview.html = chatHtml(webview, extension);
}

/** The folder that the page is loaded from. */
function pageFolder(extension: Uri): Uri {
  return Uri.joinPath(extension, "dist", "webview");
}

/**
 * The chat page's HTML. Its content security policy allows only the extension's own scripts, styles and images. What the
 * page's module imports later has the nonce of its script, and is found beside it.
 */
function chatHtml(webview: Webview, extension: Uri): string {
  const folder = pageFolder(extension);
  const script = webview.asWebviewUri(Uri.joinPath(folder, "main.js"));
  const style = webview.asWebviewUri(Uri.joinPath(folder, "main.css"));
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(webview.cspSource, nonce);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Gavel</title>
</head>
<body>
<div id="app"></div>
<script type="module" nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
