import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { sendingProcess } from '#contexts/networks/testing/sending-process.js';
import { newId } from '#shared/kernel/ids.js';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { MADE_UP_SENDINGS } from '../../support/partial-worlds.js';
import type { KillPoint } from './kill-points.js';
import type { KillWorld, MinedTransaction } from './kill-world.js';

/** A subject has something sent, so that a worker can be killed while it is. Another one joins in `SUBJECTS` of the evidence. */
export interface KillSubject {
  readonly name: string;
  /** Steps of its own, before or after those of the sender. */
  readonly points: readonly KillPoint[];
  /** Invariants that do not hold of what nobody ordered. */
  readonly madeUp: readonly string[];
  open(world: KillWorld): Promise<OpenSubject>;
}

export interface OpenSubject {
  /** Account that sends. */
  readonly sender: string;
  /** Has one more thing ordered. */
  order(): Promise<Ordered>;
  close(): Promise<void>;
}

export interface Ordered {
  /** Null while nothing is reserved for it yet. */
  sending(): Promise<string | null>;
  /** The caller does this again after a crash. */
  again(): Promise<void>;
  /** Waits until everything that follows from it is there, and checks it. */
  ended(): Promise<void>;
  /** True where the transaction is of this order. */
  isMadeBy(transaction: MinedTransaction): boolean;
}

/** A call of a factory with data of its own. */
export const PLAIN_CALL: KillSubject = {
  name: 'a call',
  points: [],
  madeUp: MADE_UP_SENDINGS,
  async open({ service, key }) {
    const dataSource: DataSource = createDataSource({
      ...{ databaseUrl: service.databaseUrl, poolSize: 2, applicationName: 'test' },
      onPoolError: () => undefined,
    });
    await dataSource.initialize();
    const database = new Database(dataSource);
    const platform = { database, clock: new DatabaseClock(database) };
    const { reserve } = sendingProcess(platform, key.privateKey, [service.chain.url]);
    return {
      sender: key.address,
      async order() {
        const data = `0x${randomBytes(32).toString('hex')}` as const;
        const id = await reserve(data, newId());
        return {
          sending: async () => id,
          again: async () => void (await reserve(data, id)),
          ended: async () => undefined,
          isMadeBy: ({ input }) => input === data,
        };
      },
      close: () => dataSource.destroy(),
    };
  },
};
