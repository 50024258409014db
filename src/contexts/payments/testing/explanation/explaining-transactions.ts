import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { CallerLimits } from '#shared/platform/http/callers/caller-limits.js';
import { ChainUnavailable, type ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import { type FoundTransaction, TransactionLookup } from '#contexts/networks/contract/transaction-lookup.js';
import { ExplainTransaction } from '../../application/explanation/explain-transaction.js';
import { PostgresExplanationQueries } from '../../infrastructure/explanation/persistence/postgres-explanation-queries.js';
import { DOLLAR, NETWORK, OTHER_NETWORK, SmallCatalogue } from '../requests/collecting-world.js';
import { newTenant, NOON, randomHex, StoredPayments, type Tenant } from '../requests/stored-payments.js';

/** Nodes that know what a test tells them. */
export class ToldLookup extends TransactionLookup {
  readonly asked: string[] = [];
  readonly answers = new Map<string, FoundTransaction | 'silent'>();
  /** Called before each answer. */
  beforeAnswer: () => Promise<void> = async () => undefined;

  readHash(_network: string, field: string, text: string): string {
    if (/^0x[0-9a-f]{64}$/.test(text)) return text;
    throw invalidField(field, 'transaction_hash', 'must be 0x and 64 digits.');
  }

  async find(network: string, hash: string): Promise<FoundTransaction | 'unknown'> {
    this.asked.push(`${network} ${hash}`);
    await this.beforeAnswer();
    const answer = this.answers.get(network) ?? 'unknown';
    if (answer === 'silent') throw new ChainUnavailable(network, 'a test says so');
    return answer;
  }
}

/** A hash of no recorded transaction. */
export const HASH = randomHex(32);
/** A token that nobody collects. */
export const SCAM = `0x${'5c'.repeat(20)}`;

const CREDENTIAL = newId<Parameters<ExplainTransaction['execute']>[1]>();

/** Dollars, unless told otherwise. */
export function transfer(to: string, given: Partial<ChainTransfer> = {}): ChainTransfer {
  const from = `0x${'11'.repeat(20)}`;
  return {
    kind: 'log',
    transactionHash: HASH,
    index: 0,
    token: DOLLAR.token,
    from,
    to,
    amount: 5_000_000n,
    ...given,
  };
}

/** @param blockNumber null while it waits */
export function inBlock(blockNumber: number | null, ...transfers: ChainTransfer[]): FoundTransaction {
  const blockHash = blockNumber === null ? null : `0x${'b1'.repeat(32)}`;
  return { blockNumber, blockHash, succeeded: true, transfers };
}

/** Two networks, read up to blocks 20 and 7. */
async function openReadNetworks(): Promise<TestPlatform> {
  const platform = await openTestDatabase();
  const stored = new StoredPayments(platform.database);
  await stored.read(NETWORK, 20, 5, { final_number: 15, final_time: NOON });
  await stored.read(OTHER_NETWORK, 7, 5);
  return platform;
}

/** A merchant of its own on them, and nodes that know nothing yet. */
function furnish(platform: TestPlatform) {
  const tenant = newTenant();
  const lookup = new ToldLookup();
  const queries = new PostgresExplanationQueries(platform.database);
  const explain = new ExplainTransaction(queries, SmallCatalogue.ofTwoNetworks(), lookup, new CallerLimits());
  const all = ({ organizationId }: Tenant): Scope => ({ organizationId, accountId: null });
  return {
    tenant,
    lookup,
    stored: new StoredPayments(platform.database),
    told: (hash = HASH, scope = all(tenant), credential = CREDENTIAL) =>
      explain.execute(scope, credential, hash),
  };
}

export type ExplainedWorld = ReturnType<typeof furnish>;

/** Opens a database for the file, and a merchant on it for each test. @param use takes it before the test */
export function withReadNetworks(use: (world: ExplainedWorld) => void): void {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await openReadNetworks();
  });
  beforeEach(() => use(furnish(platform)));
  afterAll(() => platform.close('any'));
}
