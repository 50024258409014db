import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Invariant } from '#shared/kernel/invariant.js';

let found: Promise<readonly Invariant[]> | undefined;

/**
 * Every invariant that a file `*-invariants.ts` exports, whether or not a module registers it: a test with a database
 * checks all of them without loading all modules.
 */
export function sourceInvariants(): Promise<readonly Invariant[]> {
  return (found ??= load());
}

async function load(): Promise<readonly Invariant[]> {
  const files = globSync('src/**/*-invariants.ts').sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(process.cwd(), file)).href) as Promise<object>),
  );
  const exported = modules.flatMap((each) => Object.values(each).filter(Array.isArray) as Invariant[][]);
  // A list may be part of another one.
  return [...new Map(exported.flat().map((invariant) => [invariant.name, invariant])).values()];
}
