import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { compilerOptions } from '../../support/compiler-options.mjs';
import type { PlantedBug } from './planted-bug.js';

/** The sources find these beside `src`. Packages are the same instances as those of the project. */
const BESIDE = ['node_modules', 'migrations', 'package.json', 'solidity', 'docs', 'openapi'];

/**
 * Copies the sources of the service with one bug in them.
 * @param into a folder that is made, outside of the project: what lies in it is run as the project's own
 */
export function plantBug(project: string, bug: PlantedBug, into: string): void {
  const planted = plantedSource(project, bug);
  mkdirSync(into, { recursive: true });
  cpSync(join(project, 'src'), join(into, 'src'), { recursive: true });
  writeFileSync(join(into, 'src', bug.file), planted);
  for (const name of BESIDE) symlinkSync(join(project, name), join(into, name));
}

/** @throws where what the bug changes does not stand once in its file */
export function plantedSource(project: string, { name, file, from, to }: PlantedBug): string {
  const parts = readFileSync(join(project, 'src', file), 'utf8').split(from);
  if (parts.length === 2) return parts.join(to);
  throw new Error(`What "${name}" changes stands ${parts.length - 1} times in src/${file}.`);
}

/** @returns the module by itself, with the metadata of its decorators @throws where it is no TypeScript */
export function transpiled({ file }: PlantedBug, source: string): string {
  return transformSync(source, { ...compilerOptions({ tsx: false }), filename: file, swcrc: false }).code;
}
