import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawn } from '../support/drawn.js';
import { type Outcome, StolenWorld } from './stolen-server/stolen-world.js';
import { ETHER, UNIT } from './stolen-server/stopped-service.js';
import { thefts, wholeRefund } from './stolen-server/thefts.js';

const PATIENT_MS = 240_000;
/** The float holds this when the thief comes. */
const FLOAT = { token: 99n * UNIT, coin: 5n * ETHER };

let world: StolenWorld;
const rows: string[] = [];
beforeAll(async () => {
  world = await StolenWorld.open();
}, PATIENT_MS);
afterAll(async () => {
  await world?.close();
  process.stdout.write(`${rows.join('\n')}\n`);
});

function described({ refused, held, found, isPaid, token, coin }: Outcome): string {
  if (refused !== null) return `refused by the database: ${refused}`;
  const parts = [
    ...(held.length > 0 ? [`held: ${held[0]}`] : []),
    ...(found.length > 0 ? [`found by ${found.join(', ')}`] : []),
  ];
  return parts.length > 0 ? parts.join('; ') : isPaid && token + coin === 0n ? 'without effect' : 'UNSEEN';
}

function tabled(name: string, outcome: Outcome): string {
  const words = described(outcome);
  rows.push(`| ${name} | ${words} | ${outcome.token} units, ${outcome.coin} wei |`);
  return words;
}

describe('An attacker with the rights of the service’s database role', () => {
  it('finds every order paid and no invariant broken if nothing is changed', async () => {
    expect(await world.tried('SELECT 1')).toEqual({
      ...{ refused: null, held: [], found: [], token: 0n, coin: 0n, isPaid: true },
    });
  }, 60_000);

  it.each(drawn(thefts, 6))(
    'is rejected, stopped or detected after changing $name',
    async ({ name, sql }) => {
      const outcome = await world.tried(sql(world.facts));

      expect(tabled(name, outcome)).not.toBe('UNSEEN');
      // What reaches the thief is always found, and never more than the float holds.
      if (outcome.token + outcome.coin > 0n) expect(outcome.found).not.toEqual([]);
      expect(outcome.token <= FLOAT.token && outcome.coin <= FLOAT.coin).toBe(true);
    },
    60_000,
  );

  it('gains at most the amount of the refund by forging one with its full history', async () => {
    const outcome = await world.tried(wholeRefund.sql(world.facts));

    tabled(wholeRefund.name, outcome);
    expect([outcome.token <= 3n * UNIT, outcome.coin]).toEqual([true, 0n]);
  }, 60_000);
});
