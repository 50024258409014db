import { beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { CONFIRMATIONS, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { ChainModel } from '../../testing/chain-model.js';
import { pay, type Payments, withReadPayments } from '#contexts/payments/testing/requests/open-payments.js';

let payments: Payments;
withReadPayments((opened) => (payments = opened));

const BLOCKS_READ = 40;
const readCursor = async () => (await payments.watched.cursor(NETWORK))!;

async function replaceFinalPayment() {
  const request = await payments.request();
  payments.chain.mine(pay(request, 1000));
  payments.chain.mineEmpty(5);
  await payments.follow();
  const before = await readCursor();
  payments.chain.removeNewestBlocks(6);
  payments.chain.mineEmpty(9);
  return { request, before };
}

/** A second endpoint on the fork that is read now. For this endpoint, no block was ever final. */
const endpointOnFork = () => payments.chain.anotherEndpoint();

/** A second endpoint that still has the chain read before, up to this height. */
function endpointStuckAt(height: number): ChainModel {
  const model = new ChainModel(payments.chain.tip.time, CONFIRMATIONS, 30);
  model.blockHeader = (number) =>
    number > height ? Promise.resolve(null) : payments.watched.block(NETWORK, number);
  return model;
}

describe('A final payment that is gone at the endpoint that is read', () => {
  it('is reversed only when the second endpoint confirms it', async () => {
    const { request, before } = await replaceFinalPayment();
    const silent = endpointOnFork();
    silent.beforeAnswer = () => {
      throw new ChainUnavailable(NETWORK, 'HTTP status 503');
    };

    payments.secondEndpoint.isAway = true;
    await expect(payments.turn()).rejects.toThrow(
      'a second endpoint must confirm that block 4, which was final, is no longer on the chain.',
    );
    payments.secondEndpoint.isAway = false;
    for (const unsure of [endpointStuckAt(3), silent]) {
      payments.secondEndpoint.others.set(NETWORK, unsure);
      await expect(payments.turn()).rejects.toBeInstanceOf(ChainUnavailable);
    }
    const waiting = await payments.read(request);
    expect([waiting.status, waiting.transfers]).toMatchObject([
      'completed',
      [{ counted: true, final: true }],
    ]);
    expect(await readCursor()).toEqual(before);
    expect(payments.alerts.noted).not.toContain(`credited transfer of ${request.id} disappeared`);

    payments.secondEndpoint.others.set(NETWORK, endpointOnFork());
    await payments.follow();

    expect((await payments.read(request)).transfers).toMatchObject([{ counted: false }]);
    expect(payments.alerts.noted).toContain(`credited transfer of ${request.id} disappeared`);
  });
});

describe('A payment that was not final', () => {
  it('stops counting even while the second endpoint is away', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    await payments.follow();

    payments.secondEndpoint.isAway = true;
    payments.chain.removeNewestBlocks(1);
    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.receivedAmount, read.transfers]).toEqual([0n, []]);
  });
});

const readAlong = async () => {
  payments.chain.mineEmpty(BLOCKS_READ);
  await payments.follow();
};
const runIterationOf = (watcher: ReturnType<Payments['watcher']>) => watcher.follow(NETWORK, payments.epoch);

/**
 * Makes the endpoint return new blocks whose parent hash is unknown.
 * @returns a function that ends this
 */
function returnUnlinkedBlocks(): () => void {
  const { chain } = payments;
  const told = chain.answeredBlock.bind(chain);
  chain.answeredBlock = (read) => {
    const { header, ...contents } = told(read);
    return { ...contents, header: { ...header, parentHash: `0x${'7'.repeat(64)}` } };
  };
  return () => Object.assign(chain, { told });
}

describe('An endpoint that has our newest block and the successor of another', () => {
  beforeEach(readAlong);

  it('is left for another endpoint if this continues', async () => {
    const watcher = payments.watcher();
    const before = await readCursor();
    payments.chain.mineEmpty(2);
    returnUnlinkedBlocks();

    const first = await runIterationOf(watcher);
    const doubtedAtOnce = [...payments.chain.doubted];
    const second = runIterationOf(watcher);

    await expect(second).rejects.toThrow(
      `it returns block ${BLOCKS_READ} that the service has read, but reports a chain`,
    );
    expect([first, doubtedAtOnce]).toEqual([false, []]);
    expect(payments.chain.doubted).toEqual([expect.stringContaining(`block ${BLOCKS_READ}`)]);
    expect([await readCursor(), payments.alerts.noted]).toEqual([before, []]);
  });

  it('moves nothing back for a lower head that it does not have itself', async () => {
    payments.chain.mine();
    await payments.follow();
    const before = await readCursor();
    payments.chain.nextHead = {
      ...(await payments.chain.blockHeader(BLOCKS_READ))!,
      hash: `0x${'e'.repeat(64)}`,
    };

    const more = await payments.turn();

    expect([more, await readCursor()]).toEqual([false, before]);
  });
});

describe('An endpoint on a fork below all final blocks', () => {
  beforeEach(readAlong);

  it('is found by one question to it and one to the other endpoint', async () => {
    const before = await readCursor();
    const honest = new ChainModel(payments.chain.tip.time, CONFIRMATIONS, 60);
    honest.blockHeader = (number) => payments.watched.block(NETWORK, number);
    payments.secondEndpoint.others.set(NETWORK, honest);
    payments.chain.removeNewestBlocks(BLOCKS_READ + 1);
    payments.chain.mineAt(await payments.platform.clock.now());
    payments.chain.mineEmpty(BLOCKS_READ + 5);
    const asked: unknown[] = [];
    const { finalNumber } = before;
    payments.chain.beforeAnswer = (question, about) => {
      if (question === 'block' && Number(about) <= BLOCKS_READ) asked.push(about);
    };

    await payments.turn();

    expect(asked).toEqual([finalNumber]);
    expect(payments.chain.doubted).toEqual([
      `one endpoint has replaced the final block ${finalNumber}, but another endpoint still has it.`,
    ]);
    expect({ ...(await readCursor()), disagreement: null }).toEqual(before);
  });
});
