import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { explainCreation } from './create-statements.js';
import { CreateWorld, type Cost, type Target } from './create-world.js';
import { fillWithRequests } from './create-many.js';
import { publishFigure, typical } from './figures.js';
import { FORM, median, shown } from './measures.js';

const LONG = FORM === 'long';
const [PAIRS, POSTS] = ({ short: [1, 40], figures: [5, 1_000], long: [9, 1_500] } as const)[FORM];
const [FEW, MANY] = LONG ? [10_000, 1_000_000] : [300, 3_000];

let world: CreateWorld;
beforeAll(async () => void (world = await CreateWorld.open()), 120_000);
afterAll(() => world?.close());

const costs: Record<Target, Cost[]> = { api: [], bare: [] };
const total = ({ node, postgres }: Cost) => node + postgres;
const sum = (...some: Cost[]) => some.reduce((all, one) => all + total(one), 0);

async function measure(target: Target): Promise<Cost> {
  const cost = await world.measure(target, POSTS);
  costs[target].push(cost);
  return cost;
}

function described(target: Target): string {
  const of = (part: keyof Cost, digits: number) =>
    shown(
      costs[target].map((cost) => cost[part]),
      digits,
    );
  return `Node ${of('node', 3)} ms, PostgreSQL ${of('postgres', 3)} ms, ${of('rate', 0)} per second`;
}

describe('Creating payment requests', () => {
  it('costs little more CPU time than a minimal server that runs the same two statements', async () => {
    for (const target of ['api', 'bare'] as const) await world.create(target, POSTS);

    const [ratios, noise]: [number[], number[]] = [[], []];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const [a, b, c, d] = [
        await measure('bare'),
        await measure('api'),
        await measure('api'),
        await measure('bare'),
      ];
      ratios.push(sum(a, d) / sum(b, c));
    }
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const bare = () => world.measure('bare', POSTS);
      const [a, b, c, d] = [await bare(), await bare(), await bare(), await bare()];
      noise.push(sum(a, d) / sum(b, c));
    }

    process.stdout.write(
      `A creation: ${described('api')}\nA bare one: ${described('bare')}\n` +
        `The limit's processor time is ${shown(ratios)} of ours; bare beside bare ${shown(noise)}\n`,
    );
    const rate = (target: Target) =>
      `${typical(costs[target].map(({ rate: perSecond }) => perSecond))} per second`;
    publishFigure({
      work: 'create payment requests',
      result: rate('api'),
      limit: `server that parses, signs and runs the same two statements: ${rate('bare')}`,
      ratios,
      measurement: 'create',
    });
    const [row] = await world.service.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM payments.payment_requests',
    );
    expect(row!.count).toBe(POSTS * (2 + 8 * PAIRS) + 1);
    // The goal is 0.75. Six processes share the cores, so the middle one and less of it.
    if (LONG) expect(median(ratios)).toBeGreaterThan(0.6);
  }, 1_200_000);

  it('reads hardly more blocks with many requests than with few', async () => {
    const costWith = async (count: number) => {
      await fillWithRequests(world, count);
      const explained = await explainCreation(world, 40);
      const measured = LONG ? await world.measure('api', 3_000) : undefined;
      return { ...explained, measured };
    };

    // It would process the events of all copies.
    await world.service.processes.worker.stop();
    const [few, many] = [await costWith(FEW), await costWith(MANY)];

    process.stdout.write(
      `With ${FEW} requests: ${JSON.stringify(few)}; with ${MANY}: ${JSON.stringify(many)}\n`,
    );
    // One more level in each of seven indexes.
    expect(many.blocks).toBeLessThan(few.blocks * 1.5);
    // The four rows have 2.2 kB; the rest is index entries.
    expect(many.walBytes).toBeLessThan(4_500);
  }, 1_200_000);
});
