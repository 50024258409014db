import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { MedusaWorld } from './medusa-world.js';

const ROOT = process.cwd();
const PACKAGE = join(ROOT, 'clients/medusa-payment');

export function medusaPackageSuite(world: () => MedusaWorld): void {
  describe('The provider’s package', () => {
    it('compiles against the types of Medusa', async () => {
      const { folder, modules } = world().shop;
      const medusa = (part: string) => [join(modules, `@medusajs/framework/dist/${part}/index.d.ts`)];
      const paths = {
        'payment-collection-client': [join(ROOT, 'clients/typescript/src/index.ts')],
        '@medusajs/framework/types': medusa('types'),
        '@medusajs/framework/utils': medusa('utils'),
      };
      const typeRoots = [join(ROOT, 'node_modules/@types')];
      const project = join(folder, 'tsconfig.provider.json');
      const compilerOptions = { noEmit: true, rootDir: '/', typeRoots, paths };
      const include = [join(PACKAGE, 'src')];
      writeFileSync(
        project,
        JSON.stringify({ extends: join(PACKAGE, 'tsconfig.json'), compilerOptions, include }),
      );

      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
      const complaints = promisify(execFile)(process.execPath, [compiler, '-p', project]).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      );
      expect(await complaints).toBe('');
    });
  });
}
