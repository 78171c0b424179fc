import { createConnection, ProposedFeatures } from "vscode-languageserver/node";

/** An empty language server: the floor for starting any host. */
const connection = createConnection(ProposedFeatures.all);
connection.onInitialize(() => ({ capabilities: {} }));
connection.listen();
