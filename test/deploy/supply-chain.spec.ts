import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

interface LockedPackage {
  readonly integrity?: string;
  readonly link?: boolean;
}

const SHOPS = ['medusa', 'vendure'].map((name) => `clients/${name}-payment/test/shop/package-lock.json`);
const LOCK_FILES = ['package-lock.json', ...SHOPS];

describe('A lock file', () => {
  it.each(LOCK_FILES)('has a checksum for every package: %s', (file) => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
      packages: Record<string, LockedPackage>;
    };
    const unchecked = Object.entries(packages).filter(
      ([path, { integrity, link }]) => path !== '' && link !== true && !/^sha512-/.test(integrity ?? ''),
    );
    expect(unchecked.map(([path]) => path)).toEqual([]);
  });
});

describe('Installing the dependencies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'install-scripts-'));
  const app = join(folder, 'app');

  beforeAll(() => {
    for (const name of ['allowed', 'denied', 'unlisted']) pack(name);
    mkdirSync(app);
    cpSync('.npmrc', join(app, '.npmrc'));
    writeJson(app, {
      name: 'app',
      version: '1.0.0',
      dependencies: {
        allowed: 'file:../allowed-1.0.0.tgz',
        denied: 'file:../denied-1.0.0.tgz',
        unlisted: 'file:../unlisted-1.0.0.tgz',
      },
      allowScripts: { allowed: true, denied: false },
    });
    npm(app, 'install', '--package-lock-only', '--offline');
  }, 60_000);

  afterAll(() => rmSync(folder, { recursive: true }));

  it('runs only the install scripts that package.json allows', () => {
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { installPackages } = await import(${JSON.stringify(join(process.cwd(), 'scripts/install-packages.mjs'))});
         process.exit(installPackages(${JSON.stringify(app)}) ? 0 : 1);`,
      ],
      { stdio: 'pipe' },
    );
    expect(ranScripts()).toEqual(['allowed']);
  }, 60_000);

  it('runs no install script in a plain npm ci', () => {
    for (const name of ranScripts()) rmSync(join(app, `${name}.ran`));
    npm(app, 'ci', '--offline');
    expect(ranScripts()).toEqual([]);
  }, 60_000);

  /** A package whose install script leaves a file in the folder of the project that installs it. */
  function pack(name: string): void {
    const source = join(folder, name);
    mkdirSync(source);
    const script = `require('fs').writeFileSync(${JSON.stringify(join(app, `${name}.ran`))}, '')`;
    writeFileSync(join(source, 'install.js'), script);
    writeJson(source, { name, version: '1.0.0', scripts: { postinstall: 'node install.js' } });
    npm(source, 'pack', '--pack-destination', folder);
  }

  const ranScripts = () =>
    ['allowed', 'denied', 'unlisted'].filter((name) => existsSync(join(app, `${name}.ran`)));
});

function writeJson(folder: string, content: object): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(content));
}

function npm(folder: string, ...args: string[]): void {
  execFileSync('npm', args, { cwd: folder, stdio: 'pipe' });
}
