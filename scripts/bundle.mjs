// Joins what `nest build` wrote to the given folder, and the packages it imports, into few files: a process that reads
// 3,500 modules one by one takes more than twice as long to load them (docs/decisions/0015-one-bundle.md). The programs of the
// sandbox, and the client that they use, are bundled from their TypeScript. All programs, unless some are named after the folder. The
// checkout button, which the service serves, comes beside them.
import { readFile } from 'node:fs/promises';
import { basename, extname, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { bundleButton } from '../clients/checkout-button/bundle.mjs';
import { BUNDLE_OPTIONS, LEFT_OUT, REQUIRE } from './bundle-options.mjs';

const [folder, ...named] = process.argv.slice(2);

const PROGRAMS = [
  'main',
  'worker',
  'cli',
  'sandbox',
  'sandbox/demo',
  'sandbox/pay',
  'sandbox/listen',
  'sandbox/reset',
  // No program by itself: the tests seed all their services in one process.
  'sandbox/service/seed',
];

/**
 * Apart from the chunk that all programs share: Pino asks for its call sites when a logger is made, and Node then reads the whole
 * source map of each chunk on the stack, which takes a tenth of a start.
 */
const LOGGER = 'shared/platform/logging/logger';

const BUILT = resolve(folder);
const SOURCES = resolve('src');

/** A module that moves into the bundle still finds the files beside its own place. */
const ownPlaces = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      const root = [BUILT, SOURCES].find((root) => path.startsWith(root + sep));
      if (root === undefined) return undefined;
      const code = await readFile(path, 'utf8');
      if (!code.includes('import.meta.url')) return undefined;
      const place = `new URL('./${relative(root, path).replaceAll(sep, '/')}', import.meta.url).href`;
      return { contents: code.replaceAll('import.meta.url', place), loader: extname(path).slice(1) };
    });
  },
};

/**
 * Resolves the `imports` of package.json, which other packages have too. What `nest build` wrote may not have its final folder
 * yet; esbuild resolves the others itself, which lead to TypeScript.
 */
const builtImports = {
  name: 'built-imports',
  setup({ onResolve }) {
    onResolve({ filter: /^#/ }, ({ path, importer }) => {
      const isOurs = [BUILT, SOURCES].some((root) => importer.startsWith(root + sep));
      const isSource = /^#(client|sandbox)\//.test(path);
      return isOurs && !isSource ? { path: resolve(BUILT, path.slice(1)) } : undefined;
    });
  },
};

await build({
  ...BUNDLE_OPTIONS,
  // All at the top of the folder, as the places above are relative to it.
  entryPoints: [...(named.length > 0 ? named : PROGRAMS), LOGGER].map((program) => ({
    in: program.startsWith('sandbox') ? `src/${program}.ts` : `${folder}/${program}.js`,
    out: basename(program),
  })),
  outdir: folder,
  allowOverwrite: true,
  // Less to parse at each start.
  minifyWhitespace: true,
  minifySyntax: true,
  // With --enable-source-maps errors name lines of the TypeScript.
  sourcemap: true,
  sourcesContent: false,
  external: LEFT_OUT,
  plugins: [ownPlaces, builtImports],
  // Decorators need the metadata before all else.
  banner: { js: `import 'reflect-metadata';\n${REQUIRE}` },
});

await bundleButton(resolve(folder, 'button.browser.js'));
