import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The shop that Medusa's server is started with, and the versions of everything that it is made of. */
export const SHOP = join(process.cwd(), 'clients/medusa-payment/test/shop');
export const VENDURE_SHOP = join(process.cwd(), 'clients/vendure-payment/test/shop');
const LOCKED = ['package.json', 'package-lock.json'];

/**
 * Installs a shop's server as its lockfile says, once for all runs: up to a thousand packages and 700 MB, outside the repository, whose tests would
 * read through them otherwise.
 * @returns the folder whose `node_modules` has it @throws Error naming what is missing
 */
export async function installServer(name: string, shop: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of LOCKED) hash.update(readFileSync(join(shop, file)));
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(cache, `payment-collection-${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    for (const file of LOCKED) copyFileSync(join(shop, file), join(draft, file));
    await installLocked(draft);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another run may have been faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** No script of a package runs: nothing is loaded but what npm's registry has. */
async function installLocked(folder: string): Promise<void> {
  const { npm_execpath: cli, PATH = '' } = process.env;
  const [command, first] = cli === undefined ? ['npm', []] : [process.execPath, [cli]];
  const args = ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = { ...process.env, PATH: [dirname(process.execPath), PATH].join(delimiter) };
  await promisify(execFile)(command, [...first, ...args], { cwd: folder, env }).catch((error: unknown) => {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(
      `The shop could not be installed into ${folder}. This test needs npm, its registry, and up to 700 MB there. npm says:\n${stderr || String(error)}`,
    );
  });
}
