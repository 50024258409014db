// Bundles the button into one minified module without imports, for the package (build.mjs) and for /button.js of the service
// (scripts/bundle.mjs).
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PACKAGE = dirname(fileURLToPath(import.meta.url));

/** @param file output file */
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
