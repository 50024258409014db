import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

/** Size limit of the uncompressed module, in bytes. */
const MAX_BYTES = 6_000;
const PACKAGE = join(process.cwd(), 'clients/checkout-button');
const USE = `
import { PaymentCollectionButton, type PaymentEvent } from './index.js';

const button = document.querySelector<PaymentCollectionButton>('payment-collection-button')!;
button.addEventListener('payment-close', (event) => {
  const { status, sessionId }: { status: string | undefined; sessionId: string } = (event as PaymentEvent).detail;
  console.log(status, sessionId.length);
});
button.open();
// @ts-expect-error open() has no parameters
button.open('tab');
`;

let built: string;
const node = (...args: string[]) => execFileSync(process.execPath, args, { encoding: 'utf8', cwd: built });
const build = (folder: string) => execFileSync(process.execPath, [join(PACKAGE, 'build.mjs'), folder]);

beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), 'checkout-button-'));
  build(built);
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

describe('The package of the button', () => {
  it('has the version and license of the service, and no dependencies', () => {
    const [service, button] = ['.', PACKAGE].map(
      (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>,
    );

    expect([button!['version'], button!['license']]).toEqual([service!['version'], service!['license']]);
    expect(button).not.toHaveProperty('dependencies');
  });

  it('is one module of at most 6 kB without imports', () => {
    const module = readFileSync(join(built, 'button.js'), 'utf8');

    expect(readdirSync(built).filter((name) => name.endsWith('.js'))).toEqual(['button.js']);
    expect(Buffer.byteLength(module)).toBeLessThanOrEqual(MAX_BYTES);
    expect(module).not.toMatch(/\bimport\s*[{(*'"]|\brequire\(|innerHTML|localStorage|sessionStorage|cookie/);
  });

  it('loads on a server without a browser', () => {
    expect(
      node('-e', 'import("./button.js").then((all) => console.log(Object.keys(all).join()))').trim(),
    ).toBe('PaymentCollectionButton');
  });

  it('has types that compile in a strict program', () => {
    writeFileSync(join(built, 'use.ts'), USE);
    writeFileSync(join(built, 'package.json'), '{"type":"module"}');
    const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    const options =
      '--noEmit --strict --skipDefaultLibCheck --module nodenext --target es2022 --lib es2022,dom'.split(' ');

    expect(node(compiler, ...options, 'use.ts')).toBe('');
  });
});
