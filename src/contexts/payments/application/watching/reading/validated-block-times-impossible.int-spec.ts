import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NETWORK, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

const DAYS = 5;

let payments: Payments;
beforeEach(async () => {
  const [network] = new SmallCatalogue().networks();
  payments = await openPayments(undefined, new SmallCatalogue([{ ...network!, maxLagSeconds: 300 }]));
});
afterEach(() => payments.close());

const cursor = () => payments.watched.cursor(NETWORK);

/** The endpoint answers another time for one block. @returns ends it */
function lieAboutTimeOf(number: number, time: Date): () => void {
  const { chain } = payments;
  const [told, block] = [chain.told.bind(chain), chain.block.bind(chain)];
  chain.told = (read) => {
    const { header, ...contents } = told(read);
    return { ...contents, header: header.number === number ? { ...header, time } : header };
  };
  chain.block = async (network, at) => {
    const header = await block(network, at);
    return header !== null && at === number ? { ...header, time } : header;
  };
  return () => Object.assign(chain, { told, block });
}

describe('A block with the right hash and an impossible time', () => {
  it.each([
    [
      'in another century',
      () => new Date('2100-01-01T00:00:00Z'),
      /block 1 is \d+ s ahead of the service’s clock/,
    ],
    [
      'hours ahead',
      (now: Date) => new Date(now.getTime() + 10_000_000),
      /is (99\d\d|10000) s ahead of the service’s clock/,
    ],
    ['before its parent', () => new Date(0), /block 1 is earlier than its parent/],
  ])('%s ends no request, and is read anew when its time is right', async (_, time, reason) => {
    await payments.follow();
    const request = await payments.request();
    const before = await cursor();
    payments.chain.mine(pay(request, 400));
    const tellTruth = lieAboutTimeOf(1, time(await payments.platform.clock.now()));

    await expect(payments.turn()).rejects.toThrow(reason);
    const [during, status] = [await cursor(), (await payments.read(request)).status];
    tellTruth();
    payments.chain.mine(pay(request, 600));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect([during, status]).toEqual([before, 'created']);
    expect(payments.chain.doubted).toEqual([expect.stringMatching(reason)]);
    expect((await payments.read(request)).status).toBe('completed');
  });

  it('holds up none of those before it', async () => {
    await payments.follow();
    payments.chain.mineEmpty(3);
    lieAboutTimeOf(3, new Date('2100-01-01T00:00:00Z'));

    const more = await payments.turn();

    expect([more, (await cursor())!.head.number]).toEqual([true, 2]);
  });

  it('is never where reading begins', async () => {
    lieAboutTimeOf(0, new Date('2100-01-01T00:00:00Z'));

    await expect(payments.turn()).rejects.toBeInstanceOf(ChainUnavailable);

    expect([await cursor(), payments.chain.doubted.length]).toEqual([null, 1]);
  });
});

describe('Catching up after days', () => {
  it('reads every block, and counts what was paid in time', async () => {
    await payments.follow();
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.blockSeconds = 3_600;
    payments.chain.mineEmpty(24 * DAYS);

    await payments.platform.advance(DAYS * 86_400 + 120);
    await payments.follow();

    expect((await cursor())!.head.number).toBe(payments.chain.tip.number);
    expect((await payments.read(request)).status).toBe('completed');
  });
});
