import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

describe('The rules that the linter keeps', () => {
  const eslint = new ESLint({ cwd: root });

  it.each([
    [
      'Nest in a use case',
      'src/contexts/payments/application/x.ts',
      "import { Logger } from '@nestjs/common';\nexport const x = Logger;",
      'nothing of Nest but Injectable',
    ],
    [
      'a guard of a route',
      'src/contexts/payments/infrastructure/x.ts',
      "import { UseGuards } from '@nestjs/common';\nexport const x = UseGuards;",
      'make it an APP_GUARD',
    ],
    [
      'a fetch that decodes Brotli',
      'src/contexts/rates/infrastructure/x.ts',
      "export const x = fetch('https://a.example');",
      'outgoingFetch',
    ],
    [
      'the environment outside src/app',
      'src/shared/platform/x.ts',
      'export const x = process.env.X;',
      'Only src/app',
    ],
    [
      'the wall clock in the domain',
      'src/contexts/payments/domain/x.ts',
      'export const x = Date.now();',
      'Time comes in',
    ],
    [
      'a new Date in a use case',
      'src/contexts/payments/application/x.ts',
      'export const x = new Date();',
      'Time comes in',
    ],
    [
      'chance in the domain',
      'src/contexts/payments/domain/x.ts',
      'export const x = Math.random();',
      'Chance comes in',
    ],
    [
      'floats in the domain',
      'src/contexts/ledger/domain/x.ts',
      'export const x = parseFloat("1");',
      'never a float',
    ],
    [
      'floats',
      'src/contexts/ledger/infrastructure/x.ts',
      'export const x = parseFloat("1");',
      'never a float',
    ],
    [
      'an import that climbs',
      'src/contexts/ledger/infrastructure/persistence/x.ts',
      "import { Database } from '../../../../shared/platform/database/database.js';\nexport const x = Database;",
      'goes by #contexts',
    ],
    ['barrels', 'src/app/x.ts', "export * from './y.js';", 'No barrels'],
    [
      'ambient types',
      'src/app/x.ts',
      'declare global { interface X { y: 1 } }\nexport {};',
      'No ambient types',
    ],
    [
      'an English text in a page of the dashboard',
      'src/dashboard/x.tsx',
      'export const x = <p>Nothing waits</p>;',
      'in its catalogue',
    ],
    [
      'an English attribute there',
      'src/dashboard/x.tsx',
      'export const x = <nav aria-label={`Days of ${y}`} />;',
      'in its catalogue',
    ],
    [
      'a text that has to be read twice',
      'src/shared/kernel/x.ts',
      "export const x = 'The worker sends it at once.';",
      'immediately',
    ],
  ])('refuses %s', async (_, filePath, code, message) => {
    const [result] = await eslint.lintText(code, { filePath: join(root, filePath) });

    expect(result!.messages.map((m) => m.message).join()).toContain(message);
  });

  it('lets plain code through', async () => {
    const [result] = await eslint.lintText('export const x = 1;\n', { filePath: join(root, 'src/app/x.ts') });

    expect(result!.messages).toEqual([]);
  });
});
