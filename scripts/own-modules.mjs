// Our TypeScript as esbuild bundles it for Node. swc compiles each module, since esbuild does not write the metadata of decorators.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from '@swc/core';
import { compilerOptions } from './compiler-options.mjs';

const ROOT = join(import.meta.dirname, '..');
/** Folders of imports by `#` outside `src`, as in package.json. */
const FOLDERS = { client: 'clients/typescript/src', sandbox: 'sandbox', test: 'test' };

/**
 * @param finished changes the code of a module once it is compiled
 * @param prepared changes its source before
 * @returns a plugin of esbuild
 */
export const ownModules = ({ finished, prepared = (source) => source }) => ({
  name: 'own-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#.*\.js$/ }, ({ path }) => {
      const [, area, rest] = /^#(\w+)\/(.*)\.js$/.exec(path);
      const source = join(ROOT, FOLDERS[area] ?? join('src', area), rest);
      return { path: existsSync(`${source}.ts`) ? `${source}.ts` : `${source}.tsx` };
    });
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const source = prepared(await readFile(path, 'utf8'), path);
      const { code } = await transform(source, {
        ...compilerOptions({ tsx: path.endsWith('.tsx') }),
        filename: path,
        sourceMaps: 'inline',
        swcrc: false,
      });
      return { contents: finished(code, path) };
    });
  },
});
