import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerSubscriberOn } from '#contexts/ledger/testing/open-ledger.js';
import { OutputChain } from '#contexts/networks/testing/output-chain.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import {
  OUTPUT_COIN,
  OUTPUT_CONFIGURATION,
  OUTPUT_NETWORK,
  OutputChainType,
} from '#contexts/networks/testing/output-chain-type.js';
import { AuditRecordsAgainstChain } from '#contexts/payments/application/audit/audit-records-against-chain.js';
import { ChainAuditQueries } from '#contexts/payments/infrastructure/audit/persistence/chain-audit-queries.js';
import { SmallCatalogue, walletTerms } from '#contexts/payments/testing/requests/collecting-world.js';
import { HashedOrWalletAddresses } from '#contexts/payments/testing/requests/hashed-addresses.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { UpdateSettlements } from '#contexts/settlement/application/settling/update-settlements.js';
import { PostgresSettlements } from '#contexts/settlement/infrastructure/settling/persistence/postgres-settlements.js';
import { settlementInvariants } from '#contexts/settlement/infrastructure/settling/persistence/settlement-invariants.js';
import { SettlementProjection } from '#contexts/settlement/infrastructure/settling/settlement-projection.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { logSettled } from '#shared/platform/event-log/testing/log-settled.js';
import { auditNetworkCompletely } from './operator/audit/verify-blockchains.js';
import { sourceInvariants } from '#test/support/source-invariants.js';

/** Bitcoin configuration without `pendingGraceSeconds`, so transfers in the mempool are not followed. */
const { pendingGraceSeconds: _, ...OF_BLOCKS } = OUTPUT_CONFIGURATION;
/** 0.01 coin in smallest units, an amount that is final after six confirmations. */
const AMOUNT = 1_000_000n;
let payments: Payments;
let chain: OutputChain;
let family: OutputChainType;
beforeAll(async () => {
  const catalogue = new SmallCatalogue([OF_BLOCKS], [OUTPUT_COIN]);
  payments = await openPayments(3, catalogue, new HashedOrWalletAddresses());
  chain = new OutputChain(OUTPUT_COIN.token, (await payments.platform.clock.now()).getTime());
  family = new OutputChainType(chain);
  await follow();
});
afterAll(() => payments.close());

const follow = async () => {
  const watcher = payments.watcher(new SameChain(family));
  while (await watcher.follow(OUTPUT_NETWORK, payments.epochOf(OUTPUT_NETWORK)));
};
const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i += 1) {
    chain.now += 1_000;
    chain.mine();
  }
};

/** Lets the ledger post, and settlement record the amounts waiting for settlement. */
async function post(): Promise<void> {
  const { database, platform } = payments;
  const settlements = new PostgresSettlements(database, platform.eventLog);
  const projection = new SettlementProjection(new UpdateSettlements(platform.clock, settlements));
  for (const subscriber of [ledgerSubscriberOn(database), projection]) {
    const runner = new SubscriberRunner(database, subscriber);
    await runner.register();
    await logSettled(database);
    while (await runner.applyNextBatch());
  }
}

/** Returns the names of the violated invariants of payments, ledger and settlement. */
async function breaches(): Promise<string[]> {
  const found = Object.keys(await payments.breaches());
  const ofLedger = (await sourceInvariants()).filter(({ name }) => name.startsWith('ledger'));
  for (const { name, breaches: sql } of [...ofLedger, ...settlementInvariants])
    if ((await payments.database.query(sql)).length > 0) found.push(name);
  return found;
}

const balances = () =>
  payments.database.query('SELECT ledger_account, amount FROM ledger.balances ORDER BY ledger_account');

describe('A payment to the merchant’s own wallet', () => {
  it('is posted as delivered, without a later settlement', async () => {
    const shop = await payments.pointsOfSale.open({
      paymentOptions: [OUTPUT_COIN.uniqueAssetId],
      terms: new Map([[OUTPUT_NETWORK, walletTerms('SHOP')]]),
    });
    const paid = await payments.request({ uniqueAssetId: OUTPUT_COIN.uniqueAssetId, amount: '0.01' }, shop);
    chain.send([{ to: paid.address, amount: AMOUNT }]);
    mine(1);
    chain.send([{ to: paid.address, amount: 7n }]);
    mine(7);
    await follow();
    await post();

    const rows = await payments.database.query(
      'SELECT type, gross_amount, net_amount, from_address, to_address, to_type FROM ledger.transactions ORDER BY type',
    );
    const ends = { fromAddress: 'unknown', toAddress: paid.address, toType: 'settlement_address' };
    expect(rows).toEqual([
      { type: 'deposit', grossAmount: 7n, netAmount: 7n, ...ends },
      { type: 'payment_in', grossAmount: AMOUNT, netAmount: AMOUNT, ...ends },
    ]);
    expect(await balances()).toEqual([
      { ledgerAccount: 'delivered', amount: AMOUNT + 7n },
      { ledgerAccount: 'merchant_payable', amount: -AMOUNT - 7n },
    ]);
    expect(await payments.database.query('SELECT 1 FROM settlement.waiting')).toEqual([]);
    expect(await breaches()).toEqual([]);
  });

  it('is audited by address number, transfer and token, but not by balance and custody', async () => {
    const clean = await audit();
    const wrong = await payments.database.run(async () => {
      await payments.database.query('UPDATE payments.deposit_addresses SET number = 5');
      const found = await audit();
      await payments.database.query('UPDATE payments.deposit_addresses SET number = 0');
      return found;
    });

    expect(clean).toMatchObject({ stage: 'ended', findings: [], addresses: 1, transfers: 2, tokens: 1 });
    expect(wrong.findings).toMatchObject([
      {
        kind: 'address-is-not-derived',
        says: expect.stringMatching(/terms and number 5, of payment request/),
      },
    ]);
  });
});

function audit() {
  const { catalogue, database, tokens } = payments;
  const custody = {
    readAtBlock: () => Promise.reject(new Error('Custody of what was delivered is asked for.')),
  };
  const auditRecordsAgainstChain = new AuditRecordsAgainstChain(
    ...([new SameChain(family), catalogue] as const),
    ...([new ChainAuditQueries(database), tokens, custody] as const),
  );
  return auditNetworkCompletely(
    auditRecordsAgainstChain,
    OUTPUT_NETWORK,
    { transfers: null, seed: 'any' },
    0,
  );
}
