import { Cell } from '#shared/kernel/cell.js';
import { newId } from '#shared/kernel/ids.js';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { LeaseLost, Leases } from '#shared/platform/leases/leases.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { ConfiguredCatalogue } from '#contexts/networks/infrastructure/configuration/configured-catalogue.js';
import { parseNetworksConfiguration } from '#contexts/networks/infrastructure/configuration/parse-networks-configuration.js';
import { nodeLayer } from '#contexts/networks/testing/node-layer.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { Alerts } from '#contexts/payments/application/watching/alerts.js';
import type { FollowChain } from '#contexts/payments/application/watching/follow-chain.js';
import { watcherLease, CursorMoved } from '#contexts/payments/domain/watching/watched-chain.js';
import { PostgresPaymentRequests } from '#contexts/payments/infrastructure/requests/persistence/postgres-payment-requests.js';
import { PostgresWatchedChain } from '#contexts/payments/infrastructure/watching/persistence/postgres-watched-chain.js';
import { newWatcher } from '#contexts/payments/testing/watching/new-watcher.js';
import { ObservedDatabase } from '#contexts/payments/testing/requests/observed-database.js';
import { sandboxNetworkConfiguration } from '#sandbox/chain/sandbox-chain.js';
import type { Tally } from './chain-tally.js';
import type { ChainWorld } from './chain-world.js';

export const NETWORK = 'sandbox';

/** How a run's watchers are configured. */
export interface Watching {
  readonly confirmations: number;
  readonly endpoints: 1 | 2;
  /** A transfer of more than this must be answered alike by two endpoints; the amount is in whole units of every asset. */
  readonly agreementAbove?: string;
}

/** Short, so that a run need not wait for an endpoint that is well again. */
const PATIENCE = {
  callTimeoutMs: 4_000,
  retryAfterMs: [0],
  backOffMs: [1, 2] as const,
  headsEveryMs: 0,
};

class Death extends Error {}

/** A watcher's turn ended in one of these ways. */
export type Turn = 'more' | 'idle' | 'nothing' | 'died';

/** A worker process as far as it reads the chain, with the pool, the memory and the lease of its own. */
export class Watcher {
  private readonly holder = newId();
  private readonly database: ObservedDatabase;
  private readonly leases: Leases;
  private readonly follow: FollowChain;
  private diesAt = Infinity;

  constructor(world: ChainWorld, watching: Watching) {
    this.database = new ObservedDatabase(world.dataSource);
    this.database.beforeStatement = (number) => {
      // The dead send nothing any more, not even by what was under way beside.
      if (number >= this.diesAt) throw new Death();
    };
    this.leases = new Leases(this.database);
    const watched = new PostgresWatchedChain(this.database, this.leases);
    const requests = new PostgresPaymentRequests(this.database, new EventLog(this.database), new Cell());
    const clock = new DatabaseClock(this.database);
    const nodes = nodesOf(world, watching);
    this.follow = newWatcher({
      ...{ database: this.database, clock, watched, requests, alerts: new CountedAlerts(world.tally) },
      ...nodes,
    });
  }

  /** It sends so many statements more and no other ever after. */
  dieAfter(statements: number): void {
    this.diesAt = this.database.statements.length + statements + 1;
  }

  /** Takes a turn like the worker's loop. @throws what no turn may ever throw */
  async turn(): Promise<Turn> {
    try {
      const epoch = await this.leases.acquire(watcherLease(NETWORK), this.holder);
      if (epoch === null) return 'nothing';
      return (await this.follow.execute(NETWORK, epoch)) ? 'more' : 'idle';
    } catch (error) {
      if (this.database.statements.length >= this.diesAt) return 'died';
      if (EXPECTED.some((type) => error instanceof type)) return 'nothing';
      throw error;
    }
  }
}

const EXPECTED = [ChainUnavailable, LeaseLost, CursorMoved];

/** The lease lapses as when its holder has not been heard of for some seconds. */
export async function letLeaseLapse(world: ChainWorld): Promise<void> {
  await world.service.query(`UPDATE platform.leases SET expires_at = '-infinity' WHERE name = $1`, [
    watcherLease(NETWORK),
  ]);
}

function nodesOf(world: ChainWorld, { confirmations, endpoints, agreementAbove }: Watching) {
  const [entry] = sandboxNetworkConfiguration(world.service.chain.url) as [{ assets: object[] }];
  const configuration = {
    ...entry,
    rpc_urls: world.endpoints.slice(0, endpoints).map(({ url }) => url),
    finality: { confirmations },
    max_lag_seconds: 86_400,
    assets: entry.assets.map((asset) => ({
      ...asset,
      ...(agreementAbove !== undefined && { agreement_above: agreementAbove }),
    })),
  };
  const settings = new NetworksSettings(parseNetworksConfiguration([configuration]), PATIENCE);
  const readiness = new NetworkReadiness();
  readiness.set(NETWORK, { kind: 'ready' });
  const { reader, secondEndpoint } = nodeLayer(settings, readiness);
  return { catalogue: new ConfiguredCatalogue(settings, readiness), reader, secondEndpoint };
}

/** How often each was raised. */
class CountedAlerts extends Alerts {
  constructor(private readonly tally: Tally) {
    super();
  }

  private count(name: string): void {
    this.tally.count(`alerts: ${name}`);
  }

  chainReorganised(): void {
    this.count('reorganised');
  }
  creditedTransferDisappeared(): void {
    this.count('credit disappeared');
  }
  finalPayoutsDisappeared(): void {
    this.count('final payouts disappeared');
  }
  requestParked(): void {
    this.count('request parked');
  }
  endpointsDisagree(): void {
    this.count('endpoints disagree');
  }
  finalityDelayed(): void {
    this.count('finality waits');
  }
  readingsDiffered(): void {
    this.count('readings differed');
  }
  balancesUnknown(): void {
    this.count('balances unknown');
  }
  chainAuditFound(): void {
    this.count('audit found');
  }
  chainAuditBeganAnew(): void {
    this.count('audit began anew');
  }
  balanceBelowExpected(): void {
    this.count('balance below books');
  }
}
