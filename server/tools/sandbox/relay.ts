/**
 * Runs first in the sandbox, as `node -e`, and starts the command: it leads connections to the sandbox's own loopback
 * through a socket to the proxy outside. Arguments: the socket, the port at which the command finds the proxy, the ports
 * of the host's loopback as `1,2,3`, and the command with its arguments.
 *
 * Its text is passed to another process, so it uses nothing from outside itself.
 */
export function relay(): void {
  const net = process.getBuiltinModule("node:net");
  const { spawn } = process.getBuiltinModule("node:child_process");
  const [socketPath = "", proxyPort = "", hostPorts = "", program = "", ...args] = process.argv.slice(1);

  const pipe = (one: import("node:net").Socket, other: import("node:net").Socket): void => {
    one.pipe(other).pipe(one);
  };
  /** Joins a connection to the proxy; to reach a port of the host, through a tunnel that the proxy makes. */
  const join = (client: import("node:net").Socket, port: string | undefined): void => {
    // A side that has sent everything may still get an answer.
    const proxy = net.connect({ path: socketPath, allowHalfOpen: true });
    client.on("error", () => proxy.destroy());
    proxy.on("error", () => client.destroy());
    if (port === undefined) {
      pipe(client, proxy);
      return;
    }
    proxy.write(`CONNECT localhost:${port} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    let head = "";
    const onData = (bytes: Buffer): void => {
      head += bytes.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      proxy.off("data", onData);
      proxy.pause();
      if (!/^HTTP\/1\.1 200 /.test(head)) return void client.destroy();
      proxy.unshift(Buffer.from(head.slice(end + 4), "latin1"));
      pipe(client, proxy);
    };
    proxy.on("data", onData);
  };
  /** Resolves when it listens, or when the port is not available. */
  const listen = (address: string, at: string, port: string | undefined): Promise<void> =>
    new Promise((resolve) => {
      const server = net.createServer({ allowHalfOpen: true }, (client) => join(client, port));
      server.on("error", () => resolve());
      server.listen(Number(at), address, () => resolve());
    });
  const run = (): void => {
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
    const child = spawn(program, args, { stdio: "inherit", env });
    child.on("error", () => process.exit(126));
    child.on("exit", (code, signal) => {
      if (signal === null) process.exit(code ?? 1);
      process.kill(process.pid, signal);
    });
  };

  const ports = hostPorts === "" ? [] : hostPorts.split(",");
  const loopback = ports.flatMap((port) => [listen("127.0.0.1", port, port), listen("::1", port, port)]);
  void Promise.all([listen("127.0.0.1", proxyPort, undefined), ...loopback]).then(run);
}
