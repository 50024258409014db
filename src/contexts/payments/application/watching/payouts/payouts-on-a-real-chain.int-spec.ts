import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createWalletClient,
  encodeFunctionData,
  getAddress,
  http,
  publicActions,
  toHex,
  type Address,
} from 'viem';
import { startTestChain, type TestChain } from '#test/support/chain.js';
import type { Asset } from '#shared/kernel/asset.js';
import type { ChainReader } from '#contexts/networks/contract/chain-reader.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { contractArtifact } from '#contexts/networks/infrastructure/evm/forwarders/forwarder-artifacts.js';
import { ForwarderAddresses } from '#contexts/networks/infrastructure/evm/forwarders/forwarder-addresses.js';
import {
  ForwarderDerivations,
  saltOf,
} from '#contexts/networks/infrastructure/evm/forwarders/forwarder-derivation.js';
import { deployFactory, deployTestToken, sendToToken } from '#contexts/networks/testing/chain-contracts.js';
import { nodeLayer } from '#contexts/networks/testing/node-layer.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import {
  COIN,
  DOLLAR,
  NETWORK,
  SmallCatalogue,
  someTerms,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { payoutInvariants } from '#contexts/payments/infrastructure/watching/persistence/payouts/payout-invariants.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

const ZERO: Address = `0x${'0'.repeat(40)}`;
/** The sample network needs so many confirmations. */
const CONFIRMATIONS = 3;
const TERMS = someTerms(NETWORK);

let chain: TestChain;
let payments: Payments;
let factory: Address;
let dollar: Asset;
let ether: Asset;
let layer: ReturnType<typeof nodeLayer>;
let addresses: ForwarderAddresses;

beforeAll(async () => {
  chain = await startTestChain();
  factory = (await deployFactory(chain.url)).factory as Address;
  dollar = await deployed('USDX', 6);
  ether = await deployed('WETH', 18);
  const assets = [dollar, ether].map(({ token, symbol, decimals }) =>
    sampleAsset({ token, symbol, decimals }),
  );
  const settings = settingsFor(chain.url, { assets: [...assets, nativeAsset()] });
  const readiness = new NetworkReadiness();
  readiness.set(NETWORK, { kind: 'ready' });
  layer = nodeLayer(settings, readiness);
  addresses = new ForwarderAddresses(new ForwarderDerivations(settings), readiness);
  const [sandbox] = new SmallCatalogue().networks();
  payments = await openPayments(CONFIRMATIONS, new SmallCatalogue([sandbox!], [dollar, ether, COIN]));
  await follow();
});
afterAll(async () => {
  await payments.close('any');
  await chain.stop();
});

async function deployed(symbol: string, decimals: number): Promise<Asset> {
  const token = await deployTestToken(chain.url, decimals);
  const uniqueAssetId = `n${NETWORK}_t${getAddress(token)}`;
  return { ...DOLLAR, token: token.toLowerCase(), symbol, decimals, uniqueAssetId };
}

/** Turns until the newest block is read, and all that is final was read again. @param reader of the first reading */
async function follow(reader: ChainReader = layer.reader): Promise<void> {
  const watcher = payments.watcher({ reader, secondEndpoint: layer.secondEndpoint });
  const newest = await chain.rpc<{ number: string; hash: string }>('eth_getBlockByNumber', ['latest', false]);
  const final = Number(newest.number) - CONFIRMATIONS + 1;
  for (;;) {
    const more = await watcher.execute(NETWORK, payments.epoch);
    const cursor = await payments.watched.cursor(NETWORK);
    const isRead = cursor?.head.hash === newest.hash && (cursor.finalNumber ?? -1) >= final;
    if (!more && isRead) return;
    // The endpoints are asked for their heads now and then, not with every turn.
    if (!more) await pause(20);
  }
}

async function final(): Promise<void> {
  await chain.mine(CONFIRMATIONS + 1);
  await follow();
}

/** Requests of one account at forwarders of the chain's factory. */
async function requests(count: number): Promise<PaymentRequestView[]> {
  const point = await payments.pointsOfSale.open({
    paymentOptions: [dollar.uniqueAssetId],
    terms: new Map([[NETWORK, TERMS]]),
  });
  const made: PaymentRequestView[] = [];
  for (let i = 0; i < count; i += 1) {
    const request = await payments.request({ uniqueAssetId: dollar.uniqueAssetId }, point);
    const { address, derivation } = addresses.derive(NETWORK, TERMS, { requestId: request.id });
    await payments.database.query(
      'UPDATE payments.deposit_addresses SET address = $1, derivation = $2 WHERE payment_request_id = $3',
      [address, derivation, request.id],
    );
    made.push({ ...request, address });
  }
  return made;
}

async function send(transaction: { to: Address; value?: bigint; data?: `0x${string}` }, account = 0) {
  const client = createWalletClient({ transport: http(chain.url), pollingInterval: 20 }).extend(
    publicActions,
  );
  const from = (await client.getAddresses())[account]!;
  // One price, so that what is sent again is the same transaction.
  const fixed = { chain: null, gas: 8_000_000n, gasPrice: 10n ** 10n };
  const hash = await client.sendTransaction({ ...transaction, account: from, ...fixed });
  const receipt = await client.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
  return hash;
}

const pay = ({ address }: PaymentRequestView, asset: Asset, amount: bigint) =>
  asset === COIN
    ? send({ to: address as Address, value: amount })
    : sendToToken(chain.url, asset.token as Address, 'mint', [address, amount]);

/** Settles by an account that has nothing to do with the service. */
function settle(...due: readonly (readonly [PaymentRequestView, Asset])[]) {
  const groups = due.map(([{ id }, asset]) => ({
    terms: {
      settlement: TERMS.settlementAddress,
      feeRecipient: TERMS.feeRecipient,
      feeBasisPoints: 100,
      homeChainId: 31_337n,
    },
    token: asset === COIN ? ZERO : asset.token,
    undeployed: false,
    salts: [toHex(saltOf(id))],
  }));
  const limits = { reading: 100_000n, payout: 650_000n, creation: 55_000n, fee: 200_000n, reserve: 20_000n };
  const { abi } = contractArtifact('ForwarderFactory');
  return send(
    { to: factory, data: encodeFunctionData({ abi, functionName: 'settle', args: [groups, limits] }) },
    4,
  );
}

async function told({ accountId }: PaymentRequestView) {
  return payments.database.query<{ type: string; group: string; data: Record<string, unknown> }>(
    `SELECT type, aggregate_id AS "group", data FROM platform.events
     WHERE type LIKE 'payouts.%' AND account_id = $1 ORDER BY transaction_id, position`,
    [accountId],
  );
}

/** Address, asset and amounts in each `payouts.seen` event. */
const paidOut = (events: Awaited<ReturnType<typeof told>>) =>
  events
    .filter(({ type }) => type === 'payouts.seen')
    .map(({ data }) =>
      (data.payouts as Record<string, string>[]).map((each) =>
        [each.address, each.uniqueAssetId, each.toSettlement, each.toFee].join(' '),
      ),
    );
const said = ({ address }: PaymentRequestView, asset: Asset, amount: bigint) =>
  [address, asset.uniqueAssetId, amount - amount / 100n, amount / 100n].join(' ');

describe('On a real chain, what an outsider has the factory pay out', () => {
  it('is told of every asset and account of one transaction, the first time and again', async () => {
    const [one, other] = (await requests(2)) as [PaymentRequestView, PaymentRequestView];
    const [stranger] = (await requests(1)) as [PaymentRequestView];
    const [dollars, ethers, coins] = [12_345_678n, 10n ** 18n + 12_345n, 10n ** 17n + 99n];
    await pay(one, dollar, dollars);
    await pay(one, COIN, coins);
    await pay(other, ether, ethers);
    await pay(stranger, dollar, 7_000n);
    const hash = await settle(
      [one, dollar],
      [one, COIN],
      [other, ether],
      [stranger, dollar],
      [other, dollar],
    );
    await follow();
    await pay(one, dollar, 500n);
    const again = await settle([one, dollar]);
    await final();

    const events = await told(one);
    expect(paidOut(events)).toEqual([
      [said(one, dollar, dollars), said(one, COIN, coins), said(other, ether, ethers)],
      [said(one, dollar, 500n)],
    ]);
    const seen = events.filter(({ type }) => type === 'payouts.seen').map(({ data }) => data);
    expect(seen).toMatchObject(
      [hash, again].map((transactionHash) => ({ transactionHash, from: factory.toLowerCase() })),
    );
    expect(events.filter(({ type }) => type === 'payouts.final')).toHaveLength(2);
    expect(paidOut(await told(stranger))).toEqual([[said(stranger, dollar, 7_000n)]]);
    expect(payments.alerts.noted).toEqual([]);
  });

  it('is taken back with its block, and told of anew where it is mined again', async () => {
    const [one] = (await requests(1)) as [PaymentRequestView];
    await pay(one, ether, 10n ** 18n);
    await final();
    const before = await chain.rpc('evm_snapshot');
    const hash = await settle([one, ether]);
    await follow();
    await chain.rpc('evm_revert', [before]);
    await chain.mine(1);
    expect(await settle([one, ether])).toBe(hash);
    await follow();
    await final();

    const events = await told(one);
    const [first, , second] = events.map(({ group }) => group);
    expect(events.map(({ type, group }) => [type, group])).toEqual([
      ['payouts.seen', first],
      ['payouts.removed', first],
      ['payouts.seen', second],
      ['payouts.final', second],
    ]);
    expect(events[0]!.data.blockHash).not.toBe(events[2]!.data.blockHash);
  });

  it('is told of by the second endpoint’s word where the first showed another amount', async () => {
    const [one] = (await requests(1)) as [PaymentRequestView];
    await pay(one, dollar, 1_000n);
    await follow();
    await settle([one, dollar]);
    const lying = Object.create(layer.reader) as ChainReader;
    lying.blocks = async (...asked) =>
      (await layer.reader.blocks(...asked)).map((block) => ({
        ...block,
        payouts: block.payouts.map((payout) => ({ ...payout, toFee: 0n })),
      }));
    await follow(lying);
    await final();

    const events = await told(one);
    expect(events.map(({ type }) => type)).toEqual([
      'payouts.seen',
      'payouts.removed',
      'payouts.seen',
      'payouts.final',
    ]);
    expect(paidOut(events)[1]).toEqual([said(one, dollar, 1_000n)]);
  });

  it('leaves books that keep all their promises', async () => {
    for (const { breaches } of payoutInvariants) expect(await payments.database.query(breaches)).toEqual([]);
  });
});
