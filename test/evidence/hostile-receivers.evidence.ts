/**
 * A settlement address, a token and a fee recipient that behave in a simulation and burn all gas in a block, beside honest
 * payees, round by round. All of them are paid each round; rounds are an hour apart.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Payees, ReceiversWorld, type RoundOf } from './hostile-receivers/receivers-world.js';

/** The long form is `npm run evidence -- hostile-receivers`. */
const LONG = process.env['EVIDENCE'] === 'long';
const ROUNDS = LONG ? 30 : 3;
const HONEST_OF_EACH = LONG ? 25 : 4;
const HOSTILE_OF_EACH = LONG ? 20 : 4;
const HOUR = 3_600;
/** One payout may use so much gas, with the transaction around it. */
const MAX_OF_A_TRIAL = 1_000_000n;
/** The pauses are 1, 4, 16 and 64 hours. */
const TRIALS = LONG ? 3 : 1;

const NOTHING: RoundOf = { payouts: 0, paid: 0, batches: 0, gas: 0n };
const HOSTILE = ['settlement address', 'token', 'fee recipient'];
const COLUMNS = ['honest token', 'honest coin', ...HOSTILE, 'refusing fee recipient'];

describe('Honest payees beside hostile ones', () => {
  let world: ReceiversWorld;
  beforeAll(async () => {
    world = await ReceiversWorld.open();
  });
  afterAll(() => world?.close());

  it(
    `are paid in each of ${ROUNDS} rounds, and what hostile ones burn is bounded`,
    async () => {
      const honest = [
        await world.payees('honest token', 'USDC', HONEST_OF_EACH),
        await world.payees('honest coin', 'ETH', HONEST_OF_EACH),
      ];
      const feeRecipients = [
        await world.payees('fee recipient', 'ETH', HOSTILE_OF_EACH, {
          feeRecipient: await world.deploy('TwoFacedRecipient'),
        }),
        await world.payees('refusing fee recipient', 'ETH', HOSTILE_OF_EACH, {
          feeRecipient: await world.deploy('RefusingRecipient'),
        }),
      ];
      const refusing = [
        await world.payees('settlement address', 'ETH', HOSTILE_OF_EACH, {
          settlementAddress: await world.deploy('TwoFacedRecipient'),
        }),
        await world.payees('token', 'DAI', HOSTILE_OF_EACH),
      ];
      await world.turnHostile('DAI');
      const all: readonly Payees[] = [...refusing, ...feeRecipients, ...honest];
      const rounds: ReadonlyMap<string, RoundOf>[] = [];

      for (let round = 1; round <= ROUNDS; round += 1) {
        for (const payees of all) await world.pay(payees);
        await world.untilPaid([...honest, ...feeRecipients], round);
        const { of, mixed } = await world.look(all);
        expect(mixed).toEqual([]);
        rounds.push(of);
        await world.settled.service.advance(HOUR);
      }

      process.stdout.write(tableOf(rounds));
      for (const { name, requests } of [...honest, ...feeRecipients])
        expect(rounds.map((of) => of.get(name)!.paid)).toEqual(rounds.map(() => requests.length));
      for (const { name, requests } of refusing) {
        const { payouts, paid, batches, gas } = sumOf(rounds, name);
        expect([name, paid]).toEqual([name, 0]);
        expect(batches).toBeLessThanOrEqual(1 + TRIALS);
        expect(payouts).toBeLessThanOrEqual(requests.length + TRIALS);
        expect(gas).toBeLessThan(BigInt(requests.length + TRIALS) * MAX_OF_A_TRIAL);
      }
      expect(world.settled.service.log('worker')).toContain('"event":"settlement.terms_paused"');
      expect(world.settled.service.log('worker')).toContain('"event":"settlement.fee_refused"');
      expect(await world.settled.service.breaches()).toEqual([]);
    },
    LONG ? 1_800_000 : 240_000,
  );
});

function sumOf(rounds: readonly ReadonlyMap<string, RoundOf>[], name: string): RoundOf {
  return rounds
    .map((of) => of.get(name) ?? NOTHING)
    .reduce((sum, each) => ({
      payouts: sum.payouts + each.payouts,
      paid: sum.paid + each.paid,
      batches: sum.batches + each.batches,
      gas: sum.gas + each.gas,
    }));
}

/** The table shows for each kind: payouts that brought money, of those that were sent, and the gas of their transactions. */
function tableOf(rounds: readonly ReadonlyMap<string, RoundOf>[]): string {
  const line = (head: string, of: (name: string) => RoundOf) => {
    const cells = COLUMNS.map(of).map(({ payouts, paid, gas }) => `${paid}/${payouts}, ${gas}`);
    return `| ${[head, ...cells].join(' | ')} |\n`;
  };
  const head = `| round | ${COLUMNS.join(' | ')} |\n| --- |${' --- |'.repeat(COLUMNS.length)}\n`;
  const lines = rounds.map((of, i) => line(`${i + 1}`, (name) => of.get(name) ?? NOTHING));
  return `\n${head}${lines.join('')}${line('all', (name) => sumOf(rounds, name))}\n`;
}
