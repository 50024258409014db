import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutant } from '../../mutants/mutants.js';
import { mutatedSource, transpiled } from './mutated-sources.js';

/** V8 writes this of a process: how often each part of each function ran. Parts lie within each other. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Part[] }[];
  }[];
}

interface Part {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/**
 * Finds the mutants whose changed lines a run did not execute: with them, the run is the same.
 * @param folder with V8's coverage of the unchanged code
 */
export function unreached(project: string, folder: string, mutants: readonly Mutant[]): readonly Mutant[] {
  const parts = new Map<string, Part[]>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage;
    for (const { url, functions } of result)
      parts.set(url, [...(parts.get(url) ?? []), ...functions.flatMap(({ ranges }) => ranges)]);
  }
  return mutants.filter((mutant) => {
    const file = join(project, mutant.file);
    const place = firstChange(mutant, readFileSync(file, 'utf8'), mutatedSource(project, mutant));
    const around = (parts.get(pathToFileURL(file).href) ?? []).filter(
      // What begins with the change itself runs or not because of it.
      ({ startOffset, endOffset }) => startOffset < place && place < endOffset,
    );
    around.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
    return (around[0]?.count ?? 0) === 0;
  });
}

/** @returns the offset at which the transpiled sources differ */
function firstChange(mutant: Mutant, original: string, mutated: string): number {
  const [before, after] = [transpiled(mutant, original), transpiled(mutant, mutated)];
  let place = 0;
  while (place < before.length && before[place] === after[place]) place += 1;
  return place;
}
