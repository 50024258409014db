// Joins packages of hundreds of modules into few files: Jest resolves, reads and links each module again for each test
// file, which takes 0.2 s of processor time for viem alone.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS, LEFT_OUT, REQUIRE } from '../../scripts/bundle-options.mjs';

const PACKAGES = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  '@nestjs/testing',
  'jose',
  'typeorm',
  'undici',
  'viem',
  'viem/accounts',
  'viem/actions',
  'viem/utils',
];

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'node_modules', '.joined');
const MARKER = join(FOLDER, '.joined');
/** The joined files depend on these. */
const SOURCES = ['package-lock.json', 'scripts/bundle-options.mjs', 'test/support/join-packages.mjs'];

const fileOf = (name) => name.replaceAll('/', '.');

/** @returns Jest's `moduleNameMapper` for them; they are joined anew when what is installed has changed */
export async function joinedPackages() {
  const expected = SOURCES.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('');
  if (!existsSync(MARKER) || readFileSync(MARKER, 'utf8') !== expected) {
    await joinPackages();
    writeFileSync(MARKER, expected);
  }
  return Object.fromEntries(PACKAGES.map((name) => [`^${name}$`, join(FOLDER, `${fileOf(name)}.mjs`)]));
}

async function joinPackages() {
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: PACKAGES.map((name) => ({ in: `named:${name}`, out: fileOf(name) })),
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    minify: true,
    // Tests and the packages above import these two by themselves: one of each.
    external: [...LEFT_OUT, 'pg', 'rxjs'],
    plugins: [namedExports],
    banner: { js: REQUIRE },
  });
}

/** Says a package's names, since those of CommonJS packages are known at run time only. */
const namedExports = {
  name: 'named-exports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^named:/ }, ({ path }) => ({
      path: path.slice('named:'.length),
      namespace: 'named',
    }));
    onLoad({ filter: /.*/, namespace: 'named' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => /^(?!default$)[\w$]+$/.test(name));
      return {
        contents: `export { ${names.join(', ')} } from '${path}';`,
        resolveDir: import.meta.dirname,
      };
    });
  },
};
