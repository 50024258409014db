import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface BuiltInvariant {
  readonly name: string;
  /** SQL: a row for each breach. */
  readonly breaches: string;
}

/** Every invariant that the service in a folder checks by `verify`. */
export async function invariantsOf(root: string): Promise<readonly BuiltInvariant[]> {
  const files = globSync(join(root, 'src/**/*-invariants.ts')).sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(file).href) as Promise<Readonly<Record<string, unknown>>>),
  );
  const lists = modules.flatMap((each) => Object.values(each).filter(Array.isArray) as BuiltInvariant[][]);
  return [...new Map(lists.flat().map((invariant) => [invariant.name, invariant])).values()];
}
