// Joins packages of hundreds of modules into few files: Jest resolves, reads and links each module again for each test
// file, which takes 0.2 s of processor time for viem alone.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

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

/** Of these there must be one: others require them from outside, and so do the packages above. */
const LEFT_OUT = [
  'class-transformer',
  'class-validator',
  'pg',
  'pg-native',
  'reflect-metadata',
  'rxjs',
  'swagger-ui-dist',
  '@fastify/*',
  '@nestjs/microservices',
  '@nestjs/websockets',
];

const FOLDER = join(import.meta.dirname, '../../node_modules/.joined');
const MARKER = join(FOLDER, '.joined');
const LOCK = join(import.meta.dirname, '../../package-lock.json');

const fileOf = (name) => name.replaceAll('/', '.');

/** @returns Jest's `moduleNameMapper` for them; they are joined anew when what is installed has changed */
export async function joinedPackages() {
  const wanted = readFileSync(LOCK, 'utf8') + readFileSync(import.meta.filename, 'utf8') + process.version;
  if (!existsSync(MARKER) || readFileSync(MARKER, 'utf8') !== wanted) {
    await joinPackages();
    writeFileSync(MARKER, wanted);
  }
  return Object.fromEntries(PACKAGES.map((name) => [`^${name}$`, join(FOLDER, `${fileOf(name)}.mjs`)]));
}

async function joinPackages() {
  await build({
    entryPoints: PACKAGES.map((name) => ({ in: `named:${name}`, out: fileOf(name) })),
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    keepNames: true,
    minify: true,
    external: LEFT_OUT,
    plugins: [namedExports],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
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
