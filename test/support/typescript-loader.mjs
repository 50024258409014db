// Lets plain node run the project's TypeScript: `node --import ./test/support/typescript-loader.mjs file.ts`.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import { compilerOptions } from '../../scripts/compiler-options.mjs';

const ROOT = new URL('../../', import.meta.url).href;

/** The folder of the repository that a file belongs to: another release may be loaded beside this one. */
function rootOf(parent) {
  if (parent.startsWith(ROOT)) return ROOT;
  const folder = new URL('./', parent);
  const isRoot = existsSync(new URL('migrations/', folder));
  return isRoot || folder.pathname === '/' ? folder.href : rootOf(new URL('../', folder).href);
}

/** Where the `imports` of package.json lead before anything is built. @returns the specifier and what it is relative to */
function placeOf(specifier, parent) {
  if (!specifier.startsWith('#')) return [specifier, parent];
  const root = rootOf(parent);
  if (specifier.startsWith('#client/'))
    return [specifier.slice('#client/'.length), `${root}clients/typescript/src/`];
  const isBesideSource = /^#(sandbox|test)\//.test(specifier);
  return [specifier.slice(1), isBesideSource ? root : `${root}src/`];
}

function resolve(specifier, context, nextResolve) {
  if (/^(#|\.{1,2}\/).*\.js$/.test(specifier) && context.parentURL?.startsWith('file:')) {
    const [path, base] = placeOf(specifier, context.parentURL);
    for (const extension of ['.ts', '.tsx']) {
      const source = new URL(path.replace(/\.js$/, extension), base);
      if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
    }
  }
  return nextResolve(specifier, context);
}

function load(url, context, nextLoad) {
  if (!/^file:.*\.tsx?$/.test(url) || url.includes('/node_modules/')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    ...compilerOptions({ tsx: filename.endsWith('x') }),
    filename,
    swcrc: false,
    sourceMaps: 'inline',
  });
  return { format: 'module', source: code, shortCircuit: true };
}

registerHooks({ resolve, load });
