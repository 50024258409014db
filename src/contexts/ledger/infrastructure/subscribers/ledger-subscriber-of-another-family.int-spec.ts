import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { logSettled } from '#shared/platform/event-log/testing/log-settled.js';
import { ChainTypes } from '#contexts/networks/application/chain-types.js';
import { MemoryChain } from '#contexts/networks/testing/memory-chain.js';
import {
  MEMORY_ACCOUNT,
  MEMORY_COIN,
  MEMORY_CONFIGURATION,
  MEMORY_NETWORK,
  MemoryChainType,
} from '#contexts/networks/testing/memory-chain-type.js';
import { ledgerSubscriberOn } from '../../testing/open-ledger.js';
import { CreatePaymentRequest } from '#contexts/payments/application/requests/create-payment-request.js';
import { AssignAddress } from '#contexts/payments/application/requests/assign-address.js';
import { SmallCatalogue, someTerms } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments(3, new SmallCatalogue([MEMORY_CONFIGURATION], [MEMORY_COIN]));
});
afterEach(() => payments.close());

/** Use cases of payments, wired as in the service, on a network whose chain is simulated. */
async function onMemoryNetwork() {
  const { platform, catalogue, pointsOfSale } = payments;
  const chain = new MemoryChain(MEMORY_COIN.token, await platform.clock.now());
  const chainTypes = new ChainTypes([MEMORY_CONFIGURATION], [new MemoryChainType(chain)]);
  const watcher = payments.watcher(chainTypes);
  const epoch = payments.epochOf(MEMORY_NETWORK);
  const point = await pointsOfSale.open({
    paymentOptions: [MEMORY_COIN.uniqueAssetId],
    terms: new Map([[MEMORY_NETWORK, { ...someTerms(MEMORY_NETWORK), settlementAddress: 'rMERCHANT' }]]),
  });
  const assignAddress = new AssignAddress(catalogue, chainTypes);
  const { storeNewRequest, tokens, settings } = payments;
  const create = new CreatePaymentRequest(storeNewRequest, assignAddress, tokens, settings);
  const follow = async () => {
    while (await watcher.follow(MEMORY_NETWORK, epoch));
  };
  const request = async () =>
    create.create({
      scope: { organizationId: point.organizationId, accountId: null },
      pointOfSaleId: point.id,
      amount: '10.00',
      uniqueAssetId: MEMORY_COIN.uniqueAssetId,
      at: await platform.clock.now(),
    });
  return { chain, follow, request };
}

async function memoOf(id: string): Promise<string> {
  const [row] = await payments.database.query<{ tag: string }>(
    'SELECT tag FROM payments.deposit_addresses WHERE payment_request_id = $1',
    [id],
  );
  return row!.tag;
}

async function postToLedger(): Promise<void> {
  const { database } = payments;
  const runner = new SubscriberRunner(database, ledgerSubscriberOn(database));
  await runner.register();
  await logSettled(database);
  while (await runner.applyNextBatch());
}

describe('A network on which payment requests share an account', () => {
  it('posts the transfer with the memo of a payment request, and credits no request with other transfers', async () => {
    const { chain, follow, request } = await onMemoryNetwork();
    await follow();
    const paid = await request();
    const other = await request();
    const memo = await memoOf(paid.id);

    const transfer = { from: 'rPAYER', to: MEMORY_ACCOUNT, amount: 10_000_000n };
    chain.mine(transfer, { ...transfer, memo: '1' }, { ...transfer, memo });
    for (let i = 0; i < 3; i += 1) chain.mine();
    await follow();
    await postToLedger();

    expect(paid.address).toBe(MEMORY_ACCOUNT);
    expect(await memoOf(other.id)).not.toBe(memo);
    expect(await payments.read(paid)).toMatchObject({ status: 'completed', receivedAmount: 10_000_000n });
    expect(await payments.read(other)).toMatchObject({ status: 'created', receivedAmount: 0n });
    expect(
      await payments.database.query(
        `SELECT type, gross_amount, net_amount, from_address, to_address FROM ledger.transactions
         WHERE payment_request_id = $1`,
        [paid.id],
      ),
    ).toEqual([
      {
        type: 'payment_in',
        grossAmount: 10_000_000n,
        netAmount: 9_900_000n,
        fromAddress: 'rPAYER',
        toAddress: MEMORY_ACCOUNT,
      },
    ]);
    expect(await payments.database.query('SELECT FROM payments.transfers')).toHaveLength(1);
    expect(await payments.breaches()).toEqual({});
  });
});
