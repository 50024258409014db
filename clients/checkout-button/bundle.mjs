// Joins and minifies the button into one module without imports: for the package (build.mjs), and for the service, which serves
// it at /button.js (scripts/bundle.mjs).
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PACKAGE = dirname(fileURLToPath(import.meta.url));

/** @param file where the module is written to */
export function bundleButton(file) {
  return build({
    absWorkingDir: PACKAGE,
    entryPoints: ['src/index.ts'],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
}
