import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const PORT = /^(?:export )?abstract class (\w+)/gm;
const EXTENDING =
  /(?:^\s*(?:export )?(?:abstract )?|\()class(?: \w+)?(?:<[^{]*?>)?\s+(?:extends|implements)\s+([^{]*)\{/gm;
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

function importsOf(file: string, text: string): Set<string> {
  const imports = new Set<string>();
  for (const [, names, specifier] of text.matchAll(IMPORT)) {
    const path = specifier!.startsWith('#') ? `src/${specifier!.slice(1)}` : join(dirname(file), specifier!);
    for (const name of names!.split(',').map((each) => each.trim().replace(/^type /, '')))
      imports.add(`${path.replace(/\.js$/, '.ts')} ${name.split(' as ')[0]}`);
  }
  return imports;
}

function sourcesBelow(root: string): Source[] {
  return globSync('{src,test}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.startsWith('test/architecture/'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return { file, text, imports: importsOf(file, text) };
    });
}

/** The number of classes of this source that extend or implement the port. */
function implementationsIn({ text }: Source, port: string): number {
  return [...text.matchAll(EXTENDING)].filter(([, bases]) => new RegExp(`\\b${port}\\b`).test(bases!)).length;
}

/** Ports of `application/` whose only implementation cannot stand in `infrastructure/<slice>/persistence/`. */
const APART: Readonly<Record<string, string>> = {
  FactoryDeployment: 'a chain type implements it',
  OutboundChain: 'a chain type implements it',
  OutboundTransactions: 'the repository of the aggregate',
  SettlementHolds: 'the operator command injects it',
  PaymentTokenIssuer: 'the implementation logs',
  InactiveWebhookDeliveries: 'registration must not import delivery',
};

/**
 * An abstract class has a reason if two classes implement it, a test double extends it, another context or `app` uses it as a
 * contract, the platform implements it for the kernel, or it is the repository of an aggregate.
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
  return /\/(domain|kernel)\//.test(home.file) || port in APART;
}

function portsWithoutReason(sources: readonly Source[]): string[] {
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

function useCasesThatOnlyDelegate(sources: readonly Source[]): string[] {
  return sources
    .filter(({ file }) => /^src\/contexts\/[^/]+\/application\//.test(file) && !isTest(file))
    .flatMap(({ file, text: whole }) =>
      whole
        .split(/^(?=@Injectable\(\))/m)
        .slice(1)
        .filter((text) => {
          const passing = [...text.matchAll(PASSING_ON)].length;
          return passing > 0 && passing === [...text.matchAll(METHOD)].length;
        })
        .map((text) => `${file} ${/class (\w+)/.exec(text)![1]}`),
    );
}

const sources = sourcesBelow('.');
const made = (file: string, text: string): Source => ({ file, text, imports: importsOf(file, text) });

describe('An abstract class', () => {
  it('is a contract, a repository of an aggregate, or has a second implementation or a test double', () => {
    expect(portsWithoutReason(sources)).toEqual([]);
  });

  it('is reported if it has none of these', () => {
    const port = made(
      'src/contexts/ledger/application/a.ts',
      'export abstract class Entries {}\nexport abstract class Names {}',
    );
    const only = made(
      'src/contexts/ledger/infrastructure/b.ts',
      "import { Entries, Names } from '../application/a.js';\nclass A extends Entries {}\nclass B extends Names {}\nclass C extends Names {}",
    );

    expect(portsWithoutReason([port, only])).toEqual(['src/contexts/ledger/application/a.ts Entries']);
  });
});

describe('A use case', () => {
  it('does not only call a query', () => {
    expect(useCasesThatOnlyDelegate(sources)).toEqual([]);
  });

  it('is reported if it only delegates', () => {
    const text = (body: string) =>
      `import x;\n@Injectable()\nexport class List {\n  async all(page: number) {\n${body}\n  }\n}\n`;
    const delegating = made(
      'src/contexts/ledger/application/a.ts',
      text('    return this.entries.page(page);'),
    );
    const deciding = made(
      'src/contexts/ledger/application/b.ts',
      text('    return (await this.entries.page(page)).slice(0, 10);'),
    );

    expect(useCasesThatOnlyDelegate([delegating, deciding])).toEqual([
      'src/contexts/ledger/application/a.ts List',
    ]);
  });
});
