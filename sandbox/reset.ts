import { existsSync, realpathSync } from 'node:fs';
import { readEnvironment } from '#app/settings/environment.js';
import { readSandboxSettings } from './sandbox-settings.js';
import { CannotStart } from './processes/child-process.js';
import { removeEmbeddedPostgres } from './postgres/embedded-postgres.js';
import { ownerFile } from './postgres/postgres-data.js';
import { endOrphan } from './postgres/postgres-orphan.js';
import { SandboxFolder } from './folder/sandbox-folder.js';
import { runningSandbox } from './folder/sandbox-lock.js';
import { readArguments, runProgram } from './terminal/run-program.js';

const USAGE = `Clears the sandbox: deletes its database, chain, keys and logs. The sandbox must be stopped first.

  npm run reset`;

await runProgram(async () => {
  readArguments(process.argv.slice(2), {}, USAGE);
  const settings = readSandboxSettings(readEnvironment());
  const folder = new SandboxFolder(settings.directory);
  const running = runningSandbox(folder);
  if (running !== undefined) {
    throw new CannotStart(
      `A sandbox is running on ${folder.path} (process ${running}). Stop it with Ctrl-C in its terminal, then reset.`,
    );
  }
  if (!folder.exists()) {
    process.stdout.write(`There is nothing to reset: ${folder.path} does not exist.\n`);
  } else {
    // The database of a recently killed sandbox may still be writing.
    if (existsSync(folder.postgres))
      await endOrphan(realpathSync(folder.postgres), ownerFile(folder.postgres));
    removeEmbeddedPostgres(folder.postgres);
    const left = folder.remove();
    process.stdout.write(
      `${folder.path} is cleared: database, chain, keys and logs. npm start begins from nothing.\n`,
    );
    if (left.length > 0)
      process.stdout.write(`Left alone, since the sandbox did not make it: ${left.join(', ')}.\n`);
  }
  if (settings.databaseUrl !== undefined) {
    process.stdout.write('The database of DATABASE_URL is yours and was not touched.\n');
  }
}, 'The sandbox was not reset. ');
