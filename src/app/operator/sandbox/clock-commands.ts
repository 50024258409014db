import { setTimeout as pause } from 'node:timers/promises';
import { PostgresNetworkReadProgressQuery } from '#contexts/chain-watching/infrastructure/persistence/postgres-watching-states.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { EnvironmentVariables } from '#app/settings/environment.js';
import type { Database } from '#shared/platform/database/database.js';
import {
  BITCOIN_CLOCK_LIMIT,
  advanceChainTo,
  readChainTime,
  MAX_DAYS_AHEAD,
  moveServiceClock,
  readServiceClock,
  requireSandboxDatabase,
} from './advance-clock.js';
import type { StandaloneCommand } from '../command.js';
import { formatDuration, parseDuration } from '../duration.js';
import { withDatabase } from '../run-operator.js';
import { SANDBOX_NETWORK, findSandboxChain, type SandboxChain } from './sandbox-chain.js';
import { SANDBOX_BITCOIN_NETWORK, SANDBOX_TRON_NETWORK, advanceMadeChainTo } from './sandbox-blocks.js';

const MAX_WAIT_FOR_WORKER_MS = 15_000;
const POLL_INTERVAL_MS = 100;

const REFUSAL_MESSAGES = {
  elsewhere:
    'only the clock of a sandbox can be moved, because real payments need real time. Start a sandbox with npm start.',
  otherNetworks:
    'the time of real chains cannot be moved, and a service ahead of its chains accepts no payments. ' +
    'Start a sandbox without NETWORKS_FILE (npm start) and move its clock.',
};

/** Only a sandbox can move its clock, together with its chains. */
export const clockCommands: StandaloneCommand[] = [
  {
    words: 'clock show',
    about:
      'Show the service’s time, its lead over real time, and the newest block time of each sandbox chain.',
    example: '',
    runAlone: (_, environment) =>
      withDatabase(environment, async (database) => {
        const { now, aheadSeconds } = await readServiceClock(database);
        const chain = await findSandboxChain(environment, REFUSAL_MESSAGES).catch(() => undefined);
        const newest = chain && (await readChainTime(chain.url));
        return {
          data: {
            service_time: now,
            ahead_seconds: aheadSeconds,
            chain_time: newest ?? null,
            ...(chain?.hasBitcoin && {
              bitcoin_time: await advanceMadeChainTo(environment, SANDBOX_BITCOIN_NETWORK).catch(() => null),
            }),
            ...(await tronTimeOf(environment)),
          },
          note: noteOnLead(aheadSeconds),
        };
      }),
  },
  {
    words: 'clock advance',
    about: `Move the sandbox's clock and chains forward, for example by 15m, 12h or 31d (${MAX_DAYS_AHEAD}d total). Sandbox only.`,
    changes: {
      what: 'the time of the sandbox and its chains',
      irreversible: 'The clock only moves forward. npm run reset starts over with an empty sandbox.',
      audited: 'around it',
      async preview(args, environment) {
        const seconds = parseDuration(args.text('duration'), MAX_DAYS_AHEAD);
        rejectOtherNetworks(await findSandboxChain(environment, REFUSAL_MESSAGES));
        return {
          effect: `The clock of the sandbox and its chains will move forward by ${formatDuration(seconds)}. Jobs that become due will run.`,
          confirmedBy: SANDBOX_NETWORK,
        };
      },
    },
    example: '31d',
    arguments: { duration: 'for example 90s, 15m, 12h, 31d or 2w' },
    async runAlone(args, environment) {
      const seconds = parseDuration(args.text('duration'), MAX_DAYS_AHEAD);
      const chain = await findSandboxChain(environment, REFUSAL_MESSAGES);
      rejectOtherNetworks(chain);
      return withDatabase(environment, async (database) => {
        await requireSandboxDatabase(database);
        // The service's clock moves before the chains, because watchers reject blocks ahead of it.
        const limit = chain.hasBitcoin ? BITCOIN_CLOCK_LIMIT : undefined;
        const service = await moveServiceClock(database, seconds, limit);
        const serviceTime = async () => (await readServiceClock(database)).now;
        const onChain = await advanceChainTo(chain.url, serviceTime);
        const heads = new Map([[SANDBOX_NETWORK, onChain.after]]);
        const bitcoinTime =
          chain.hasBitcoin &&
          (await advanceMadeChainTo(environment, SANDBOX_BITCOIN_NETWORK, await serviceTime()));
        if (bitcoinTime) heads.set(SANDBOX_BITCOIN_NETWORK, bitcoinTime);
        const isRead = await waitUntilRead(database, heads);
        const { aheadSeconds } = await readServiceClock(database);
        return {
          data: {
            advanced_seconds: seconds,
            service_time: service,
            chain_time: onChain,
            ...(bitcoinTime && { bitcoin_time: bitcoinTime }),
            ...(await tronTimeOf(environment, await serviceTime())),
            ahead_seconds: aheadSeconds,
            is_read: isRead,
          },
          note: `${noteOnLead(aheadSeconds)} ${noteOnReading(isRead)}`,
        };
      });
    },
  },
];

function rejectOtherNetworks({ otherNetworks }: SandboxChain): void {
  if (otherNetworks.length === 0) return;
  throw stateConflict(
    `NETWORKS_FILE also lists ${otherNetworks.join(', ')}: ${REFUSAL_MESSAGES.otherNetworks}`,
  );
}

/** Without a time, only reads. @returns nothing if the sandbox runs no TRON network */
async function tronTimeOf(environment: EnvironmentVariables, time?: Date): Promise<{ tron_time?: Date }> {
  const reached = await advanceMadeChainTo(environment, SANDBOX_TRON_NETWORK, time).catch(() => undefined);
  return reached === undefined ? {} : { tron_time: reached };
}

/** Until then, networks seem far behind, so the service rejects payment requests. @returns false on timeout */
async function waitUntilRead(database: Database, heads: ReadonlyMap<string, Date>): Promise<boolean> {
  const progress = new PostgresNetworkReadProgressQuery(database);
  const deadline = performance.now() + MAX_WAIT_FOR_WORKER_MS;
  const isRead = async () => {
    const readings = await progress.networkProgress();
    return [...heads].every(([name, time]) =>
      readings.some(({ network, headTime }) => network === name && headTime >= time),
    );
  };
  for (;;) {
    if (await isRead()) return true;
    if (performance.now() > deadline) return false;
    await pause(POLL_INTERVAL_MS);
  }
}

function noteOnLead(seconds: number): string {
  if (seconds === 0) return 'The service uses real time.';
  return `The service is ${formatDuration(seconds)} ahead of real time.`;
}

function noteOnReading(isRead: boolean): string {
  return isRead
    ? 'Jobs that became due run within about ten seconds.'
    : 'The worker has not read the new blocks yet, so new payment requests are refused. Is a worker running?';
}
