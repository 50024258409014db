import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { type Address, type Hex, encodeFunctionData, parseAbi } from 'viem';
import { commands } from '#app/operator/commands.js';
import { openOperatorContext } from '#app/operator/operator-command-runner.js';
import { parseCommand } from '#app/operator/parse-command.js';
import { performCommand } from '#app/operator/run-operator.js';
import type { InvariantResult } from '#app/verify-invariants.js';
import { CheckNetworkReadiness } from '#contexts/networks/application/check-network-readiness.js';
import { AdvanceOutboundTransactions } from '#contexts/networks/application/outbound/advance-outbound-transactions.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { AdvanceFloatPayouts } from '#contexts/settlement/application/refunds/floats/advance-float-payouts.js';
import { CheckFloats } from '#contexts/settlement/application/refunds/floats/check-floats.js';
import { AdvanceBatch } from '#contexts/settlement/application/settling/advance-batch.js';
import { Batches } from '#contexts/settlement/infrastructure/settling/persistence/batches.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { serviceRole } from '../../support/service-role.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import {
  type Facts,
  NETWORK,
  stoppedService,
  type StoppedService,
  UNIT,
  UNTIL_FINAL,
} from './stopped-service.js';

const BALANCE = parseAbi(['function balanceOf(address) view returns (uint256)']);
const TURNS = 6;
/** Broken after a minute, where no subscriber follows the event log and the clock is moved. */
const NOT_FOLLOWED = [
  'clock-is-not-moved',
  'subscribers-keep-up',
  'ledger-refunds-are-followed',
  'ledger-float-withdrawals-are-followed',
  'merchant-events-are-complete',
];

export interface Outcome {
  readonly refused: string | null;
  /** The worker would not do these, in its words. */
  readonly held: readonly string[];
  readonly found: readonly string[];
  /** Gained by the thief's address. */
  readonly token: bigint;
  readonly coin: bigint;
  /** All orders arrived, as they were ordered. */
  readonly isPaid: boolean;
}

/** A service with a float, stopped in the middle of its work; each tampering is done to a copy of its database and chain. */
export class StolenWorld {
  private constructor(private readonly stopped: StoppedService) {}

  static async open(): Promise<StolenWorld> {
    return new StolenWorld(await stoppedService());
  }

  get facts(): Facts {
    return this.stopped.facts;
  }

  close(): Promise<void> {
    return this.stopped.service.stop();
  }

  /** A connection that is opened while the others end makes the copy fail, so a failed copy is repeated once. */
  private async copyDatabase(name: string): Promise<TestDatabase> {
    const copy = async () => {
      await this.onServer(
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      return createTestDatabase(name);
    };
    return copy().catch(copy);
  }

  /** With the rights of the service's role; then the worker's work, and `verify`. */
  async tried(sql: string): Promise<Outcome> {
    const { service } = this.stopped;
    const { chain, environment } = service;
    const snapshot = await chain.rpc('evm_snapshot');
    const name = new URL(service.databaseUrl).pathname.slice(1);
    const copy = await this.copyDatabase(name);
    const role = await serviceRole(copy.url);
    let context: INestApplicationContext | undefined;
    try {
      const refused = await written(role.url, sql);
      if (refused !== null) return { refused, held: [], found: [], token: 0n, coin: 0n, isPaid: false };
      const own = { ...environment, DATABASE_URL: role.url };
      context = await openOperatorContext(own, new JsonLogger({ level: 'silent' }));
      const held = await this.work(context, copy.url);
      // What a float lacks is reported once its payouts have ended for a minute.
      await written(copy.url, `UPDATE platform.clock_offset SET value = value + interval '2 minutes'`);
      const found = await verified(context, own);
      return { refused, held, found, ...(await this.balances()) };
    } finally {
      await context?.close();
      await copy.drop();
      await role.drop();
      await chain.rpc('evm_setAutomine', [false]);
      await chain.rpc('anvil_dropAllTransactions');
      await chain.rpc('evm_revert', [snapshot]);
    }
  }

  /** Turns of the worker, one after another, without its pauses. What was with the nodes is mined, whatever is stored of it. */
  private async work(context: INestApplicationContext, ownerUrl: string): Promise<string[]> {
    const { service, raw } = this.stopped;
    const { chain } = service;
    const held = new Set<string>();
    const of = <T>(type: abstract new (...args: never[]) => T): T =>
      context.get(type as never, { strict: false });
    for (const network of of(NetworksSettings).networks)
      await of(CheckNetworkReadiness).check(network, false);
    await chain.rpc('evm_setAutomine', [true]);
    await chain.rpc('eth_sendRawTransaction', [raw]);
    for (let turn = 0; turn < TURNS; turn += 1) {
      await written(
        ownerUrl,
        `UPDATE settlement.refund_float_payouts SET due_at = '-infinity' WHERE status = 'processing'`,
      );
      for (const payout of await of(AdvanceFloatPayouts).advance(NETWORK))
        if (payout.ended === null && payout.held !== null) held.add(payout.held);
      for (const batch of await of(Batches).listOpen(NETWORK))
        await of(AdvanceBatch)
          .advance(batch)
          .catch((error: Error) => held.add(error.message));
      for (const { error } of await of(AdvanceOutboundTransactions).advance(NETWORK))
        if (error instanceof DomainError) held.add(error.message);
      await chain.mine(UNTIL_FINAL);
      await of(CheckFloats).check(NETWORK);
    }
    return [...held];
  }

  private async balances() {
    const { service, approved: first, broadcast: second } = this.stopped;
    const { token, thief } = this.facts;
    const coin = BigInt(await service.chain.rpc<Hex>('eth_getBalance', [thief, 'latest']));
    const [stolen, approved, broadcast] = await Promise.all(
      [thief, first, second].map((holder) => this.held(token, holder)),
    );
    return { token: stolen!, coin, isPaid: approved === 5n * UNIT && broadcast === 7n * UNIT };
  }

  private async held(token: Address, holder: Address): Promise<bigint> {
    const data = encodeFunctionData({ abi: BALANCE, functionName: 'balanceOf', args: [holder] });
    return BigInt(await this.stopped.service.chain.rpc<Hex>('eth_call', [{ to: token, data }, 'latest']));
  }

  private async onServer(statement: string): Promise<void> {
    await written(process.env['TEST_SERVER_URL']!, statement);
  }
}

/** All statements or none. @returns why the database refuses them, null where it does not */
async function written(url: string, sql: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(sql);
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end();
  }
}

async function verified(
  context: INestApplicationContext,
  environment: Record<string, string>,
): Promise<string[]> {
  const place = { environment, context: async () => context };
  const { data } = await performCommand(parseCommand(commands, ['verify'], 'test'), place);
  const { broken } = data as { broken: InvariantResult[] };
  return broken.map(({ name }) => name).filter((name) => !NOT_FOLLOWED.includes(name));
}
