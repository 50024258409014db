// Joins what `nest build` wrote to the given folder, and the packages it imports, into few files: a process that reads
// 3,500 modules one by one takes three times as long to start (docs/decisions/0015-one-bundle.md).
import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

const [folder] = process.argv.slice(2);

const PROGRAMS = [
  'main',
  'worker',
  'cli',
  'sandbox',
  'sandbox/demo',
  'sandbox/pay',
  'sandbox/listen',
  'sandbox/reset',
];

/**
 * Metadata comes before all else. Nest requires the two validation packages from outside, and there must be one of each.
 * Swagger UI finds its files by its own path. The others are not installed: Nest and TypeORM ask for them and do without.
 */
const LEFT_OUT = [
  'reflect-metadata',
  'class-validator',
  'class-transformer',
  'swagger-ui-dist',
  '@fastify/*',
  '@nestjs/microservices',
  '@nestjs/websockets',
  'pg-native',
];

/** What each chunk begins with: decorators need the metadata, and CommonJS packages require modules of Node. */
const FIRST = `import 'reflect-metadata';
import { createRequire as requireOf } from 'node:module';
const require = requireOf(import.meta.url);`;

/** A module that moves into the bundle still finds the files beside its own place. */
const ownPlaces = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(resolve(folder) + sep)) return undefined;
      const code = await readFile(path, 'utf8');
      if (!code.includes('import.meta.url')) return undefined;
      const place = `new URL('./${relative(folder, path).replaceAll(sep, '/')}', import.meta.url).href`;
      return { contents: code.replaceAll('import.meta.url', place) };
    });
  },
};

await build({
  // All at the top of the folder, as the places above are relative to it.
  entryPoints: PROGRAMS.map((program) => ({
    in: `${folder}/${program}.js`,
    out: program.replace('sandbox/', ''),
  })),
  outdir: folder,
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // The OpenAPI document names schemas after classes.
  keepNames: true,
  // Half as much to parse.
  minifyWhitespace: true,
  minifySyntax: true,
  // With --enable-source-maps errors name lines of the TypeScript.
  sourcemap: true,
  sourcesContent: false,
  external: LEFT_OUT,
  plugins: [ownPlaces],
  banner: { js: FIRST },
  logLevel: 'warning',
});
