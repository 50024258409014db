import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const PROGRAMS = join(process.cwd(), 'test', 'evidence');

/** A program beside this one answers this next. */
export async function answer<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const [message] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => {
        throw new Error(`${child.spawnargs.join(' ')} ended by itself.`);
      }),
    ])) as [T];
    return message;
  } finally {
    over.abort();
  }
}

/** Starts a program of this folder. @param file its path below this folder: TypeScript if it uses the service's own code, so that the compiler checks it */
export function startProgram(file: string, args: string[] = [], env = process.env): ChildProcess {
  return fork(join(PROGRAMS, file), args, {
    env,
    execArgv: ['--import', join(process.cwd(), 'test', 'support', 'typescript-loader.mjs')],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Sends a program something to do and waits for what it says of it. */
export async function ask<T>(child: ChildProcess, message: object): Promise<T> {
  const answered = answer<T>(child);
  child.send(message);
  return answered;
}
