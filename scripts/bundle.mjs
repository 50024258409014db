// Compiles the programs, and joins them and the packages they import into few files in the given folder: a process that reads
// 3,500 modules one by one takes more than twice as long to load them (docs/decisions/0015-one-bundle.md). All programs, unless some are
// named after the folder. What the service sends to browsers comes beside them.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { bundleButton } from '../clients/checkout-button/bundle.mjs';
import { BUNDLE_OPTIONS, LEFT_OUT, REQUIRE } from './bundle-options.mjs';
import { ownModules } from './own-modules.mjs';

const [folder, ...named] = process.argv.slice(2);

const PROGRAMS = [
  'src/main',
  'src/worker',
  'src/cli',
  'sandbox/sandbox',
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
const LOGGER = 'src/shared/platform/logging/logger';

const SOURCES = resolve('src');
const SANDBOX = resolve('sandbox');

/** A module that moves into the bundle still finds the files beside its own place, with `dist` in place of `src`. */
function inItsPlace(code, path) {
  const place = `new URL('./${relative(SOURCES, path).replaceAll(sep, '/')}', import.meta.url).href`;
  return path.startsWith(SOURCES + sep) || path.startsWith(SANDBOX + sep)
    ? code.replaceAll('import.meta.url', place)
    : code;
}

rmSync(folder, { recursive: true, force: true });
await build({
  ...BUNDLE_OPTIONS,
  // All at the top of the folder, as the places above are relative to it.
  entryPoints: [...(named.length > 0 ? named : PROGRAMS), LOGGER].map((program) => ({
    in: `${program}.ts`,
    out: basename(program),
  })),
  outdir: folder,
  // Less to parse at each start.
  minifyWhitespace: true,
  minifySyntax: true,
  // With --enable-source-maps errors name lines of the TypeScript.
  sourcemap: true,
  sourcesContent: false,
  external: LEFT_OUT,
  plugins: [ownModules({ finished: inItsPlace })],
  // Decorators need the metadata before all else.
  banner: { js: `import 'reflect-metadata';\n${REQUIRE}` },
});

for (const file of readdirSync(SOURCES, { recursive: true })) {
  const [source, place] = [join(SOURCES, file), join(folder, file)];
  if (/\.browser\.(css|js)$/.test(file)) cpSync(source, place);
  if (!/\.browser\.ts$/.test(file)) continue;
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place.replace(/ts$/, 'js'), stripTypeScriptTypes(readFileSync(source, 'utf8')));
}
await bundleButton(resolve(folder, 'button.browser.js'));
