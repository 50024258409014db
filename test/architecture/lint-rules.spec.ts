import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Each rule by a folder, a line that breaks it and a part of its message. */
const BROKEN = [
  [
    'contexts/payments/application/x.ts',
    "import { Logger } from '@nestjs/common'; export const x = Logger;",
    'nothing of Nest',
  ],
  [
    'contexts/payments/infrastructure/x.ts',
    "import { UseGuards } from '@nestjs/common'; export const x = UseGuards;",
    'APP_GUARD',
  ],
  ['contexts/rates/infrastructure/x.ts', "export const x = fetch('https://a.example');", 'outgoingFetch'],
  ['shared/platform/x.ts', 'export const x = process.env.X;', 'Only src/app'],
  ['contexts/payments/domain/x.ts', 'export const x = Date.now();', 'Time comes in'],
  ['contexts/payments/application/x.ts', 'export const x = new Date();', 'Time comes in'],
  ['contexts/payments/domain/x.ts', 'export const x = Math.random();', 'Chance comes in'],
  ['contexts/ledger/domain/x.ts', 'export const x = parseFloat("1");', 'never a float'],
  ['contexts/ledger/infrastructure/x.ts', 'export const x = parseFloat("1");', 'never a float'],
  [
    'contexts/ledger/infrastructure/persistence/x.ts',
    "import { D } from '../../../../shared/d.js'; export const x = D;",
    '#contexts',
  ],
  ['app/x.ts', "export * from './y.js';", 'No barrels'],
  ['app/x.ts', 'declare global { interface X { y: 1 } } export {};', 'No ambient types'],
  ['dashboard/x.tsx', 'export const x = <p>Nothing waits</p>;', 'in its catalogue'],
  ['dashboard/x.tsx', 'export const x = <nav aria-label={`Days of ${y}`} />;', 'in its catalogue'],
  ['shared/kernel/x.ts', "export const x = 'The worker sends it at once.';", 'immediately'],
  ['shared/kernel/x.spec.ts', "it('may be emptied by null', () => undefined);", 'with a verb'],
  ['shared/kernel/x.spec.ts', "it.each([1])('is told of %d', () => undefined);", 'with a verb'],
  ['shared/kernel/x.spec.ts', "describe('Requests that end at once', () => undefined);", 'immediately'],
] as const;

describe('The linter', () => {
  const eslint = new ESLint({ cwd: root });

  it.each(BROKEN)('reports a fault in %s: %s', async (file, code, message) => {
    const [result] = await eslint.lintText(code, { filePath: join(root, 'src', file) });

    expect(result!.messages.map((m) => m.message).join()).toContain(message);
  });

  it('accepts plain code', async () => {
    const [result] = await eslint.lintText('export const x = 1;\n', { filePath: join(root, 'src/app/x.ts') });

    expect(result!.messages).toEqual([]);
  });
});
