import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import type { SandboxTronNetwork } from '#sandbox/folder/sandbox-folder.js';
import { WebhookReceiver } from '#sandbox/merchant/webhook-receiver.js';
import { TRON_NETWORK, TRON_TERMS } from '#sandbox/tron/tron-network.js';
import type { ApiClient } from '#test/support/api-client.js';
import { eventually } from '#test/support/eventually.js';
import { GENEROUS_LIMITS } from '#test/support/generous-limits.js';
import { SandboxWorld } from '#test/support/sandbox-world.js';

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

  it('is neither settled nor hidden: the operator reads where the funds are', async () => {
    expect(await operator('network', 'check', TRON_NETWORK)).toContain('sends no transactions on TRON');
    expect(await operator('float', 'open', world.file().organization_id, TRON_NETWORK)).toContain(
      'cannot send transactions on this network',
    );
    expect(await operator('settlement', 'status', '--network', TRON_NETWORK)).toContain(
      'Nothing can be settled',
    );
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
