import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TransactionDto } from '#contexts/ledger/infrastructure/http/transaction.dto.js';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { BITCOIN_NETWORK } from '#sandbox/bitcoin/bitcoin-network.js';
import { KeptBlocks } from '#sandbox/bitcoin/kept-blocks.js';
import type { SentPayment } from '#sandbox/bitcoin/payer-wallet.js';
import { SandboxBitcoin } from '#sandbox/bitcoin/sandbox-bitcoin.js';
import { scriptOf } from '#sandbox/bitcoin/witness-key.js';
import { sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import { describeOnBtcd } from './btcd.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import type { ApiClient } from '#test/support/api-client.js';
import { eventually } from '#test/support/eventually.js';
import { GENEROUS_LIMITS } from '#test/support/generous-limits.js';
import { SandboxWorld } from '#test/support/sandbox-world.js';
import { childrenOf, killAll } from '#test/support/sandbox-programs.js';

const PAST_THE_DEADLINE = '12m';
const SMALL = 50_000n;
const LARGE = 20_000_000n;
const FINAL = 6;

describeOnBtcd('A Bitcoin payment, on btcd', () => {
  let world: SandboxWorld;
  let bitcoin: SandboxBitcoin;
  let posId: string;
  let client: ApiClient;

  beforeAll(async () => {
    world = await SandboxWorld.make();
    await world.start({ SANDBOX_BITCOIN_BLOCK_SECONDS: '3600', ...GENEROUS_LIMITS }, ['--bitcoin']);
    client = world.client();
    const { networks, bitcoin_pos_id } = world.file();
    posId = bitcoin_pos_id!;
    const { rpc_url } = networks.find(({ network }) => network === BITCOIN_NETWORK)!;
    const kept = new KeptBlocks(join(world.directory, 'bitcoin', 'blocks'));
    bitcoin = new SandboxBitcoin(rpc_url, sandboxPayer.private_key, 3_600, kept);
  });
  afterAll(async () => {
    await world?.stop();
    await world?.remove();
  });

  const btc = (amount: bigint) =>
    `${amount / 100_000_000n}.${String(amount % 100_000_000n).padStart(8, '0')}`;

  const ask = (amount: bigint): Promise<PaymentRequestProgressDto> =>
    client.post(`/v1/pos/${posId}/payment-request`, {
      amount: btc(amount),
      unique_asset_id: `n${BITCOIN_NETWORK}_tBTC`,
      reference_id: 'an order',
    });

  const read = (id: string) =>
    client.get<PaymentRequestProgressDto>(`/v1/pos/${posId}/payment-request/${id}`);

  const until = (id: string, isSo: (request: PaymentRequestProgressDto) => boolean) =>
    eventually(() => read(id), isSo);

  const becomes = async (id: string, status: string) =>
    (await until(id, (request) => request.status === status)).status;

  const received = (id: string, amount: bigint) =>
    until(id, ({ received_amount }) => Number(received_amount) === Number(btc(amount)));

  function pay({ address }: PaymentRequestProgressDto, amount: bigint, sending?: SentPayment) {
    return bitcoin.wallet.send([{ script: scriptOf(address!)!, amount }], sending);
  }

  async function operator(...words: string[]): Promise<string> {
    const { stdout, stderr, ended } = world.run('cli.js', words);
    if ((await ended) !== 0) throw new Error(`${words.join(' ')}: ${stdout()}${stderr()}`);
    return stdout();
  }

  const nodes = () =>
    childrenOf(world.running.process.pid!)
      .filter(({ command }) => command.includes('--regtest'))
      .map(({ pid }) => pid);

  it('is processing before its block, and completed by it', async () => {
    const request = await ask(SMALL);

    await pay(request, SMALL);
    expect(await becomes(request.id, 'processing')).toBe('processing');
    await bitcoin.miner.mine();

    expect(await becomes(request.id, 'completed')).toBe('completed');
  });

  it('counts as long as no replacement pays another recipient', async () => {
    const [kept, removed] = [await ask(SMALL), await ask(SMALL)];
    const [first, other] = [await pay(kept, SMALL, { feeRate: 1 }), await pay(removed, SMALL)];
    await received(kept.id, SMALL);
    await received(removed.id, SMALL);

    const second = await pay(kept, SMALL, { inPlaceOf: first });
    await bitcoin.wallet.send([{ script: bitcoin.wallet.key.script, amount: SMALL }], { inPlaceOf: other });

    expect((await received(removed.id, 0n)).status).toBe('processing');
    await bitcoin.miner.mine();
    await becomes(kept.id, 'completed');
    const { received_amount, transfers } = await read(kept.id);
    expect(Number(received_amount)).toBe(Number(btc(SMALL)));
    expect(transfers.map(({ transaction_hash }) => transaction_hash)).toEqual([second.txid]);
    expect((await read(removed.id)).status).toBe('processing');
  });

  it('counts after every node has dropped it, and completes when it is sent again', async () => {
    const request = await ask(SMALL);
    const { txid, bytes } = await pay(request, SMALL);
    await received(request.id, SMALL);
    const newest = (await bitcoin.miner.tip()).hash;

    const [killed] = nodes();
    killAll([killed!]);
    const tip = () => bitcoin.miner.tip().catch(() => undefined);
    await eventually(async () => (await tip())?.hash === newest && nodes().every((pid) => pid !== killed));
    expect(await bitcoin.wallet.isHeld(txid)).toBe(false);

    expect(await read(request.id)).toMatchObject({ status: 'processing' });
    await received(request.id, SMALL);
    await bitcoin.rpc.call('sendrawtransaction', bytes.toString('hex'));
    await bitcoin.miner.mine();
    expect(await becomes(request.id, 'completed')).toBe('completed');
  });

  it.each([1, FINAL - 1, FINAL, 10])(
    'is completed once after a reorganization of %i blocks',
    async (depth) => {
      const request = await ask(LARGE);
      // Nothing that is final by its depth is among the blocks that are replaced.
      await bitcoin.miner.mine({ blocks: FINAL, take: 'nothing' });
      const { txid } = await pay(request, LARGE);
      await bitcoin.miner.mine();
      await received(request.id, LARGE);
      await bitcoin.miner.mine({ blocks: Math.min(depth, FINAL - 1) - 1, take: 'nothing' });

      await bitcoin.reorganize(depth, depth % 2 === 0);
      await received(request.id, LARGE);
      expect((await read(request.id)).status).toBe('processing');
      await bitcoin.miner.mine({ blocks: FINAL + 1 });

      const { transfers } = await until(request.id, ({ status }) => status === 'completed');
      expect(transfers.map(({ transaction_hash }) => transaction_hash)).toEqual([txid]);
    },
  );

  it('is reversed if another branch spends its coins after one confirmation', async () => {
    const request = await ask(SMALL);
    const { coins } = await pay(request, SMALL);
    const below = await bitcoin.miner.tip();
    await bitcoin.miner.mine();
    await until(request.id, ({ transfers: [one] }) => one?.booked_as === 'payment_in');

    const { key } = bitcoin.wallet;
    const whole = coins.reduce((sum, { amount }) => sum + amount, 0n);
    const rival = key.spend(coins, [{ script: key.script, amount: whole - 10_000n }]);
    const [instead] = await bitcoin.miner.mine({ on: below, take: [rival] });
    await bitcoin.miner.mine({ on: instead!, take: 'nothing' });

    const reversed = await until(request.id, ({ transfers: [one] }) => Boolean(one?.reversed_at));
    expect(reversed.status).toBe('completed');
    const adjustments = () =>
      client.get<PageBody<TransactionDto>>('/v1/transactions?type=adjustment&page=1&page_size=100');
    const { data } = await eventually(adjustments, ({ total }) => total > 0);
    expect(data).toMatchObject([{ payment_request_id: request.id, gross_amount: `-${Number(btc(SMALL))}` }]);
  });

  it('is underpaid, late or in time by the time at which it was seen', async () => {
    const [less, late, slow] = [await ask(SMALL), await ask(SMALL), await ask(SMALL)];
    await pay(less, SMALL - 1_000n);
    await bitcoin.miner.mine();
    const { txid } = await pay(slow, SMALL, { feeRate: 1 });
    await received(slow.id, SMALL);

    await operator('clock', 'advance', PAST_THE_DEADLINE, '--yes');
    expect(await becomes(less.id, 'underpaid')).toBe('underpaid');
    expect(await becomes(late.id, 'expired')).toBe('expired');
    expect((await read(slow.id)).status).toBe('processing');
    await pay(late, SMALL);
    await operator('clock', 'advance', '61m', '--yes');

    const { transfers } = await until(slow.id, ({ status }) => status === 'completed');
    expect(transfers.map(({ transaction_hash }) => transaction_hash)).toEqual([txid]);
    const [deposit] = (await until(late.id, ({ transfers: [one] }) => one?.booked_as !== undefined))
      .transfers;
    expect(deposit!.booked_as).toBe('deposit');
    expect((await read(late.id)).status).toBe('expired');
  });

  it('leaves a ledger that agrees with the chain', async () => {
    await operator('verify', '--chain');
  });
});
