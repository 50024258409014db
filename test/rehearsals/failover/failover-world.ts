import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { KillableSandbox } from '../../faults/killable-sandbox.js';
import type { Rehearsal } from '../rehearsal.js';
import { RehearsedShop } from '../rehearsed-shop.js';
import { ReplicatedPostgres } from './replicated-postgres.js';
import { TcpLink } from './tcp-link.js';

/** A sandbox on servers of which one can be lost. */
export interface ReplicatedWorld {
  readonly rehearsal: Rehearsal;
  readonly sandbox: KillableSandbox;
  readonly shop: RehearsedShop;
  /** Straight from the primary of the moment. */
  query<Row extends object>(text: string): Promise<Row[]>;
}

export interface FailoverWorld extends ReplicatedWorld {
  readonly pair: ReplicatedPostgres;
  /** The service's way to the primary. */
  readonly way: TcpLink;
}

/** A sandbox whose database is a primary with a standby, and which reaches them by a way that can be led elsewhere. */
export async function startFailoverWorld(rehearsal: Rehearsal): Promise<FailoverWorld> {
  const folder = join(rehearsal.folder, `servers-${Date.now()}`);
  mkdirSync(folder);
  for (const path of [rehearsal.folder, folder]) chmodSync(path, 0o755);
  const pair = await ReplicatedPostgres.start(folder);
  rehearsal.atEnd(() => pair.remove());
  await pair.synchronous();
  const way = await TcpLink.to(pair.primary.port);
  rehearsal.atEnd(() => way.close());
  const url = new URL(pair.primary.url('payments'));
  url.port = String(way.port);
  const sandbox = await KillableSandbox.start({ DATABASE_URL: url.href, PAYMENT_WINDOW_SECONDS: '1800' });
  rehearsal.atEnd(() => sandbox.end());
  const shop = await RehearsedShop.open(rehearsal, sandbox);
  return { rehearsal, pair, way, sandbox, shop, query: (text) => pair.primary.query(text) };
}

/** Acts as a manager of the servers once the primary is gone: the standby takes over, and the service's way leads there. */
export async function failOver({ pair, way }: FailoverWorld): Promise<void> {
  await pair.promote();
  way.point(pair.primary.port);
}

/** The server that was lost becomes the new primary's standby, and commits wait for it. */
export async function restoreStandby({ pair }: FailoverWorld): Promise<void> {
  await pair.rebuild();
  await pair.synchronous();
}
