import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { openTill, type Till } from '../../solidity/test/support/till.js';
import { SettlingWorld } from './settling-world.js';

const LONG = process.env['EVIDENCE'] === 'long';
const ROUNDS = LONG ? 1_000 : 12;
const MAX_MS = LONG ? 1_800_000 : 120_000;
const seed = Number(process.env['SEED'] ?? Math.ceil(Math.random() * 1_000_000));

describe('A settlement by anyone, with hostile tokens and recipients', () => {
  let till: Till;
  const ends = new Map<string, number>();

  beforeAll(async () => {
    till = await openTill();
  });
  afterAll(() => till?.world.stop());

  it(
    'pays only the recipients to which each address commits, and emits an event for every payout',
    async () => {
      process.stdout.write(`Batches are drawn with SEED=${seed}.\n`);
      const world = await SettlingWorld.open(till, new SeededRandom(seed));

      for (let round = 1; round <= ROUNDS; round += 1) {
        const { scene, losses, strangersGained, unnamedGained, unrecorded, misrecorded, reentered, names } =
          await world.round();

        expect({ round, scene, strangersGained, unnamedGained, unrecorded, misrecorded, reentered }).toEqual({
          ...{ round, scene, strangersGained: [], unnamedGained: [], unrecorded: [], misrecorded: [] },
          reentered: false,
        });
        expect({ round, scene, losses }).toEqual({ round, scene, losses: [0n, 0n] });
        for (const name of names) ends.set(name, (ends.get(name) ?? 0) + 1);
      }

      process.stdout.write(`${ROUNDS} batches: ${JSON.stringify(Object.fromEntries(ends))}\n`);
      expect(ends.get('Settled') ?? 0).toBeGreaterThan(0);
      expect(ends.get('Failed') ?? 0).toBeGreaterThan(0);
    },
    MAX_MS,
  );
});
