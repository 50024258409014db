import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { compilerOptions } from '../../scripts/compiler-options.mjs';

/** A small change of the source that breaks a promise of the service. README.md describes the format of the list. */
export interface Mutant {
  /** Says what the service does wrong. */
  readonly name: string;
  /** Source file, relative to the root. */
  readonly file: string;
  /** Whole lines that occur once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files that fail; empty if none is known. */
  readonly tests: readonly string[];
  /** The event after which the change has an effect: `always`, `kill`, `reorganization`, `race`, … */
  readonly trigger: string;
}

const FIELD = /^(mutant|file|test|trigger): (.+)$/;

/** @param root the project's folder */
export function readMutants(root: string): Mutant[] {
  const folder = join(root, 'test/mutants');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.mutants'))
    .sort()
    .flatMap((name) => parseMutants(readFileSync(join(folder, name), 'utf8')));
}

/** @throws if a line has none of the known forms */
export function parseMutants(text: string): Mutant[] {
  return text
    .trim()
    .split(/\n\n+/)
    .map((paragraph) => {
      const lines: Record<string, string[]> = {
        mutant: [],
        file: [],
        test: [],
        trigger: [],
        '-': [],
        '+': [],
      };
      for (const line of paragraph.split('\n')) {
        const [, field, value] = FIELD.exec(line) ?? [];
        if (field !== undefined) lines[field]!.push(value!);
        else if (/^[-+]( |$)/.test(line)) lines[line[0]!]!.push(line.slice(2));
        else throw new Error(`This line of a mutant has none of the known forms: ${line}`);
      }
      return {
        name: lines['mutant']!.join(),
        file: lines['file']!.join(),
        find: lines['-']!.join('\n'),
        replace: lines['+']!.join('\n'),
        tests: lines['test']!,
        trigger: lines['trigger']![0] ?? 'always',
      };
    });
}

/** @returns the source with the mutant @throws if its lines do not occur exactly once */
export function mutate(source: string, { name, file, find, replace }: Mutant): string {
  const parts = `\n${source}`.split(`\n${find}\n`);
  if (parts.length === 2) return parts.join(replace === '' ? '\n' : `\n${replace}\n`).slice(1);
  throw new Error(`${file} has the lines of the mutant "${name}" ${parts.length - 1} times, not once`);
}

/** @returns what is wrong with the list, in sentences */
export function faultsOfList(root: string): string[] {
  const names = new Set<string>();
  return readMutants(root).flatMap((mutant) => {
    const { name, file, tests } = mutant;
    const faults = [file, ...tests]
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `"${name}" names a missing file: ${path}`);
    if (names.has(name)) faults.push(`two mutants have the name "${name}"`);
    names.add(name);
    try {
      const source = readFileSync(join(root, file), 'utf8');
      const mutated = mutate(source, mutant);
      if (mutated === source) faults.push(`"${name}" changes nothing`);
      // A file that does not compile would fail every test.
      transpiled(mutant, mutated);
    } catch (error) {
      faults.push(`"${name}" does not apply: ${(error as Error).message}`);
    }
    return faults;
  });
}

/** @returns the module by itself, with the metadata of its decorators @throws if it is no TypeScript */
export function transpiled({ file }: Mutant, source: string): string {
  const options = compilerOptions({ tsx: file.endsWith('x') });
  return transformSync(source, { ...options, filename: file, swcrc: false }).code;
}
