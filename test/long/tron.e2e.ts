import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import type { RefundDto } from '#contexts/settlement/infrastructure/refunds/http/refund.dto.js';
import type { SettlementAnswer } from '#contexts/settlement/infrastructure/settling/http/settlement.dto.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import type { SandboxTronNetwork } from '#sandbox/folder/sandbox-folder.js';
import { WebhookReceiver } from '#sandbox/merchant/webhook-receiver.js';
import { TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import { TRON_NETWORK, TRON_TERMS } from '#sandbox/tron/tron-network.js';
import type { ApiClient } from '#test/support/api-client.js';
import { eventually } from '#test/support/eventually.js';
import { GENEROUS_LIMITS } from '#test/support/generous-limits.js';
import { SandboxWorld } from '#test/support/sandbox-world.js';

const TRON_ADDRESS = /T[1-9A-HJ-NP-Za-km-z]{33}/;
const HEX_ADDRESS = '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c';

describe('A payment on TRON', () => {
  let world: SandboxWorld;
  let client: ApiClient;
  let receiver: WebhookReceiver;
  let network: SandboxTronNetwork;
  let tronWeb: TronWeb;
  let posPath: string;

  beforeAll(async () => {
    world = await SandboxWorld.make();
    await world.start({ WATCH_INTERVAL_MS: '150', ...GENEROUS_LIMITS }, ['--tron']);
    client = world.client();
    const { tron, pos_id, account_id } = world.file();
    network = tron!;
    posPath = `/v1/pos/${pos_id}`;
    tronWeb = new TronWeb({ fullHost: network.url, privateKey: sandboxPayer.private_key.slice(2) });
    receiver = await WebhookReceiver.listen();
    const body = { url: receiver.url, event_type: 'payment_request' };
    receiver.secret = (
      await client.post<RegisteredWebhookDto>(`/v1/account/${account_id}/webhook`, body)
    ).secret;
  });
  afterAll(async () => {
    await receiver?.close();
    await world?.stop();
    await world?.remove();
  });

  const ask = (amount: string) =>
    client.post<PaymentRequestProgressDto>(`${posPath}/payment-request`, {
      ...{ amount, unique_asset_id: `n${TRON_NETWORK}_t${network.token}`, reference_id: 'an order' },
    });

  const until = ({ id }: { id: string }, isDone: (now: PaymentRequestProgressDto) => boolean) =>
    eventually(() => client.get<PaymentRequestProgressDto>(`${posPath}/payment-request/${id}`), isDone);

  const becomes = (asked: { id: string }, wanted: string) => until(asked, ({ status }) => status === wanted);

  /** @returns the transaction's id */
  async function pay(to: string, units: number): Promise<string> {
    const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
      network.token,
      'transfer(address,uint256)',
      { feeLimit: 100_000_000 },
      [
        { type: 'address', value: to },
        { type: 'uint256', value: units },
      ],
      network.payer,
    );
    const { txid } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));
    return txid;
  }

  async function operator(...words: string[]): Promise<string> {
    const { stdout, stderr, ended } = world.run('cli.js', words);
    await ended;
    return stdout() + stderr();
  }

  it('is processing in its block, completed when its block is solid, and reported by a webhook', async () => {
    const asked = await ask('12.5');
    expect(asked.address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);

    const txid = await pay(asked.address!, 12_500_000);
    const processing = await becomes(asked, 'processing');
    const done = await becomes(asked, 'completed');

    const transfer = { transaction_hash: txid, amount: '12.5', from: network.payer, counted: true };
    expect(processing.transfers).toMatchObject([{ ...transfer, final: false }]);
    expect(done.transfers).toMatchObject([{ ...transfer, final: true }]);
    await eventually(
      () => Promise.resolve(receiver.notificationsOf(asked.id).map(({ status }) => status)),
      (statuses) => statuses.includes('processing') && statuses.includes('completed'),
    );
    expect(receiver.refused).toEqual([]);
  });

  it('is underpaid by less, overpaid in two parts, and unchanged by TRX', async () => {
    const [less, parts, trx] = [await ask('5'), await ask('5'), await ask('5')];

    await pay(less.address!, 4_000_000);
    await pay(parts.address!, 2_000_000);
    await pay(parts.address!, 4_000_000);
    await tronWeb.trx.sendTransaction(trx.address!, 5_000_000);

    expect((await becomes(parts, 'overpaid')).transfers).toHaveLength(2);
    const progress = await client.get<PaymentRequestProgressDto>(`${posPath}/payment-request/${trx.id}`);
    expect([progress.status, progress.received_amount]).toEqual(['created', '0']);
    expect((await becomes(less, 'processing')).received_amount).toBe('4');
  });

  it('is paid by the sandbox’s wallet', async () => {
    const asked = await ask('1');
    const paid = world.run('pay.js', [asked.id]);

    expect(await paid.ended).toBe(0);
    expect(paid.stdout()).toContain('mined');
    await becomes(asked, 'completed');
  });

  it('is paid by the play-money wallet of the hosted page', async () => {
    const asked = await ask('3');
    const { unique_asset_id, address } = asked;
    const body = JSON.stringify({ unique_asset_id, address, amount: '3000000' });
    const headers = { 'content-type': 'application/json' };

    expect(
      (await fetch(`${world.file().wallet_url}/payments`, { method: 'POST', headers, body })).status,
    ).toBe(202);
    await becomes(asked, 'processing');
  });

  it('counts nothing once a reorganization drops its transfer', async () => {
    const asked = await ask('2');
    await pay(asked.address!, 2_000_000);
    await becomes(asked, 'processing');

    await operator('chain', 'reorg', '12', '--network', TRON_NETWORK, '--drop', '--yes');

    expect((await until(asked, ({ received_amount }) => received_amount === '0')).transfers).toEqual([]);
  });

  const balanceOf = async (address: string) => {
    const contract = tronWeb.contract(TOKEN_ABI as never, network.token);
    return BigInt((await contract.balanceOf(address).call()) as bigint);
  };
  const settled = (asked: { id: string }) => until(asked, ({ settlement_id }) => settlement_id !== undefined);

  it('is settled to the merchant and the fee recipient, and its address again after a later payment', async () => {
    const asked = await ask('100');
    await pay(asked.address!, 100_000_000);
    const { settlement_id } = await settled(asked);
    const settlement = await eventually(
      async () => {
        const path = `/v1/transactions/settlement/${world.file().account_id}`;
        const { data } = await client.get<PageBody<SettlementAnswer>>(path);
        return data.find(({ id }) => id === settlement_id);
      },
      (found) => found?.status === 'completed',
    );

    expect(settlement).toMatchObject({ settlement_address: TRON_TERMS.settlementAddress });
    expect(settlement!.transaction_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await balanceOf(asked.address!)).toBe(0n);
    await pay(asked.address!, 7_000_000);
    await eventually(
      () => balanceOf(asked.address!),
      (balance) => balance === 0n,
    );
  });

  it('is settled with 20 others in one transaction', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask('10')));
    await operator('settlement', 'status', '--network', TRON_NETWORK);
    for (const { address } of asked) await pay(address!, 10_000_000);
    const ids = new Set<unknown>();
    for (const each of asked) ids.add((await settled(each)).settlement_id);

    // Payments of two blocks can fall into two runs.
    expect(ids.size).toBeLessThanOrEqual(3);
  });

  it('is refunded from a float, whose transaction costs TRX', async () => {
    const { organization_id } = world.file();
    const opened = await operator('float', 'open', organization_id, TRON_NETWORK);
    expect(opened).toMatch(TRON_ADDRESS);
    const float = TRON_ADDRESS.exec(opened)![0];
    await pay(float, 50_000_000);
    await tronWeb.trx.sendTransaction(float, 200_000_000);
    const asked = await ask('4');
    await pay(asked.address!, 4_000_000);
    await becomes(asked, 'completed');

    const payer = tronWeb.utils.accounts.generateAccount().address.base58;
    const refund = await eventually(
      () =>
        client
          .post<RefundDto>(`/v1/refunds/payment-request/${asked.id}`, { refund_to_address: payer })
          .catch(() => null),
      (created) => created !== null,
    );
    const done = await eventually(
      () => client.get<RefundDto>(`/v1/refunds/${refund!.id}`),
      ({ status }) => status !== 'processing' && status !== 'pending',
    );

    expect(done).toMatchObject({ status: 'completed', amount: '4' });
    expect(await balanceOf(payer)).toBe(4_000_000n);
    expect(await operator('sender', 'status')).toContain('bandwidth');
  });

  it('has a factory that the operator can deploy', async () => {
    expect(await operator('network', 'check', TRON_NETWORK)).toContain(' 0 wrong, 0 warnings');
    expect(await operator('network', 'deploy', TRON_NETWORK)).toContain('already deployed');
  });

  it('agrees with the chain in the books of the service', async () => {
    const verified = world.run('cli.js', ['verify', '--chain']);

    expect([await verified.ended, verified.stdout()]).toEqual([0, expect.stringContaining(TRON_NETWORK)]);
  });

  it('rejects a settlement address in hex', async () => {
    const of = ['--organization', world.file().organization_id, '--network', TRON_NETWORK];
    const fee = ['--fee-recipient', TRON_TERMS.feeRecipient, '--fee-basis-points', '50'];

    expect(
      await operator('settlement-terms', 'set', ...of, '--address', HEX_ADDRESS, ...fee, '--yes'),
    ).toContain('must be a TRON address in Base58Check');
  });
});
