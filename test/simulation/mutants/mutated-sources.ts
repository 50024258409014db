import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { type Mutant, mutate } from '../../mutants/mutants.js';
import { compilerOptions } from '../../support/compiler-options.mjs';

/** The sources find these beside `src`. Packages are the same instances as those of the project. */
const BESIDE = ['node_modules', 'migrations', 'package.json', 'solidity', 'docs', 'openapi'];

/**
 * Copies the sources of the service with one mutant in them.
 * @param into a new folder outside of the project: everything in it is run as the project's own
 */
export function copyWithMutant(project: string, mutant: Mutant, into: string): void {
  const source = mutatedSource(project, mutant);
  mkdirSync(into, { recursive: true });
  cpSync(join(project, 'src'), join(into, 'src'), { recursive: true });
  writeFileSync(join(into, mutant.file), source);
  for (const name of BESIDE) symlinkSync(join(project, name), join(into, name));
}

/** @throws if the mutant does not apply once */
export function mutatedSource(project: string, mutant: Mutant): string {
  return mutate(readFileSync(join(project, mutant.file), 'utf8'), mutant);
}

/** @returns the module by itself, with the metadata of its decorators @throws if it is no TypeScript */
export function transpiled({ file }: Mutant, source: string): string {
  return transformSync(source, { ...compilerOptions({ tsx: false }), filename: file, swcrc: false }).code;
}
