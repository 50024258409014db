import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Payer } from './typed-shop.js';

const GENERATOR = 'openapi-python-client';

export interface PythonCollected {
  readonly statuses: string[];
  /** How far the wallet's deadline in milliseconds is from the session's. */
  readonly window_ms: number;
  readonly amounts: string[];
  readonly secret: string;
  readonly ids: string[];
}

/** Path of openapi-python-client, which has its Python beside it; undefined, and reported, where it is not installed. */
export function pythonGenerator(): string | undefined {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .find((folder) => spawnSync(join(folder, GENERATOR), ['--version']).status === 0);
  if (found === undefined) console.warn(`The client in Python is not tested: there is no ${GENERATOR} here.`);
  return found === undefined ? undefined : join(found, GENERATOR);
}

/** Generates a client of the committed document, and lets `python_shop.py` collect with it. */
export async function collectWithPythonClient(
  generator: string,
  args: { url: string; apiKey: string; apiSecret: string; asset: string; receiver: string },
  pay: Payer,
): Promise<PythonCollected> {
  const folder = mkdtempSync(join(tmpdir(), 'python-client-'));
  try {
    const document = ['--path', 'openapi/openapi.json', '--output-path', join(folder, 'client')];
    execFileSync(generator, ['generate', '--meta', 'none', ...document], { stdio: 'pipe' });
    const python = join(dirname(generator), 'python3');
    const { url, apiKey, apiSecret, asset, receiver } = args;
    const shop = spawn(python, ['test/support/python_shop.py', url, apiKey, apiSecret, asset, receiver], {
      env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(shop, 'close');
    let last: unknown;
    for await (const line of createInterface({ input: shop.stdout })) {
      const message = JSON.parse(line) as { pay?: string; amount?: string };
      if (message.pay !== undefined) await pay(message.pay, message.amount!);
      last = message;
    }
    const [status] = (await ended) as [number];
    if (status !== 0) throw new Error(`python_shop.py ended with ${status}.`);
    return last as PythonCollected;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
