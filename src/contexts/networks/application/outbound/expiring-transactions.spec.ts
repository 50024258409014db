import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { seed } from '#test/support/properties.js';
import { type BroadcastFault, ExpiringChain, OutboundRow } from '../../testing/expiring-chain.js';
import { AdvanceOutboundTransaction } from './advance-outbound-transaction.js';
import type { OutboundChain } from './outbound-chain.js';

const HISTORIES = 1_000;
/** Blocks and cycles without faults after which a transaction must be final. */
const UNTIL_FINAL = 80;

/** More than one cycle takes: sign, broadcast, follow, and again after an expiration. */
const MOST_STEPS = 20;

class Killed extends Error {}

/** A process that is killed at its n-th call to the chain or the database. 0: never. */
function processOf(chain: ExpiringChain, row: OutboundRow, killedAt = 0, isRevoked = false) {
  let calls = 0;
  const mortal = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          calls += 1;
          if (calls === killedAt) throw new Killed();
          return Reflect.apply(value, target, args);
        };
      },
    });
  return new AdvanceOutboundTransaction(
    mortal(row) as never,
    mortal(chain) as OutboundChain,
    { keyFor: () => chain.key } as never,
    { now: () => Promise.resolve(new Date(0)) },
    { isOrderRevoked: () => Promise.resolve(isRevoked) } as never,
    { holdAtCount: () => Promise.resolve(null) } as never,
  );
}

async function cycle(chain: ExpiringChain, row: OutboundRow, killedAt = 0, isRevoked = false): Promise<void> {
  const process = processOf(chain, row, killedAt, isRevoked);
  try {
    for (let steps = 0; (await process.advance('id')) === 'moved'; steps += 1)
      if (steps === MOST_STEPS) throw new Error('It never waits.');
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

type Act = (chain: ExpiringChain, row: OutboundRow) => Promise<void> | void;

const act = fc.oneof<fc.Arbitrary<Act>[]>(
  { arbitrary: fc.constant<Act>((chain, row) => cycle(chain, row)), weight: 4 } as never,
  fc.integer({ min: 1, max: 9 }).map<Act>((killedAt) => (chain, row) => cycle(chain, row, killedAt)),
  fc.constant<Act>(async (chain, row) => {
    await Promise.all([cycle(chain, row), cycle(chain, row)]);
  }),
  fc.tuple(fc.integer({ min: 1, max: 15 }), fc.boolean()).map<Act>(([blocks, includes]) => (chain) => {
    for (let i = 0; i < blocks; i += 1) chain.mine(includes && i === blocks - 1);
  }),
  fc.integer({ min: 1, max: 18 }).map<Act>((depth) => (chain) => {
    const { head } = chain;
    chain.reorganize(depth);
    while (chain.head < head) chain.mine(false);
  }),
  fc
    .constantFrom<BroadcastFault>('none', 'lost', 'refused', 'refused_but_kept')
    .map<Act>((fault) => (chain) => {
      chain.broadcastFault = fault;
    }),
  fc.tuple(fc.nat(1), fc.nat(3), fc.boolean()).map<Act>(([i, behind, isDown]) => (chain) => {
    Object.assign(chain.endpoints[i]!, { behind, isDown });
  }),
);

describe('An outbound transaction that expires', () => {
  it(`is executed once in ${HISTORIES} random histories of outages, reorganizations and killed processes`, async () => {
    let renewals = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 60 }), async (acts) => {
        const [chain, row] = [new ExpiringChain(), new OutboundRow()];
        for (const each of acts) {
          await each(chain, row);
          expect(chain.live(row).length).toBeLessThanOrEqual(1);
        }
        for (const endpoint of chain.endpoints) Object.assign(endpoint, { behind: 0, isDown: false });
        chain.broadcastFault = 'none';
        for (let i = 0; i < UNTIL_FINAL; i += 1) {
          await cycle(chain, row);
          chain.mine(true);
        }
        renewals += row.state.attempts - 1;

        expect(chain.included()).toHaveLength(1);
        expect(row.state).toMatchObject({ state: 'final', mined: { hash: chain.included()[0] } });
      }),
      { seed, numRuns: HISTORIES },
    );
    expect(renewals).toBeGreaterThan(HISTORIES / 20);
  });

  it('is not signed again while one of two endpoints is down', async () => {
    const [chain, row] = [new ExpiringChain(), new OutboundRow()];
    chain.broadcastFault = 'lost';
    await cycle(chain, row);
    chain.endpoints[1]!.isDown = true;
    for (let i = 0; i < UNTIL_FINAL; i += 1) chain.mine(true);
    await cycle(chain, row);
    expect(row.state.attempts).toBe(1);

    chain.endpoints[1]!.isDown = false;
    await cycle(chain, row);
    expect(row.state.attempts).toBe(2);
  });

  it.each([false, true])('is cancelled if its order is revoked (signed before: %s)', async (isSigned) => {
    const [chain, row] = [new ExpiringChain(), new OutboundRow()];
    chain.broadcastFault = 'lost';
    if (isSigned) await cycle(chain, row);
    await cycle(chain, row, 0, true);
    const before = row.state.state;
    for (let i = 0; i < UNTIL_FINAL; i += 1) chain.mine(true);
    await cycle(chain, row, 0, true);

    expect([before, row.state.state]).toEqual([isSigned ? 'broadcast' : 'cancelled', 'cancelled']);
    expect(chain.included()).toEqual([]);
  });
});
