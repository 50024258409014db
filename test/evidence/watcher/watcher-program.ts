// A watcher as a worker process has it, with PostgreSQL and with the node's answers over HTTP, or its reading alone.
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { newId } from '#shared/kernel/ids.js';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { ConfiguredCatalogue } from '#contexts/networks/infrastructure/configuration/configured-catalogue.js';
import { parseNetworksConfiguration } from '#contexts/networks/infrastructure/configuration/parse-networks-configuration.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { sampleNetwork } from '#contexts/networks/testing/sample-configuration.js';
import { nodeLayer } from '#chains/evm/testing/node-layer.js';
import { LoggedAlerts } from '#contexts/chain-watching/infrastructure/work/logged-alerts.js';
import { PostgresPaymentRequests } from '#contexts/payments/infrastructure/requests/persistence/postgres-payment-requests.js';
import { PostgresWatchedChains } from '#contexts/chain-watching/infrastructure/persistence/postgres-watched-chains.js';
import { watcherLeaseName } from '#contexts/chain-watching/domain/cursor.js';
import { newWatcher } from '#contexts/chain-watching/testing/new-watcher.js';

const NETWORK = 'sandbox';

/** The program gets this at its start. */
interface Start {
  readonly databaseUrl: string;
  readonly urls: readonly string[];
  /** The network as the networks' configuration has it. */
  readonly network: object;
  /** Other limits than a worker has. */
  readonly patience?: object;
}

const SAMPLE_EVERY_MS = 10;
const MEGABYTE = 1024 * 1024;

/** Where the time of a turn goes, by what was waited for. */
const spent = { reading: 0, confirmationRead: 0, statements: 0 };
const sent: string[] = [];

/** The target works as before, and its time is taken. */
function timed<T extends object>(target: T, to: 'reading' | 'confirmationRead'): T {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const began = performance.now();
        const result: unknown = value.apply(of, args);
        if (!(result instanceof Promise)) return result;
        return result.finally(() => (spent[to] += performance.now() - began));
      };
    },
  });
}

class TimedDatabase extends Database {
  override async run<T>(work: () => Promise<T>): Promise<T> {
    sent.push('BEGIN', 'COMMIT');
    return super.run(work);
  }

  override async query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    // Leases are renewed by the clock.
    if (!text.startsWith('UPDATE platform.leases')) sent.push(text);
    const began = performance.now();
    try {
      return await super.query<Row>(text, values);
    } finally {
      spent.statements += performance.now() - began;
    }
  }
}

async function measured<T extends object>(work: () => Promise<T>) {
  sent.length = 0;
  Object.assign(spent, { reading: 0, confirmationRead: 0, statements: 0 });
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - began, cpuMs: (user + system) / 1_000, ...result };
}

async function open({ databaseUrl, urls, network, patience }: Start) {
  const configuration = parseNetworksConfiguration([sampleNetwork({ rpc_urls: urls, ...network })]);
  // What is asked beside, by the clock, would make the number of questions depend on how busy the machine is.
  const settings = new NetworksSettings(configuration, {
    callTimeoutMs: 60_000,
    retryAfterMs: [100, 400],
    headsEveryMs: 3_600_000,
    ...patience,
  });
  const readiness = new NetworkReadiness();
  readiness.set(NETWORK, { kind: 'ready' });
  const nodes = nodeLayer(settings, readiness);
  const dataSource = createDataSource({
    databaseUrl,
    poolSize: 5,
    applicationName: 'bench',
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  const database = new TimedDatabase(dataSource);
  const leases = new Leases(database);
  const follow = newWatcher({
    database,
    clock: new DatabaseClock(database),
    chains: new SameChain({
      reader: timed(nodes.reader, 'reading'),
      secondEndpoint: timed(nodes.secondEndpoint, 'confirmationRead'),
    }),
    catalogue: new ConfiguredCatalogue(settings, readiness),
    watched: new PostgresWatchedChains(database, leases),
    requests: new PostgresPaymentRequests(database, new EventLog(database), new DeploymentCell()),
    alerts: new LoggedAlerts(),
  });
  const holder = newId();
  const lease = watcherLeaseName(NETWORK);
  let issued = new Set<string>();

  return {
    /** Turns as the worker takes them, until there is nothing more to do at once or that many are done. */
    async watch(turns: number) {
      let taken = 0;
      for (let more = true; more && taken < turns; taken += 1) {
        const epoch = await leases.acquire(lease, holder);
        more = await leases.keepDuring(lease, holder, () => follow.follow(NETWORK, epoch!));
      }
      return { turns: taken, statements: [...sent], spent: { ...spent } };
    },

    /** Without a database: what the watcher reads once, and every recipient looked up in a set in memory. */
    async read(from: number, to: number, atATime: number, addresses: number) {
      if (issued.size !== addresses)
        issued = new Set(Array.from({ length: addresses }, (_, i) => addressOf(i)));
      const again = performance.now();
      const { finalNumber } = await nodes.reader.head();
      let [seen, found] = [0, 0];
      for (let at = from; at <= to; at += atATime) {
        const blocks = await nodes.reader.blocks(at, Math.min(to, at + atATime - 1), finalNumber);
        for (const { transfers } of blocks) {
          for (const { kind, to: recipient } of transfers) {
            if (kind === 'log') seen += 1;
            if (issued.has(recipient)) found += 1;
          }
        }
      }
      return { seen, found, ms: performance.now() - again };
    },
  };
}

/** Most of what was in memory meanwhile, in megabytes. */
async function sampled<T extends object>(work: () => Promise<T>) {
  let heap = 0;
  const sample = () => (heap = Math.max(heap, process.memoryUsage().heapUsed));
  const sampling = setInterval(sample, SAMPLE_EVERY_MS);
  try {
    const result = await work();
    sample();
    return { ...result, peak: { rss: process.resourceUsage().maxRSS / 1024, heap: heap / MEGABYTE } };
  } finally {
    clearInterval(sampling);
  }
}

function addressOf(index: number): string {
  return `0x${createHash('sha256').update(`address ${index}`).digest('hex').slice(0, 40)}`;
}

const program = await open(JSON.parse(process.argv[2]!) as Start);

interface Asked {
  readonly watch?: number;
  readonly read?: [number, number, number, number];
  readonly sample?: boolean;
}

process.on('message', ({ watch, read, sample }: Asked) => {
  const work = (): Promise<object> => (watch === undefined ? program.read(...read!) : program.watch(watch));
  void measured<object>(() => (sample === true ? sampled(work) : work()))
    .catch((error: unknown) => ({ failed: String(error) }))
    .then((answer) => process.send!(answer));
});
process.send!('ready');
process.on('disconnect', () => process.exit());
