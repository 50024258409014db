/**
 * Receivers that burn gas, each from another moment on, beside honest ones, round by round: of a refund that is approved, and of
 * one whose transaction is signed already.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PAYER } from '#contexts/settlement/testing/refunds/refunds-world.js';
import { RefundsOnChain, SUM } from '#contexts/settlement/testing/refunds/refunds-on-chain.js';

/** The long form is `npm run evidence -- hostile-refunds`. */
const LONG = process.env['EVIDENCE'] === 'long';
const ROUNDS = LONG ? 30 : 2;
const HONEST = LONG ? 50 : 3;
/** One transfer on this network takes so much. */
const TRANSFER_GAS = 200_000n;

describe('Honest receivers of refunds beside hostile ones', () => {
  let refunds: RefundsOnChain;
  beforeAll(async () => {
    refunds = await RefundsOnChain.open();
  });
  afterAll(() => refunds?.close());

  it(
    `are paid in each of ${ROUNDS} rounds, and a hostile one burns the gas of one transfer at most`,
    async () => {
      const { world, chain, sending } = refunds;
      const lines: string[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const [early, late] = [addressOf(2 * round), addressOf(2 * round + 1)];
        const unplanned = await refunds.refund(early);
        const signed = await refunds.refund(late);
        const honest: string[] = [];
        for (let n = 0; n < HONEST; n += 1) honest.push(await refunds.refund(PAYER));
        await refunds.becomesHostile(early);
        await chain.rpc('evm_setAutomine', [false]);
        await refunds.turns();
        await refunds.becomesHostile(late);
        await chain.rpc('evm_setAutomine', [true]);
        await refunds.paid();

        const statuses = await Promise.all(honest.map((id) => world.status(id)));
        expect(statuses).toEqual(honest.map(() => 'completed'));
        expect([await world.status(unplanned), await world.status(signed)]).toEqual(['failed', 'failed']);
        expect(await sending.sender.fate(unplanned)).toBeNull();
        const { gasCost } = (await sending.sender.fate(signed))!;
        const [attempt] = await world.rows<{ maxFee: bigint }>(
          'SELECT max_fee FROM networks.sending_attempts WHERE sending_id = $1',
          [signed],
        );
        expect(gasCost).toBeLessThanOrEqual(TRANSFER_GAS * attempt!.maxFee);
        lines.push(`| ${round} | ${statuses.length}/${HONEST} | 0 | ${gasCost} |\n`);
      }
      process.stdout.write(
        `\n| round | honest refunds paid | lost to a receiver before a nonce, wei | lost to one after signing, wei |\n` +
          `| --- | --- | --- | --- |\n${lines.join('')}\n`,
      );
      expect(await world.holding('native')).toMatchObject({
        reserved: 0n,
        refunded: SUM * BigInt(ROUNDS * HONEST),
      });
    },
    LONG ? 1_800_000 : 120_000,
  );
});

function addressOf(number: number): string {
  return `0x${'77'.repeat(18)}${number.toString(16).padStart(4, '0')}`;
}
