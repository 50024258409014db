// Jest's globalSetup, once for all projects of a run that name it. Jest loads this file before its own
// module resolution works, so everything that is TypeScript of ours runs in a process beside it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const FOLDER = join(process.cwd(), 'test', 'support');

export default async function startDatabase(): Promise<void> {
  const server = fork(join(FOLDER, 'database-server.ts'), {
    execArgv: ['--import', join(FOLDER, 'typescript-loader.mjs'), '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A Ctrl-C at the terminal is for the runner; this process notices when the runner is gone.
    detached: true,
  });
  const [answer] = (await Promise.race([
    once(server, 'message'),
    once(server, 'exit').then(([code]) => {
      throw new Error(`The test database did not start (exit code ${String(code)}).`);
    }),
  ])) as [{ url: string; template: string; databases: string; seeding: string; compileCache: string }];
  process.env['TEST_SERVER_URL'] = answer.url;
  process.env['TEST_TEMPLATE'] = answer.template;
  process.env['TEST_DATABASES_URL'] = answer.databases;
  process.env['TEST_SEEDING_URL'] = answer.seeding;
  process.env['NODE_COMPILE_CACHE'] = answer.compileCache;
  (globalThis as { testDatabaseServer?: unknown }).testDatabaseServer = server;
}
