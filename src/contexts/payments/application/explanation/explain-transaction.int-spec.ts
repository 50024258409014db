import { describe, expect, it, afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { FoundTransaction, TransactionLookup } from '#contexts/networks/contract/transaction-lookup.js';
import { type Chain, Chains } from '#contexts/networks/contract/chains.js';
import { presentTransactionExplanation } from '../../infrastructure/explanation/http/transaction-explanation.dto.js';
import { DOLLAR, NETWORK, OTHER_NETWORK, SmallCatalogue } from '../../testing/requests/collecting-world.js';
import {
  randomHex,
  newTenant,
  NOON,
  StoredPayments,
  type Tenant,
} from '../../testing/requests/stored-payments.js';
import { RateLimited, invalidField } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { TRANSACTION_LOOKUPS_PER_MINUTE, ExplainTransaction } from './explain-transaction.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { WindowRateLimits } from '#shared/platform/http/callers/window-rate-limits.js';
import { ChainUnavailable, type ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import { ExplanationQueries } from '../../infrastructure/explanation/persistence/explanation-queries.js';

/** Chains whose nodes know only the transactions that a test sets. */
class StubbedLookup extends Chains {
  readonly asked: string[] = [];
  readonly answers = new Map<string, FoundTransaction | 'silent'>();

  find(network: string): Chain {
    const lookup: TransactionLookup = {
      parseHash(field, text) {
        if (/^0x[0-9a-f]{64}$/.test(text)) return text;
        throw invalidField(field, 'transaction_hash', 'must be 0x and 64 digits.');
      },
      find: (hash) => this.answer(network, hash),
    };
    return { lookup } as Partial<Chain> as Chain;
  }

  private async answer(network: string, hash: string): Promise<FoundTransaction | 'unknown'> {
    this.asked.push(`${network} ${hash}`);
    const answer = this.answers.get(network) ?? 'unknown';
    if (answer === 'silent') throw new ChainUnavailable(network, 'a test says so');
    return answer;
  }
}

const HASH = randomHex(32);
const SCAM_TOKEN = `0x${'5c'.repeat(20)}`;

const CREDENTIAL = newId<Parameters<ExplainTransaction['explain']>[1]>();

function transfer(to: string, given: Partial<ChainTransfer> = {}): ChainTransfer {
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

/** @param blockNumber null for a transaction that is still pending */
function foundTransaction(blockNumber: number | null, ...transfers: ChainTransfer[]): FoundTransaction {
  const blockHash = blockNumber === null ? null : `0x${'b1'.repeat(32)}`;
  return { blockNumber, blockHash, succeeded: true, transfers };
}

/** Opens a database with two networks, read up to blocks 20 and 7. */
async function openReadNetworks(): Promise<TestPlatform> {
  const platform = await openTestDatabase();
  const stored = new StoredPayments(platform.database);
  await stored.read(NETWORK, 20, 5, { final_number: 15, final_time: NOON });
  await stored.read(OTHER_NETWORK, 7, 5);
  return platform;
}

/** Creates a new merchant on both networks, and nodes that know no transactions yet. */
function openMerchant(platform: TestPlatform) {
  const tenant = newTenant();
  const lookup = new StubbedLookup();
  const queries = new ExplanationQueries(platform.database);
  const explain = new ExplainTransaction(
    queries,
    SmallCatalogue.ofTwoNetworks(),
    lookup,
    new WindowRateLimits(),
  );
  const all = ({ organizationId }: Tenant): TenantScope => ({ organizationId, accountId: null });
  return {
    tenant,
    lookup,
    stored: new StoredPayments(platform.database),
    told: (hash = HASH, scope = all(tenant), credential = CREDENTIAL) =>
      explain.explain(scope, credential, hash),
  };
}

let platform: TestPlatform;
let world: ReturnType<typeof openMerchant>;
beforeAll(async () => {
  platform = await openReadNetworks();
});
beforeEach(() => {
  world = openMerchant(platform);
});
afterAll(() => platform.close('any'));

describe('The explanation of a recorded transaction', () => {
  it('names each transfer with its request, without querying a node', async () => {
    const request = await world.stored.request(world.tenant, {
      received_amount: '4000000',
      status: 'processing',
    });
    const hash = await world.stored.transfer(request, { amount: '4000000' });

    const answer = presentTransactionExplanation(await world.told(hash));

    expect(answer).toMatchObject({
      transaction_hash: hash,
      code: 'received',
      summary: expect.stringContaining(
        `paid payment request ${request.id}: 4 USDX in block 12 of sandbox counts`,
      ),
      transfers: [{ code: 'confirming', payment_request: { id: request.id, code: 'short_by' } }],
      unrecorded: [],
      networks: [{ network: NETWORK, read_to_block: 20, final_block: 15 }],
    });
    expect(answer.networks[0]).not.toHaveProperty('node');
    expect(world.lookup.asked).toEqual([]);
  });

  it('names only its own transfers', async () => {
    const [first, second] = [
      await world.stored.request(world.tenant),
      await world.stored.request(world.tenant),
    ];
    const hash = await world.stored.transfer(first);
    await world.stored.transfer(second, { transaction_hash: hash, index: 4 });
    await world.stored.transfer(second);

    const { payments, summary } = await world.told(hash);

    expect(payments.map(({ of }) => of.request.id).sort()).toEqual([first.id, second.id].sort());
    expect(summary).toBe(
      'This transaction made 2 transfers to your addresses; each is listed with its request.',
    );
  });
});

describe('The explanation of an unrecorded transaction', () => {
  it('reports that no node knows it or has not answered, and how far each network was read', async () => {
    world.lookup.answers.set(OTHER_NETWORK, 'silent');

    const answer = presentTransactionExplanation(await world.told());

    expect(answer).toMatchObject({
      code: 'not_ours',
      transfers: [],
      unrecorded: [],
      networks: [
        { network: NETWORK, read_to_block: 20, node: { transaction: 'unknown' } },
        { network: OTHER_NETWORK, read_to_block: 7, node: { transaction: 'no_answer' } },
      ],
    });
    expect(world.lookup.asked).toEqual([`${NETWORK} ${HASH}`, `${OTHER_NETWORK} ${HASH}`]);
  });

  it.each<[string, (to: string) => Partial<Record<string, FoundTransaction>>]>([
    ['pending', () => ({ [NETWORK]: foundTransaction(null) })],
    ['reverted', () => ({ [NETWORK]: { ...foundTransaction(12), succeeded: false } })],
    ['to_nobody_here', () => ({ [NETWORK]: foundTransaction(12, transfer(randomHex(20))) })],
    ['not_recorded', (to) => ({ [NETWORK]: foundTransaction(20, transfer(to)) })],
    ['not_read_yet', (to) => ({ [NETWORK]: foundTransaction(21, transfer(to)) })],
    [
      'token_not_supported',
      (to) => ({ [NETWORK]: foundTransaction(20, transfer(to, { token: SCAM_TOKEN })) }),
    ],
    [
      'token_not_supported',
      (to) => ({ [NETWORK]: foundTransaction(20, transfer(to, { kind: 'call', token: 'native' })) }),
    ],
    ['other_network', (to) => ({ [OTHER_NETWORK]: foundTransaction(3, transfer(to)) })],
    [
      'not_read_yet',
      (to) => ({
        [NETWORK]: foundTransaction(21, transfer(to, { token: SCAM_TOKEN }), transfer(to, { index: 1 })),
      }),
    ],
  ])('returns the state of the transaction: %s (case %#)', async (code, found) => {
    const { address } = await world.stored.request(world.tenant);
    for (const [network, answer] of Object.entries(found(address)))
      world.lookup.answers.set(network, answer!);

    expect((await world.told()).code).toBe(code);
  });
});

describe('The explanation of a transaction of another tenant', () => {
  const anonymous = async (hash: string, scope?: TenantScope) =>
    JSON.stringify(presentTransactionExplanation(await world.told(hash, scope))).replaceAll(hash, '');

  it.each<[string, (to: string) => FoundTransaction | undefined]>([
    ['recorded and known to a node', (to) => foundTransaction(12, transfer(to))],
    ['recorded, and unknown to the nodes', () => undefined],
    ['in a block that is not read yet', (to) => foundTransaction(21, transfer(to))],
    ['in an unsupported token', (to) => foundTransaction(12, transfer(to, { token: SCAM_TOKEN }))],
  ])('equals that of a stranger’s transaction: %s', async (_, found) => {
    const [foreign, sibling] = [newTenant(), { ...newTenant(), organizationId: world.tenant.organizationId }];
    const [theirs, siblings] = [await world.stored.request(foreign), await world.stored.request(sibling)];
    const answered = async (to: string, hash: string, scope: TenantScope) => {
      const told = found(to);
      world.lookup.answers.clear();
      if (told !== undefined) world.lookup.answers.set(NETWORK, told);
      world.lookup.asked.length = 0;
      return [
        (await anonymous(hash, scope)).replaceAll(/behind_seconds":\d+/g, ''),
        world.lookup.asked.length,
      ];
    };
    const account: TenantScope = world.tenant;
    const organization: TenantScope = { ...account, accountId: null };

    const stranger = await answered(randomHex(20), randomHex(32), account);
    const ofSibling = await answered(siblings.address, await world.stored.transfer(siblings), account);
    const ofForeign = await answered(theirs.address, await world.stored.transfer(theirs), organization);

    expect([ofSibling, ofForeign]).toEqual([stranger, stranger]);
    expect(stranger[1]).toBe(2);
  });
});

describe('The limit of queries of nodes', () => {
  it('holds for each credential, and counts only queries for unrecorded transactions', async () => {
    const hash = await world.stored.transfer(await world.stored.request(world.tenant));
    for (let i = 0; i < TRANSACTION_LOOKUPS_PER_MINUTE; i += 1) await world.told();

    await expect(world.told()).rejects.toThrow(RateLimited);

    expect((await world.told(hash)).code).toBe('received');
    expect((await world.told(HASH, undefined, newId())).code).toBe('not_ours');
    expect(world.lookup.asked).toHaveLength(2 * (TRANSACTION_LOOKUPS_PER_MINUTE + 1));
  });
});
