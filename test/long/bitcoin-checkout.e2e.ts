import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ADDRESS_FORMATS } from '#chains/bitcoin/addresses/address-format.js';
import { readAddress } from '#chains/bitcoin/addresses/address-script.js';
import { BitcoinChain } from '#chains/bitcoin/testing/bitcoin-chain.js';
import { BitcoinNode } from '#chains/bitcoin/testing/bitcoin-node.js';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { PayerWorld, SHOP, sees, standsAt } from '#test/support/payer-world.js';
import { copyShop } from '#test/support/copied-shop.js';
import { eventually } from '#test/support/eventually.js';
import { RateServer } from './rate-server.js';
import { modulesOf, scan } from '#test/support/scan.js';

const BTC = 'nbitcoin_tBTC';
/** Another implementation computes the same addresses (test/fixtures/bitcoin/addresses.json). */
const DESCRIPTOR =
  'wpkh([73c5da0a/84h/1h]tpubDB5GSFrKWykZsJgwdd9ViGUECU8AQvTxig4iZonrS5BJ2k9V4ucfHifnXTNfRExUaDsLvZedPfbEN2iphbq11CMDe4WJQAvQRqXaGJuwhwk/3/2147483647/0/*)#xx8kyfqw';
const ADDRESS = 'bcrt1qqn3fw523uuqlh8mjj0nqpyphsyysz7l67gr49w';

let chain: BitcoinChain;
let node: BitcoinNode;
let rates: RateServer;
let world: PayerWorld;
let shop: string;

beforeAll(async () => {
  chain = BitcoinChain.begun(Date.now());
  node = new BitcoinNode(chain);
  rates = await RateServer.listen();
  rates.set('BTC', 'USD', { kraken: '100000', coinbase: '100000' });
  const asset = { token: 'BTC', symbol: 'BTC', name: 'Bitcoin', decimals: 8, minimum_amount: '0.00001' };
  const network = {
    network: 'bitcoin',
    name: 'Bitcoin',
    family: 'bitcoin',
    chain: 'regtest',
    explorer_url: 'https://explorer.example',
  };
  const moreNetworks = [
    { ...network, rpc_urls: [await node.start()], mempool_poll_seconds: 1, assets: [asset] },
  ];
  world = await PayerWorld.start({ wallet: false, settings: rates.settings, moreNetworks });
  const { organizationId } = world.service.seed;
  await operator('descriptor', 'set', '--organization', organizationId, '--descriptor', DESCRIPTOR);
  shop = await copyShop(world.service, { payment_options: [BTC, world.asset('USDC').unique_asset_id] });
});

afterAll(async () => {
  await world?.stop();
  await rates?.close();
  await node?.stop();
});

afterEach(() => world.leave());

async function operator(...words: string[]): Promise<string> {
  const args = [join(process.cwd(), 'dist', 'cli.js'), ...words, '--network', 'bitcoin', '--yes', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: world.service.environment });
  return stdout;
}

/** 2,500 dollars are 0.025 BTC, which three blocks make final. */
function checkout(): Promise<CheckoutDto> {
  const body = { amount: '2500', coin_code: 'USD', return_url: `${SHOP}/thanks` };
  return world.service.api.post(`/v1/pos/${shop}/payment-request-checkout`, body);
}

const progress = ({ id }: { id: string }) =>
  world.service.api.get<PaymentRequestDto & { transfers: object[]; received_amount: string }>(
    `/v1/pos/${shop}/payment-request/${id}`,
  );

async function becomes(made: CheckoutDto, status: string, received: string): Promise<void> {
  await eventually(
    () => progress(made),
    (now) => now.status === status && now.received_amount === received,
  );
}

/** The output that a wallet makes of a BIP-21 URI. */
function outputOf(uri: string): { address: string; script: string; amount: bigint } {
  const [, address, amount] = /^bitcoin:([^?]*)\?amount=([0-9.]+)$/i.exec(uri)!;
  const { script, address: spelled } = readAddress(
    ADDRESS_FORMATS.regtest,
    'address',
    address!.toLowerCase(),
  );
  return { address: spelled, script, amount: BigInt(Math.round(Number(amount) * 1e8)) };
}

function mine(): void {
  chain.now = Date.now();
  chain.mine();
}

describe('A payer who chooses BTC', () => {
  it('sees a transfer by QR code or link from the mempool to the receipt', async () => {
    const made = await checkout();
    const page = await world.open(made);
    await page.getByRole('button', { name: /BTC/ }).click();
    await standsAt(page, 'Waiting for your payment');
    await sees(page, 'A payment detected in time counts if a block includes it within 24 hours');
    const uri = (await page.locator('#open-uri').getAttribute('href'))!;
    const output = outputOf(uri);
    expect(output).toMatchObject({ address: ADDRESS, amount: 2_500_000n });
    const code = uri.replace(output.address, output.address.toUpperCase());
    const modules = modulesOf(code, 'smallest');
    await page.getByText('Copy the address or scan').click();
    expect(await scan(page.locator('#way-address .qr img'), modules.length)).toEqual(modules);

    const { txid } = chain.pay([output]);
    await becomes(made, 'processing', '0.025');
    await world.poll(page);
    await standsAt(page, 'Payment detected, waiting for a block');
    await sees(page, '0 of 3 confirmations');
    const [pending] = (await progress(made)).transfers;
    expect(pending).toMatchObject({ kind: 'output', from: 'unknown', transaction_hash: txid, counted: true });
    expect(pending).not.toHaveProperty('block_number');

    mine();
    await sees(page, '1 of 3 confirmations');
    await standsAt(page, 'Payment detected, confirming');
    mine();
    mine();
    await becomes(made, 'completed', '0.025');
    await world.poll(page);
    await standsAt(page, 'Payment complete');
    expect(await page.locator('div.receipt').textContent()).toMatch(
      new RegExp(`Paid with0\\.025\\sBTC on Bitcoin.*Transaction${txid}`),
    );

    const receipt = await page.locator('#receipt').getAttribute('href');
    const kept = await world.blank();
    await kept.goto(new URL(receipt!, page.url()).href);
    await sees(kept, txid);
    expect(await world.service.breaches()).toEqual([]);
  });
});
