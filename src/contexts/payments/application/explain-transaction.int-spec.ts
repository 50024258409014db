import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '../../../../test/support/open-database.js';
import { RateLimited } from '../../../shared/kernel/domain-error.js';
import { checksummed } from '../../../shared/kernel/evm-address.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { CallerLimits } from '../../../shared/platform/http/caller-limits.js';
import { ChainUnavailable, type ChainTransfer } from '../../networks/contract/chain-reader.js';
import { type FoundTransaction, TransactionLookup } from '../../networks/contract/transaction-lookup.js';
import { CountedLookupPace, LOOKUPS_PER_MINUTE } from '../infrastructure/http/counted-lookup-pace.js';
import { presentTransaction } from '../infrastructure/http/transaction-explanation.dto.js';
import { PostgresExplanationQueries } from '../infrastructure/persistence/postgres-explanation-queries.js';
import { DOLLAR, NETWORK, OTHER_NETWORK, SmallCatalogue } from '../testing/collecting-world.js';
import { newTenant, NOON, randomHex, StoredPayments, type Tenant } from '../testing/stored-payments.js';
import { ExplainTransaction } from './explain-transaction.js';

/** Nodes that know what a test tells them. */
class ToldLookup extends TransactionLookup {
  readonly asked: string[] = [];
  readonly answers = new Map<string, FoundTransaction | 'silent'>();
  /** Called before each answer. */
  beforeAnswer: () => Promise<void> = async () => undefined;

  async find(network: string, hash: string): Promise<FoundTransaction | 'unknown'> {
    this.asked.push(`${network} ${hash}`);
    await this.beforeAnswer();
    const answer = this.answers.get(network) ?? 'unknown';
    if (answer === 'silent') throw new ChainUnavailable(network, 'a test says so');
    return answer;
  }
}

const HASH = randomHex(32);
const CREDENTIAL = newId<Parameters<ExplainTransaction['execute']>[1]>();
const SCAM = `0x${'5c'.repeat(20)}`;

let platform: TestPlatform;
let stored: StoredPayments;
let tenant: Tenant;
let lookup: ToldLookup;
let explain: ExplainTransaction;

beforeAll(async () => {
  platform = await openTestDatabase();
  stored = new StoredPayments(platform.database);
  await stored.read(NETWORK, 20, 5, { final_number: 15, final_time: NOON });
  await stored.read(OTHER_NETWORK, 7, 5);
});
beforeEach(() => {
  tenant = newTenant();
  lookup = new ToldLookup();
  const queries = new PostgresExplanationQueries(platform.database);
  const pace = new CountedLookupPace(new CallerLimits());
  explain = new ExplainTransaction(queries, SmallCatalogue.ofTwoNetworks(), lookup, pace);
});
afterAll(() => platform.close('any'));

const all = ({ organizationId }: Tenant): Scope => ({ organizationId, accountId: null });
const told = (hash = HASH, scope = all(tenant)) => explain.execute(scope, CREDENTIAL, hash);

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

/** In a block of that height; moved nothing where it is reverted. */
function inBlock(blockNumber: number | null, ...transfers: ChainTransfer[]): FoundTransaction {
  return { blockNumber, succeeded: true, transfers };
}

describe('Explaining a transaction that was recorded', () => {
  it('tells of each transfer with its request, without asking a node', async () => {
    const request = await stored.request(tenant, { received_amount: '4000000', status: 'processing' });
    const hash = await stored.transfer(request, { amount: '4000000' });

    const answer = presentTransaction(await told(hash));

    expect(answer).toMatchObject({
      transaction_hash: hash,
      code: 'received',
      summary: expect.stringContaining(
        `paid payment request ${request.id}: 4 USDX in block 12 of sandbox counts`,
      ),
      transfers: [
        {
          ...{ transaction_hash: hash, amount: '4', to: checksummed(request.address), code: 'confirming' },
          payment_request: {
            ...{ id: request.id, point_of_sale_id: request.posId, reference_id: 'order-1042' },
            ...{ status: 'processing', code: 'short_by' },
          },
        },
      ],
      unrecorded: [],
      networks: [{ network: NETWORK, read_to_block: 20, final_block: 15 }],
    });
    expect(answer.networks[0]).not.toHaveProperty('node');
    expect(lookup.asked).toEqual([]);
  });

  it('tells of none but its own transfers', async () => {
    const [first, second] = [await stored.request(tenant), await stored.request(tenant)];
    const hash = await stored.transfer(first);
    await stored.transfer(second, { transaction_hash: hash, index: 4 });
    await stored.transfer(second);

    const { payments, summary } = await told(hash);

    expect(payments.map(({ of }) => of.request.id).sort()).toEqual([first.id, second.id].sort());
    expect(summary).toBe(
      'This transaction made 2 transfers to addresses of yours; each is listed with its request.',
    );
  });

  it('tells of one that was recorded while nodes were asked', async () => {
    const request = await stored.request(tenant);
    const hash = randomHex(32);
    lookup.beforeAnswer = async () => {
      lookup.beforeAnswer = async () => undefined;
      await stored.transfer(request, { transaction_hash: hash });
    };

    expect((await told(hash)).code).toBe('received');
  });
});

describe('Explaining a transaction of which nothing was recorded', () => {
  it('tells that nobody knows it, and up to where each network was read', async () => {
    const answer = presentTransaction(await told());

    expect(answer).toMatchObject({
      code: 'not_ours',
      transfers: [],
      unrecorded: [],
      networks: [
        { network: NETWORK, read_to_block: 20, node: { transaction: 'unknown' } },
        { network: OTHER_NETWORK, read_to_block: 7, node: { transaction: 'unknown' } },
      ],
    });
    expect(answer.summary).toMatch(
      /^No transfer of this transaction to an address of yours was seen; no node of sandbox, polygon knows it; sandbox was read up to block 20 \(.*UTC\), polygon was read up to block 7 \(.*UTC\)\.$/,
    );
    expect(lookup.asked).toEqual([`${NETWORK} ${HASH}`, `${OTHER_NETWORK} ${HASH}`]);
  });

  it('tells which node did not answer', async () => {
    lookup.answers.set(OTHER_NETWORK, 'silent');

    const { code, summary, networks } = await told();

    expect(code).toBe('not_ours');
    expect(summary).toContain('no node of sandbox knows it; no node of polygon answered in time');
    expect(networks.map(({ node }) => node!.kind)).toEqual(['unknown', 'no_answer']);
  });

  it.each<[string, FoundTransaction, string]>([
    ['pending', inBlock(null), 'waits on sandbox and is in no block yet'],
    ['reverted', { blockNumber: 12, succeeded: false, transfers: [] }, 'failed on sandbox and moved nothing'],
    [
      'to_nobody_here',
      inBlock(12, transfer(randomHex(20))),
      'it is in a block of sandbox, and paid no address of yours',
    ],
  ])('tells that it is %s', async (code, found, words) => {
    lookup.answers.set(NETWORK, found);

    const answer = await told();

    expect(answer.code).toBe(code);
    expect(answer.summary).toContain(words);
  });

  it('tells that its block is still to be read', async () => {
    const request = await stored.request(tenant);
    lookup.answers.set(NETWORK, inBlock(21, transfer(request.address)));

    const answer = presentTransaction(await told());

    expect(answer).toMatchObject({
      code: 'not_read_yet',
      summary: expect.stringMatching(
        /^5 USDX to 0x.* stands in block 21 of sandbox, and sandbox was read up to block 20/,
      ),
      unrecorded: [
        {
          ...{ network: NETWORK, to: checksummed(request.address), token: checksummed(DOLLAR.token) },
          ...{ unique_asset_id: DOLLAR.uniqueAssetId, currency: 'USDX', amount: '5' },
          ...{ smallest_units: '5000000', shown_on: [NETWORK] },
          ...{ payment_request_id: request.id, point_of_sale_id: request.posId },
        },
      ],
    });
    expect(answer.networks[0]!.node).toEqual({ transaction: 'included', block_number: 21 });
  });

  it('tells that its block was read without it', async () => {
    const request = await stored.request(tenant);
    lookup.answers.set(NETWORK, inBlock(20, transfer(request.address)));

    expect((await told()).code).toBe('not_recorded');
  });

  it('tells that its token is not collected, whatever decimals that may have', async () => {
    const request = await stored.request(tenant);
    lookup.answers.set(NETWORK, inBlock(20, transfer(request.address, { token: SCAM })));

    const answer = presentTransaction(await told());

    expect(answer).toMatchObject({
      code: 'token_not_supported',
      summary: expect.stringContaining(`5000000 smallest units of token ${SCAM}`),
      unrecorded: [{ token: checksummed(SCAM), smallest_units: '5000000' }],
    });
    expect(answer.unrecorded[0]).not.toHaveProperty('amount');
  });

  it('tells that native coin is not collected', async () => {
    const request = await stored.request(tenant);
    lookup.answers.set(NETWORK, inBlock(20, transfer(request.address, { kind: 'call', token: 'native' })));

    const { code, summary } = await told();

    expect(code).toBe('token_not_supported');
    expect(summary).toContain('5000000 smallest units of the native coin');
  });

  it('tells that it was sent on another network than the address was shown for', async () => {
    const request = await stored.request(tenant);
    lookup.answers.set(OTHER_NETWORK, inBlock(3, transfer(request.address)));

    const { code, summary, unrecorded } = await told();

    expect(code).toBe('other_network');
    expect(summary).toContain(
      `was sent on polygon, but that address was shown for sandbox (payment request ${request.id})`,
    );
    expect(unrecorded).toMatchObject([{ network: OTHER_NETWORK, shownOn: [NETWORK] }]);
  });

  it('tells of what can still count before what cannot', async () => {
    const request = await stored.request(tenant);
    const scam = transfer(request.address, { token: SCAM });
    lookup.answers.set(NETWORK, inBlock(21, scam, transfer(request.address, { index: 1 })));

    const { code, unrecorded } = await told();

    expect([code, unrecorded.length]).toEqual(['not_read_yet', 2]);
  });
});

describe('Explaining another tenant’s transaction', () => {
  /** Without what says which transaction it is. */
  const anonymous = async (hash: string, scope?: Scope) =>
    JSON.stringify(presentTransaction(await told(hash, scope))).replaceAll(hash, '');

  it.each<[string, (to: string) => FoundTransaction | undefined]>([
    ['recorded and known to a node', (to) => inBlock(12, transfer(to))],
    ['recorded, and unknown to the nodes', () => undefined],
    ['in a block that is still to be read', (to) => inBlock(21, transfer(to))],
    ['in a token that is not collected', (to) => inBlock(12, transfer(to, { token: SCAM }))],
  ])('says what is said of a stranger’s: %s', async (_, found) => {
    const [foreign, sibling] = [newTenant(), { ...newTenant(), organizationId: tenant.organizationId }];
    const [theirs, siblings] = [await stored.request(foreign), await stored.request(sibling)];
    const answered = async (to: string, hash: string, scope: Scope) => {
      const told = found(to);
      lookup.answers.clear();
      if (told !== undefined) lookup.answers.set(NETWORK, told);
      lookup.asked.length = 0;
      return [(await anonymous(hash, scope)).replaceAll(/behind_seconds":\d+/g, ''), lookup.asked.length];
    };
    const own: Scope = tenant;

    const stranger = await answered(randomHex(20), randomHex(32), own);

    expect(await answered(theirs.address, await stored.transfer(theirs), own)).toEqual(stranger);
    expect(await answered(siblings.address, await stored.transfer(siblings), own)).toEqual(stranger);
    expect(stranger[1]).toBe(2);
  });
});

describe('Asking nodes about transactions', () => {
  it('is limited for each credential, and only where they have to be asked', async () => {
    const hash = await stored.transfer(await stored.request(tenant));
    for (let i = 0; i < LOOKUPS_PER_MINUTE; i += 1) await told();

    await expect(told()).rejects.toThrow(RateLimited);

    expect((await told(hash)).code).toBe('received');
    expect((await explain.execute(all(tenant), newId(), HASH)).code).toBe('not_ours');
    expect(lookup.asked).toHaveLength(2 * (LOOKUPS_PER_MINUTE + 1));
  });
});
