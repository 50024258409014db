import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blockHead, chainRpc } from '#sandbox/chain/chain-rpc.js';
import { KillableSandbox } from '#test/faults/killable-sandbox.js';
import { MerchantReceiver } from '#test/faults/merchant-receiver.js';
import { promised, Shop, until, type Order } from '#test/faults/orders.js';

/** Longer than a busy machine takes to start everything anew: what is paid again then is still in time. */
const WINDOW_SECONDS = 900;
/** The window and the sandbox chain's inclusion grace of a minute, and some. */
const PAST_THE_DEADLINE = '17m';

let sandbox: KillableSandbox;
let shop: Shop;
let receiver: MerchantReceiver;
let paidAgain: Order;
let leftUnpaid: Order;
let lostBlocks: { number: number; hash: string }[];

beforeAll(async () => {
  sandbox = await KillableSandbox.start({ PAYMENT_WINDOW_SECONDS: String(WINDOW_SECONDS) });
  shop = new Shop(sandbox);
  receiver = await MerchantReceiver.register(sandbox);
}, 150_000);

afterAll(async () => {
  await receiver?.close();
  expect(await sandbox?.end()).toEqual([]);
});

describe('Everything killed at once, where the chain loses its last seconds', () => {
  it('loses the blocks that two payments were seen in', async () => {
    paidAgain = await shop.order('exactly');
    leftUnpaid = await shop.order('exactly');
    const earlier = await freshCopyOfTheChain();
    // No block comes by itself, so that the payments cannot become final before everything is killed.
    await chainRpc(sandbox.chainUrl, 'evm_setIntervalMining', [0]);
    for (const order of [paidAgain, leftUnpaid]) await shop.payNextPart(order);
    await chainRpc(sandbox.chainUrl, 'evm_mine', []);
    for (const { request } of [paidAgain, leftUnpaid]) {
      await until('the payment was seen', async () => (await shop.read(request.id)).status === 'processing');
    }
    lostBlocks = await blocksOfThePayments();
    const newest = Math.max(...lostBlocks.map(({ number }) => number));
    await chainRpc(sandbox.chainUrl, 'evm_mine', []);
    await until('another block on top has been read', async () => {
      const [cursor] = await sandbox.query<{ head_number: string }>(
        'SELECT head_number FROM payments.chain_cursors',
      );
      return Number(cursor!.head_number) > newest;
    });

    await sandbox.killEverything();
    copyFileSync(earlier, sandbox.folder.chain);
    await sandbox.start();

    for (const { number, hash } of lostBlocks) {
      await until('the chain has grown past it', async () => (await headNumber()) >= number);
      expect((await blockHead(sandbox.chainUrl, number)).hash).not.toBe(hash);
    }
    for (const order of [paidAgain, leftUnpaid]) expect(await shop.blockOf(order)).toBeUndefined();
  }, 150_000);

  it('ends as a reorganisation: the operator is alerted, and what was received is not lost', async () => {
    const alert = /"event":"chain.reorganized".*"network":"sandbox","depth":(\d+),"ancestor":(\d+)/;
    await until('the reorganisation is logged', () => alert.test(sandbox.log('worker')));

    const [, depth, ancestor] = alert.exec(sandbox.log('worker'))!.map(Number) as [number, number, number];
    expect(depth).toBeGreaterThan(1);
    for (const { number } of lostBlocks) expect(ancestor).toBeLessThan(number);
    const transfers = await sandbox.query<{ canonical: boolean; counted: boolean }>(
      'SELECT canonical, counted FROM payments.transfers',
    );
    expect(transfers).toEqual([
      { canonical: false, counted: false },
      { canonical: false, counted: false },
    ]);
    for (const { request } of [paidAgain, leftUnpaid]) {
      const progress = await shop.read(request.id);
      expect(progress).toMatchObject({ status: 'processing', received_amount: '0', transfers: [] });
      expect(await shop.transactionsOf(request.id)).toEqual([]);
    }
    process.stdout.write(`Everything killed at once: ${depth} blocks were lost, ancestor ${ancestor}\n`);
  });

  it('completes once, once it is paid again', async () => {
    const { status, history, gross, net } = promised(paidAgain);
    paidAgain.hashes.length = 0;
    await shop.payNextPart(paidAgain);
    const { id } = paidAgain.request;
    await until('it is in the ledger', async () => (await shop.transactionsOf(id)).length > 0);

    const progress = await shop.read(id);
    expect(progress).toMatchObject({ status, received_amount: gross });
    expect(progress.status_history.map((step) => step.status)).toEqual(history);
    expect(await shop.transactionsOf(id)).toMatchObject([
      { type: 'payment_in', gross_amount: gross, net_amount: net, transaction_hash: paidAgain.hashes[0] },
    ]);
    await until(
      'both steps are delivered',
      () => new Set(receiver.of(id).map((one) => one.status)).size === 2,
    );
    expect(new Set(receiver.of(id).map(({ webhookId }) => webhookId)).size).toBe(2);
  });

  it('expires what is not paid again, and every invariant holds', async () => {
    const { id } = leftUnpaid.request;
    expect(await shop.read(id)).toMatchObject({ status: 'processing' });

    expect(await sandbox.operator('clock', 'advance', PAST_THE_DEADLINE, '--yes')).toMatchObject({
      exitCode: 0,
    });

    await until('it has expired', async () => (await shop.read(id)).status === 'expired');
    const progress = await shop.read(id);
    expect(progress.status_history.map((step) => step.status)).toEqual(['created', 'processing', 'expired']);
    expect(progress).toMatchObject({ received_amount: '0', transfers: [] });
    expect(await shop.transactionsOf(id)).toEqual([]);
    expect(receiver.of(id).every(({ status, verified }) => status === 'processing' && verified)).toBe(true);
    expect(await sandbox.verify()).toEqual({ exitCode: 0, broken: [] });
  });
});

/** Copies what the sandbox keeps at this moment: nothing after it will be there. @returns its path */
async function freshCopyOfTheChain(): Promise<string> {
  const { chain } = sandbox.folder;
  const before = statSync(chain).mtimeMs;
  await until('the chain is kept anew', () => statSync(chain).mtimeMs > before, { everyMs: 5 });
  const copy = join(sandbox.folder.logs, 'chain-of-before');
  copyFileSync(chain, copy);
  return copy;
}

async function blocksOfThePayments(): Promise<{ number: number; hash: string }[]> {
  const numbers = await Promise.all([paidAgain, leftUnpaid].map((order) => shop.blockOf(order)));
  return Promise.all(
    numbers.map(async (number) => ({
      number: number!,
      hash: (await blockHead(sandbox.chainUrl, number!)).hash,
    })),
  );
}

const headNumber = async () => Number((await blockHead(sandbox.chainUrl)).number);
