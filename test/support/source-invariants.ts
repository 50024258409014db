import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Invariant } from '#shared/kernel/invariant.js';

let found: Promise<readonly (readonly Invariant[])[]> | undefined;

/**
 * Every invariant that a file `*-invariants.ts` exports, whether or not a module registers it: a test with a database
 * checks all of them without loading all modules.
 */
export async function sourceInvariants(): Promise<readonly Invariant[]> {
  return (await invariantsByFile()).flat();
}

export function invariantsByFile(): Promise<readonly (readonly Invariant[])[]> {
  return (found ??= load());
}

async function load(): Promise<readonly (readonly Invariant[])[]> {
  const files = globSync('src/**/*-invariants.ts').sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(process.cwd(), file)).href) as Promise<object>),
  );
  const names = new Set<string>();
  return modules.map((each) =>
    (Object.values(each).filter(Array.isArray) as Invariant[][])
      .flat()
      // A list may be part of another one.
      .filter(({ name }) => !names.has(name) && names.add(name)),
  );
}
