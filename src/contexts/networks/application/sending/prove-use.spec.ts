import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { NotAsOrdered, type OrderedTransfer } from '../../contract/ordered-transfers.js';
import { floatKeyOf } from '../../contract/sender.js';
import { NetworkReadiness } from '../../domain/network-readiness.js';
import { ConfiguredCatalogue } from '../../infrastructure/configuration/configured-catalogue.js';
import { nativeAsset, sampleAsset, settingsFor } from '../../testing/sample-configuration.js';
import { transferPlanning } from '../../testing/sending-parts.js';
import { ProveUse, type ProvenUse } from './prove-use.js';
import type { SendingChain } from './sending-chain.js';

const FACTORY = `0x${'fa'.repeat(20)}`;
const FLOAT = `0x${'f1'.repeat(20)}`;
const PAYER = `0x${'0c'.repeat(20)}`;
const THIEF = `0x${'0d'.repeat(20)}`;

const settings = settingsFor('http://127.0.0.1:9', { assets: [sampleAsset(), nativeAsset()] });
const catalogue = new ConfiguredCatalogue(settings, new NetworkReadiness());
const [token, coin] = catalogue.assets();
const planning = transferPlanning(settings);
const chain = { contracts: () => [FACTORY] } as unknown as SendingChain;
const organizationId = newId<string>();

let ordered: OrderedTransfer | null;
beforeEach(() => {
  ordered = {
    purpose: 'refund',
    network: 'sandbox',
    organizationId,
    from: FLOAT,
    to: PAYER,
    uniqueAssetId: token!.uniqueAssetId,
    amount: 10n,
  };
});

const use = (changes: Partial<ProvenUse> = {}): ProvenUse => ({
  id: newId<string>(),
  network: 'sandbox',
  sender: FLOAT,
  key: floatKeyOf(organizationId),
  purpose: 'refund',
  call: planning.encode('sandbox', token!, PAYER, 10n),
  ...changes,
});
const proved = (asked: ProvenUse) =>
  new ProveUse(chain, planning, catalogue, { find: async () => ordered }).execute(asked);

describe('The key of a float', () => {
  it('signs the transfer that was ordered, of a token and of native coin', async () => {
    await proved(use());

    ordered = { ...ordered!, uniqueAssetId: coin!.uniqueAssetId };
    await proved(use({ call: planning.encode('sandbox', coin!, PAYER, 10n) }));
  });

  it.each([
    ['another address', { call: planning.encode('sandbox', token!, THIEF, 10n) }],
    ['another amount', { call: planning.encode('sandbox', token!, PAYER, 11n) }],
    ['another asset', { call: planning.encode('sandbox', coin!, PAYER, 10n) }],
    ['another token', { call: { ...planning.encode('sandbox', token!, PAYER, 10n), to: THIEF } }],
    ['coin beside the token', { call: { ...planning.encode('sandbox', token!, PAYER, 10n), value: 1n } }],
    ['another float', { key: floatKeyOf(newId()) }],
    ['the account of another key', { sender: THIEF }],
    ['another purpose', { purpose: 'float_withdrawal' }],
  ] as const)('signs nothing of %s', async (_, changes) => {
    await expect(proved(use(changes))).rejects.toThrow(NotAsOrdered);
  });

  it('signs nothing that nobody ordered, of an asset that is not configured, or where nothing orders', async () => {
    ordered = { ...ordered!, uniqueAssetId: 'csandbox_t0x00' };
    await expect(proved(use())).rejects.toThrow('is no asset of sandbox');
    ordered = null;
    await expect(proved(use())).rejects.toThrow('does not say that it is to be sent');
    await expect(new ProveUse(chain, planning, catalogue, null).execute(use())).rejects.toThrow(NotAsOrdered);
  });
});

describe('The key that pays for gas', () => {
  const call = { to: FACTORY, data: '0x', value: 0n };

  it.each([
    ['is asked for nothing but its rule', { key: 'gas', call }, null],
    ['moves no coin', { key: 'gas', call: { ...call, value: 1n } }, 'must be 0'],
    ['calls known contracts alone', { key: 'gas', call: { ...call, to: THIEF } }, 'must be a contract that'],
  ] as const)('%s', async (_, changes, refusal) => {
    const asked = proved(use({ ...changes, purpose: 'settlement' }));

    if (refusal === null) await asked;
    else await expect(asked).rejects.toThrow(refusal);
  });
});
