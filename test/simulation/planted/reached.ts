import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { plantedSource, transpiled } from './plant-bug.js';
import type { PlantedBug } from './planted-bug.js';

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
 * A run never came to what these bugs change: with them it is the same.
 * @param folder where V8 wrote what ran in the run of the sound code
 */
export function unreached(
  project: string,
  folder: string,
  bugs: readonly PlantedBug[],
): readonly PlantedBug[] {
  const parts = new Map<string, Part[]>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage;
    for (const { url, functions } of result)
      parts.set(url, [...(parts.get(url) ?? []), ...functions.flatMap(({ ranges }) => ranges)]);
  }
  return bugs.filter((bug) => {
    const file = join(project, 'src', bug.file);
    const place = firstChange(bug, readFileSync(file, 'utf8'), plantedSource(project, bug));
    const around = (parts.get(pathToFileURL(file).href) ?? []).filter(
      // What begins with the change itself runs or not because of it.
      ({ startOffset, endOffset }) => startOffset < place && place < endOffset,
    );
    around.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
    return (around[0]?.count ?? 0) === 0;
  });
}

/** @returns the place in what is run of the sound source at which the planted one is different */
function firstChange(bug: PlantedBug, sound: string, planted: string): number {
  const [before, after] = [transpiled(bug, sound), transpiled(bug, planted)];
  let place = 0;
  while (place < before.length && before[place] === after[place]) place += 1;
  return place;
}
