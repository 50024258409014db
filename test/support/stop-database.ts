import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export default async function stopDatabase(): Promise<void> {
  const server = (globalThis as { testDatabaseServer?: ChildProcess }).testDatabaseServer;
  if (server?.exitCode !== null) return;
  const exit = once(server, 'exit');
  if (server.connected) server.disconnect();
  await exit;
}
