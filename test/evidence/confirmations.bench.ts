import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '#test/faults/orders.js';
import { NodeWorld, type NodeOrder } from '#test/faults/node-world.js';
import { publishFigure, typical } from './figures.js';
import { FORM } from './measures.js';

/** Like a roll-up. */
const BLOCK_SECONDS = 2;
const CONFIRMATIONS = 5;
/** Blocks below the newest one that anvil tags as `safe`, by its default of 32 slots an epoch. */
const SAFE_BELOW = 32;
const PAYMENTS = { short: 1, figures: 3, long: 9 }[FORM];
/** Amounts of the three rows of the network's table. */
const AMOUNTS = ['99.00', '999.00', '1001.00'];
const ROWS = [`${CONFIRMATIONS} confirmations`, 'a safe block', 'a finalized block'];

let world: NodeWorld;

beforeAll(async () => {
  world = await NodeWorld.start(2, {
    settings: { WATCH_INTERVAL_MS: '' },
    network: (assets) => ({
      ...{ finality: { tag: 'finalized', typical_confirmations: 64 }, block_seconds: BLOCK_SECONDS },
      confirmations: [
        { up_to: '100', in: 'USD', require: CONFIRMATIONS },
        { up_to: '1000', in: 'USD', require: 'safe' },
        { require: 'finalized' },
      ],
      max_lag_seconds: 600,
      assets,
    }),
  });
});

afterAll(async () => {
  expect(await world?.service.breaches()).toEqual([]);
  await world?.stop();
});

async function payAll(): Promise<NodeOrder[]> {
  const orders = await Promise.all(AMOUNTS.map((amount) => world.order(amount)));
  for (const order of orders) await world.pay(order);
  return orders;
}

describe('A network with confirmations by amount', () => {
  it('reverses payments that a reorganization removes after their completion, and reopens the others', async () => {
    const orders = await payAll();
    const raw = await Promise.all(
      orders.map(({ hashes: [hash] }) => world.service.chain.rpc('eth_getRawTransactionByHash', [hash])),
    );
    await world.service.chain.mine(CONFIRMATIONS);
    await world.allBecome('completed', [orders[0]!]);
    await world.caughtUp();

    await world.service.chain.rpc('anvil_reorg', [CONFIRMATIONS + AMOUNTS.length, []]);
    await world.service.chain.mine(1);
    const booked = async () => (await world.outcomes(orders)).map((outcome) => outcome.booked);
    await until('the completed payment is reversed', async () => (await booked())[0]!.length === 2);

    expect(await booked()).toEqual([['payment_in 99000000', 'adjustment -99000000'], [], []]);
    await until('no transfer is left', async () =>
      (await world.outcomes(orders)).every(({ hashes }) => hashes.length === 0),
    );

    for (const transaction of raw) await world.service.chain.rpc('eth_sendRawTransaction', [transaction]);
    await world.service.chain.mine(SAFE_BELOW + 2);
    await world.allBecome('completed', orders.slice(0, 2));
    expect(await world.statuses(orders)).toEqual(['completed', 'completed', 'processing']);
    await world.service.chain.mine(2 * SAFE_BELOW);
    await world.allBecome('completed', orders);
    const last = ['deposit 99000000', 'payment_in 999000000', 'payment_in 1001000000'];
    await until('each is booked', async () =>
      (await booked()).every((types, row) => types.at(-1) === last[row]),
    );
  });

  it('completes small payments within seconds of their block', async () => {
    await world.service.chain.rpc('evm_setAutomine', [false]);
    await world.service.chain.rpc('evm_setIntervalMining', [BLOCK_SECONDS]);
    const seconds: number[][] = AMOUNTS.map(() => []);
    const measured: Promise<void>[] = [];
    for (let paid = 0; paid < PAYMENTS; paid += 1)
      for (const [row, amount] of AMOUNTS.entries()) {
        const order = await world.order(amount);
        await world.pay(order);
        measured.push(
          world.allBecome('completed', [order], 300_000).then((ms) => void seconds[row]!.push(ms / 1_000)),
        );
      }
    await Promise.all(measured);

    for (const [row, values] of seconds.entries()) {
      process.stdout.write(`${ROWS[row]}: ${typical(values, 1)} s after the payment's block\n`);
      publishFigure({
        work: `complete a payment that requires ${ROWS[row]}, a block every ${BLOCK_SECONDS} s`,
        result: `${typical(values, 1)} s after its block`,
        spread: [Math.min(...values), Math.max(...values)],
        measurement: 'confirmations',
      });
    }
  }, 900_000);
});
