import { createConnection, ProposedFeatures } from "vscode-languageserver/node";

/** A language server that can do nothing: what any host's start costs at least. */
const connection = createConnection(ProposedFeatures.all);
connection.onInitialize(() => ({ capabilities: {} }));
connection.listen();
