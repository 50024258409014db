// Bundles test files, with what they import of our own, into one module each, for a run of all tests. Jest resolves, reads, transforms
// and links every module anew for each test file: some 1,500 modules for a file of joined specs. Packages stay outside.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from '@swc/core';
import { build } from 'esbuild';
import { compilerOptions } from './compiler-options.mjs';
import { BUNDLE_OPTIONS } from '../../scripts/bundle-options.mjs';

const ROOT = join(import.meta.dirname, '../..');
/** Folders of imports by `#` outside `src`, as in package.json. */
const FOLDERS = { client: 'clients/typescript/src', test: 'test' };
const SPEC = /\.(int-)?spec\.tsx?$/;
/** Comments, blank lines and imports, up to the last import. */
const IMPORTS = /^(?:\s*(?:\/\/.*\n|\/\*[^]*?\*\/|import\b[^;]*;))*/;

/**
 * @param files the test files that each bundle runs, by the bundle's path without `.mjs`
 * @param folder the bundles are written there
 */
export async function bundleTests(files, folder) {
  await build({
    ...BUNDLE_OPTIONS,
    splitting: false,
    entryPoints: Object.keys(files).map((out) => ({ in: `files:${out}`, out })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    packages: 'external',
    // A failure names the spec and its line.
    sourcemap: true,
    sourcesContent: false,
    plugins: [ownModules, listed(files)],
  });
}

/** Each bundle begins with a module that imports its test files. */
const listed = (files) => ({
  name: 'listed',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^files:/ }, ({ path }) => ({
      path: path.slice('files:'.length),
      namespace: 'files',
    }));
    onLoad({ filter: /.*/, namespace: 'files' }, ({ path }) => ({
      contents: files[path].map((file) => `import './${file}';\n`).join(''),
      resolveDir: ROOT,
    }));
  },
});

const ownModules = {
  name: 'own-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#.*\.js$/ }, ({ path }) => {
      const [, area, rest] = /^#(\w+)\/(.*)\.js$/.exec(path);
      const source = join(ROOT, FOLDERS[area] ?? join('src', area), rest);
      return { path: existsSync(`${source}.ts`) ? `${source}.ts` : `${source}.tsx` };
    });
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const { code } = await transform(SPEC.test(path) ? described(source, path) : source, {
        ...compilerOptions({ tsx: path.endsWith('.tsx') }),
        filename: path,
        sourceMaps: 'inline',
        swcrc: false,
      });
      return { contents: inItsPlace(code, path) };
    });
    onLoad({ filter: /\.m?js$/ }, async ({ path }) => ({
      contents: inItsPlace(await readFile(path, 'utf8'), path),
    }));
  },
};

/** A module that moves into a bundle still finds the files beside its own place. */
function inItsPlace(code, path) {
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
}

/** The tests of a spec stand in a `describe` with its path. Nothing is added but to lines that are there, so that lines keep their numbers. */
function described(source, path) {
  const end = IMPORTS.exec(source)[0].length;
  const name = JSON.stringify(relative(ROOT, path));
  return `${source.slice(0, end)}describe(${name}, () => {${source.slice(end)}});`;
}
