import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), 'fixtures');
const PORT = /^(?:export )?abstract class (\w+)/gm;
const EXTENDING =
  /(?:^\s*(?:export )?(?:abstract )?|\()class(?: \w+)?(?:<[^{]*>)?\s+(?:extends|implements)\s+([^{]*)\{/gm;
const IMPORT = /import\s+(?:type\s+)?\{([^}]*)\}\s+from '([^']+)'/g;

interface Source {
  readonly file: string;
  readonly text: string;
  /** Each imported name with its file, as `<file> <name>`. */
  readonly imports: ReadonlySet<string>;
}

function isTest(file: string): boolean {
  return /\.(int-)?spec\.tsx?$|\/testing\/|^test\//.test(file);
}

function contextOf(file: string): string | undefined {
  return /^src\/contexts\/([^/]+)\//.exec(file)?.[1];
}

function sourcesBelow(root: string): Source[] {
  return globSync('{src,test}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.startsWith('test/architecture/'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const imports = new Set<string>();
      for (const [, names, specifier] of text.matchAll(IMPORT)) {
        const path = specifier!.startsWith('#')
          ? `src/${specifier!.slice(1)}`
          : join(dirname(file), specifier!);
        for (const name of names!.split(',').map((each) => each.trim().replace(/^type /, '')))
          imports.add(`${path.replace(/\.js$/, '.ts')} ${name.split(' as ')[0]}`);
      }
      return { file, text, imports };
    });
}

/** The number of classes of this source that extend or implement the port. */
function implementationsIn({ text }: Source, port: string): number {
  return [...text.matchAll(EXTENDING)].filter(([, bases]) => new RegExp(`\\b${port}\\b`).test(bases!)).length;
}

/** True where the class stands in the type of something, as a parameter that is injected does. */
function isUsedIn({ text }: Source, port: string): boolean {
  return new RegExp(`[:<|] ?${port}\\b`).test(text);
}

/**
 * A port is an abstract class that something is injected by. It has a reason where two classes implement it, a double stands
 * in for it in tests, a use case or the domain works by it, or it is a contract that another context or `app` meets.
 */
function hasReason(home: Source, port: string, sources: readonly Source[]): boolean {
  const importers = sources.filter(({ imports }) => imports.has(`${home.file} ${port}`));
  const knowing = [home, ...importers];
  const implementations = knowing.reduce((sum, each) => sum + implementationsIn(each, port), 0);
  const doubles = knowing
    .filter(({ file }) => isTest(file))
    .filter((each) => implementationsIn(each, port) > 0);
  if (doubles.length > 0 || implementations > 1) return true;
  if (home.file.includes('/contract/'))
    return importers.some(({ file }) => !isTest(file) && contextOf(file) !== contextOf(home.file));
  return knowing.some(
    (each) =>
      /\/(application|domain)\//.test(each.file) &&
      !isTest(each.file) &&
      isUsedIn(each, port) &&
      (each !== home || /^@Injectable\(\)/m.test(each.text)),
  );
}

function portsWithoutReason(root: string): string[] {
  const sources = sourcesBelow(root);
  return sources
    .filter(({ file }) => file.startsWith('src/') && !isTest(file))
    .flatMap((source) =>
      [...source.text.matchAll(PORT)]
        .map(([, port]) => port!)
        .filter((port) => !hasReason(source, port, sources))
        .map((port) => `${source.file} ${port}`),
    );
}

/** A method whose body is one call on a member that is injected, with nothing but names as its arguments. */
const PASSING_ON =
  /^ {2}(?:async )?(\w+)(?:<[^{]*>)?\([^{]*\{\n {4}(?:return )?(?:await )?this\.\w+\.\w+\([\w\s.,]*\);\n {2}\}/gm;
const METHOD = /^ {2}(?:async )?(?!constructor)\w+(?:<[^{(]*>)?\([^;]*?\{$/gm;

/** Use cases that decide nothing: each of their methods passes its arguments on to one port. */
function useCasesThatOnlyDelegate(root: string): string[] {
  return globSync('src/contexts/*/application/**/*.ts', { cwd: root })
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split(/^(?=@Injectable\(\))/m)
        .slice(1)
        .filter((text) => {
          const passing = [...text.matchAll(PASSING_ON)].length;
          return passing > 0 && passing === [...text.matchAll(METHOD)].length;
        })
        .map((text) => `${file} ${/class (\w+)/.exec(text)![1]}`),
    );
}

describe('An abstract class', () => {
  it('has a second implementation, a double, a use case that works by it, or another context that meets it', () => {
    expect(portsWithoutReason('.')).toEqual([]);
  });

  it('is reported where it has none of these', () => {
    expect(portsWithoutReason(FIXTURES)).toEqual([
      'src/contexts/ledger/application/ports-without-reason.ts OnlyQueried',
      'src/contexts/ledger/contract/ports-without-reason.ts MetByNobody',
    ]);
  });
});

describe('A use case', () => {
  it('decides something: what only asks a query is asked by controllers, pages and workers themselves', () => {
    expect(useCasesThatOnlyDelegate('.')).toEqual([]);
  });

  it('is reported where it only delegates', () => {
    expect(useCasesThatOnlyDelegate(FIXTURES)).toEqual([
      'src/contexts/ledger/application/ports-without-reason.ts ListEntries',
    ]);
  });
});
