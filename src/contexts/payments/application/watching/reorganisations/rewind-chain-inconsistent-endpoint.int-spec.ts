import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { ChainModel } from '#contexts/payments/testing/watching/chain-model.js';
import { CONFIRMATIONS, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

const READ = 40;

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  payments.chain.mineEmpty(READ);
  await payments.follow();
});
afterEach(() => payments.close());

const cursor = async () => (await payments.watched.cursor(NETWORK))!;
const turnOf = (watcher: ReturnType<Payments['watcher']>) => watcher.execute(NETWORK, payments.epoch);

/** The endpoint answers blocks above our newest one with a parent that nobody knows. @returns ends it */
function tellTornBlocks(): () => void {
  const { chain } = payments;
  const told = chain.told.bind(chain);
  chain.told = (read) => {
    const { header, ...contents } = told(read);
    return { ...contents, header: { ...header, parentHash: `0x${'7'.repeat(64)}` } };
  };
  return () => Object.assign(chain, { told });
}

describe('An endpoint that has our newest block and another one’s successor', () => {
  it('is left for another one where it stays like that', async () => {
    const watcher = payments.watcher();
    const before = await cursor();
    payments.chain.mineEmpty(2);
    tellTornBlocks();

    const first = await turnOf(watcher);
    const doubtedAtOnce = [...payments.chain.doubted];
    const second = turnOf(watcher);

    await expect(second).rejects.toThrow(
      `it returns block ${READ} that the service has read, but reports a chain`,
    );
    expect([first, doubtedAtOnce]).toEqual([false, []]);
    expect(payments.chain.doubted).toEqual([expect.stringContaining(`block ${READ}`)]);
    expect([await cursor(), payments.alerts.noted]).toEqual([before, []]);
  });

  it('is not where it was so for a moment, as in a reorganisation between two questions', async () => {
    const watcher = payments.watcher();
    payments.chain.mineEmpty(2);
    const tellTruth = tellTornBlocks();
    await turnOf(watcher);
    tellTruth();
    await turnOf(watcher);

    payments.chain.mineEmpty(2);
    tellTornBlocks();
    const later = await turnOf(watcher);

    expect([later, payments.chain.doubted]).toEqual([false, []]);
    expect((await cursor()).head.number).toBe(READ + 2);
  });

  it('takes nothing back by a head that is lower than ours and that it does not have itself', async () => {
    payments.chain.mine();
    await payments.follow();
    const before = await cursor();
    payments.chain.nextHead = {
      ...(await payments.chain.block(NETWORK, READ))!,
      hash: `0x${'e'.repeat(64)}`,
    };

    const more = await payments.turn();

    expect([more, await cursor()]).toEqual([false, before]);
  });
});

describe('An endpoint that lacks blocks below its own head', () => {
  it('is left for another one when our way back leads over them', async () => {
    payments.chain.takeBack(1);
    payments.chain.mineEmpty(4);
    payments.chain.hide(READ);

    await expect(payments.turn()).rejects.toBeInstanceOf(ChainUnavailable);

    expect(payments.chain.doubted).toEqual([`it does not know block ${READ} below its own head.`]);
  });
});

describe('An endpoint on a fork that is foreign to all that was final', () => {
  it('is found out by one question, and by one to the endpoint that is not', async () => {
    const before = await cursor();
    const honest = new ChainModel(payments.chain.tip.time, CONFIRMATIONS, 60);
    honest.block = (network, number) => payments.watched.block(network, number);
    payments.secondEndpoint.others.set(NETWORK, honest);
    payments.chain.takeBack(READ + 1);
    payments.chain.mineAt(await payments.platform.clock.now());
    payments.chain.mineEmpty(READ + 5);
    const asked: unknown[] = [];
    const { finalNumber } = before;
    payments.chain.beforeAnswer = (question, about) => {
      if (question === 'block' && Number(about) <= READ) asked.push(about);
    };

    await payments.turn();

    expect(asked).toEqual([finalNumber]);
    expect(payments.chain.doubted).toEqual([
      `one endpoint has replaced the final block ${finalNumber}, but another endpoint still has it.`,
    ]);
    expect({ ...(await cursor()), disagreement: null }).toEqual(before);
  });

  it('is doubted also where nobody contradicts it: another may be well with the next turn', async () => {
    const before = await cursor();
    payments.chain.takeBack(READ + 1);
    payments.chain.mineAt(await payments.platform.clock.now());
    payments.chain.mineEmpty(READ + 5);

    await expect(payments.turn()).rejects.toThrow('shares none of the');

    expect(payments.chain.doubted).toEqual([expect.stringContaining('shares none of the')]);
    expect(await cursor()).toEqual(before);
  });
});
