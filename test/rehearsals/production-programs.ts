import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { spawnChild, type RunningChild } from '#sandbox/processes/child-process.js';

/** The service's programs, wherever they run, with no other environment than is handed to them. */
export interface Programs {
  /** An operator's command. @returns what it writes @throws Error with what it wrote */
  run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string>;
  start(
    program: 'main' | 'worker',
    env: Readonly<Record<string, string>>,
    logFile: string,
  ): Promise<RunningChild>;
}

/** Processes of this machine, from a folder that holds what the image does. */
export class FolderPrograms implements Programs {
  constructor(private readonly folder: string) {}

  async run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
    const args = [join(this.folder, 'dist', 'cli.js'), ...words];
    const options = { env: { ...env }, cwd: '/', maxBuffer: 2 ** 26 };
    return (await promisify(execFile)(process.execPath, args, options)).stdout;
  }

  start(program: 'main' | 'worker', env: Readonly<Record<string, string>>, logFile: string) {
    const [command, args] = [process.execPath, [join(this.folder, 'dist', `${program}.js`)]];
    return spawnChild({ command, args, env, logFile, deathSignal: 'SIGKILL' });
  }
}
