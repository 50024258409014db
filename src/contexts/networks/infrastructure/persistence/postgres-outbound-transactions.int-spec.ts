import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
import type { OutboundTransaction } from '../../domain/outbound/outbound-transaction.js';
import { PostgresOutboundTransactions } from './postgres-outbound-transactions.js';

const NETWORK = 'base';
const CALL = { to: `0x${'cd'.repeat(20)}`, data: '0x', value: 5n, gasLimit: 10n };
const FRESH = { latestCount: 0, mostCount: 0 };

let platform: TestPlatform;
let sendings: PostgresOutboundTransactions;
let sender: string;
let hashes = 0;
beforeAll(async () => {
  platform = await openTestDatabase();
  sendings = new PostgresOutboundTransactions(platform.database);
});
afterAll(() => platform.close('any'));
beforeEach(() => void (sender = `0x${newId<string>().replaceAll('-', '').padStart(40, '0')}`));

const reserve = (): Promise<OutboundTransaction> =>
  sendings.reserve(
    {
      id: newId(),
      network: NETWORK,
      sender,
      key: 'gas',
      feeCeiling: 100n,
      purpose: 'settlement',
      call: CALL,
    },
    FRESH,
  );
const nextHash = () => `0x${(hashes += 1).toString(16).padStart(64, '0')}`;
const read = async ({ id }: OutboundTransaction) => (await sendings.find(id))!;

async function offer(sending: OutboundTransaction, maxFee: bigint, cancels = false): Promise<string> {
  const hash = nextHash();
  const fees = { maxFee, priorityFee: 1n };
  await sendings.addAttempt(await read(sending), { hash, raw: '0x01', fees, head: 1, cancels });
  return hash;
}

async function end(sending: OutboundTransaction, state: 'mined' | 'cancelled', hash: string): Promise<void> {
  const mined = { hash, blockNumber: 3, succeeded: false, gasCost: state === 'mined' ? null : 1n };
  await sendings.changeState(await read(sending), { state: 'broadcast' });
  await sendings.changeState(await read(sending), { state, mined });
}

describe('The sequence of nonces of a key', () => {
  it('releases nonces from the highest down, and reuses them', async () => {
    const [first, second] = [await reserve(), await reserve()];
    const release = (sending: OutboundTransaction) => sendings.release(sending, async () => 'released');

    const early = await release(first);
    const late = await release(second);
    const next = await reserve();

    expect([first.nonce, second.nonce, early, late, next.nonce]).toEqual([0, 1, null, 'released', 1]);
    expect((await sendings.findByNonce(NETWORK, sender, 1))!.id).toBe(next.id);
  });

  it('adopts a transaction from the chain only once, even if the service never signed it', async () => {
    const lost = { id: newId<string>(), network: NETWORK, sender, key: 'gas', nonce: 4, signed: null };
    const adopt = () =>
      sendings.adoptUnrecorded({
        ...lost,
        id: newId(),
        purpose: 'unknown',
        hash: nextHash(),
        blockNumber: 9,
      });

    expect([await adopt(), await adopt()]).toEqual([true, false]);
  });
});

describe('The most that unfinished sendings of a key may cost', () => {
  it('uses the highest offer, the ceiling before the first offer, and zero once mined', async () => {
    const [reserved, offered, mined] = [await reserve(), await reserve(), await reserve()];
    await offer(offered, 7n);
    await offer(offered, 9n);
    await end(mined, 'mined', await offer(mined, 50n));

    expect(reserved.state).toBe('reserved');
    expect(await sendings.committedCost(NETWORK, sender)).toBe(5n + 10n * 100n + (5n + 10n * 9n));
  });
});

describe('The list of transactions that a reorganization may take out of their blocks', () => {
  it('includes cancellations', async () => {
    const sending = await reserve();
    const hash = await offer(sending, 7n, true);
    await end(sending, 'cancelled', hash);

    expect(await sendings.minedAttempts(NETWORK, sender, 0, 1)).toEqual([{ hash, raw: '0x01' }]);
    expect(await sendings.minedAttempts(NETWORK, sender, 1, 2)).toEqual([]);
  });
});
