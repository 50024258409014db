// Bundles test files, with what they import of our own, into one module each, for a run of all tests. Jest resolves, reads, transforms
// and links every module anew for each test file: some 1,500 modules for a file of joined specs. Packages stay outside.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../../scripts/bundle-options.mjs';
import { ownModules } from '../../scripts/own-modules.mjs';

const ROOT = join(import.meta.dirname, '../..');
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
    splitting: true,
    entryPoints: Object.keys(files).map((out) => ({ in: `files:${out}`, out })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    packages: 'external',
    // A failure names the spec and its line.
    sourcemap: true,
    sourcesContent: false,
    plugins: [ownModules({ prepared: described, finished: inItsPlace }), ownScripts, listed(files)],
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

const ownScripts = {
  name: 'own-scripts',
  setup({ onLoad }) {
    onLoad({ filter: /\.m?js$/ }, async ({ path }) => ({
      contents: inItsPlace(await readFile(path, 'utf8'), path),
    }));
  },
};

/** The tests of a spec stand in a `describe` with its path. Nothing is added but to lines that are there, so that lines keep their numbers. */
function described(source, path) {
  if (!SPEC.test(path)) return source;
  const end = IMPORTS.exec(source)[0].length;
  const name = JSON.stringify(relative(ROOT, path));
  return `${source.slice(0, end)}describe(${name}, () => {${source.slice(end)}});`;
}

/** A module that moves into a bundle still finds the files beside its own place. */
function inItsPlace(code, path) {
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
}
