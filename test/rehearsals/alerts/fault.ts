import type { WatchedWorld } from './watched-world.js';

/** Something that is really wrong, and what Prometheus must say of it. */
export interface Fault {
  /** A sentence that says what is wrong. */
  readonly what: string;
  /** Names of the rules that must fire by it. */
  readonly fires: readonly string[];
  /** Names of rules for its consequences, which are really there too: they may fire, and need not. */
  readonly mayFire?: readonly string[];
  /** @returns what ends it */
  begin(world: WatchedWorld): Promise<() => Promise<unknown>>;
}

const WITHIN_MS = 90_000;

/** One after another until the last holds. @throws Error that names what did not come */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${WITHIN_MS / 1_000} s: ${what}.`);
    await pause(100);
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Does it again and again. @returns what ends that, and waits for the last time */
export function repeat(turn: () => Promise<unknown>): () => Promise<void> {
  let isOver = false;
  const done = (async () => {
    while (!isOver) await turn();
  })();
  // Where it fails before its end is awaited.
  done.catch(() => undefined);
  return () => {
    isOver = true;
    return done;
  };
}
