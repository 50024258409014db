import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { SignedTransferAuthorization } from '../../contract/authorized-transfers.js';
import {
  SigningOrderMismatch,
  SigningOrderRevoked,
  type TransferOrder,
} from '../../contract/transfer-orders.js';
import { floatKeyName } from '../../contract/outbound-transaction-sender.js';
import { NetworkReadiness } from '../../domain/network-readiness.js';
import { ConfiguredCatalogue } from '../../infrastructure/configuration/configured-catalogue.js';
import { SameChain } from '../../testing/same-chain.js';
import { nativeAsset, sampleAsset, settingsFor } from '../../testing/sample-configuration.js';
import { transferPlanning } from '../../testing/outbound-parts.js';
import type { PlannedCall } from '../../domain/outbound/outbound-transaction.js';
import { MemoryAuthorizedTransfers } from '../../testing/memory-authorizations.js';
import {
  VerifyAuthorizedTransferCall,
  VerifyCallBeforeSigning,
  type CallToSign,
} from './verify-call-before-signing.js';
import type { OutboundChain } from './outbound-chain.js';

const FACTORY = `0x${'fa'.repeat(20)}`;
const FLOAT = `0x${'f1'.repeat(20)}`;
const PAYER = `0x${'0c'.repeat(20)}`;
const THIEF = `0x${'0d'.repeat(20)}`;

const settings = settingsFor('http://127.0.0.1:9', { assets: [sampleAsset(), nativeAsset()] });
const catalogue = new ConfiguredCatalogue(settings, new NetworkReadiness());
const [token, coin] = catalogue.assets();
const planning = transferPlanning(settings);
const chain = { callableContracts: () => [FACTORY] } as unknown as OutboundChain;
const organizationId = newId<string>();
const authorized = new MemoryAuthorizedTransfers(FACTORY, 1_900_000_000n);
const chains = new SameChain({ transferPlanning: planning, authorizedTransfers: authorized });
const nothingSigned = new VerifyAuthorizedTransferCall(chains, null);

let ordered: TransferOrder | null;
beforeEach(() => {
  ordered = {
    purpose: 'refund',
    network: 'sandbox',
    organizationId,
    from: FLOAT,
    to: PAYER,
    uniqueAssetId: token!.uniqueAssetId,
    amount: 10n,
    isRevoked: false,
  };
});

const planned = (call: Omit<PlannedCall, 'gasLimit'>): PlannedCall => ({ ...call, gasLimit: 60_000n });
const use = (changes: Partial<CallToSign> = {}): CallToSign => ({
  id: newId<string>(),
  network: 'sandbox',
  sender: FLOAT,
  key: floatKeyName(organizationId),
  purpose: 'refund',
  call: planned(planning.encode(token!, PAYER, 10n)),
  ...changes,
});
const proved = (asked: CallToSign) =>
  new VerifyCallBeforeSigning(chain, chains, catalogue, { find: async () => ordered }, nothingSigned).verify(
    asked,
  );

describe('The signing key of a refund float', () => {
  it('signs the transfer that was ordered, of a token and of native coin', async () => {
    await proved(use());

    ordered = { ...ordered!, uniqueAssetId: coin!.uniqueAssetId };
    await proved(use({ call: planned(planning.encode(coin!, PAYER, 10n)) }));
  });

  it.each([
    ['another address', { call: planned(planning.encode(token!, THIEF, 10n)) }],
    ['another amount', { call: planned(planning.encode(token!, PAYER, 11n)) }],
    ['another asset', { call: planned(planning.encode(coin!, PAYER, 10n)) }],
    ['another token', { call: { ...planned(planning.encode(token!, PAYER, 10n)), to: THIEF } }],
    ['coin beside the token', { call: { ...planned(planning.encode(token!, PAYER, 10n)), value: 1n } }],
    ['another float', { key: floatKeyName(newId()) }],
    ['the account of another key', { sender: THIEF }],
    ['another purpose', { purpose: 'float_withdrawal' }],
  ] as const)('signs nothing that differs from the order: %s', async (_, changes) => {
    await expect(proved(use(changes))).rejects.toThrow(SigningOrderMismatch);
  });

  it('signs nothing without an order, for an unknown asset, or in a process that has no orders', async () => {
    ordered = { ...ordered!, uniqueAssetId: 'csandbox_t0x00' };
    await expect(proved(use())).rejects.toThrow('is not an asset of sandbox');
    ordered = null;
    await expect(proved(use())).rejects.toThrow('has no instruction to send');
    const orderless = new VerifyCallBeforeSigning(chain, chains, catalogue, null, nothingSigned);
    await expect(orderless.verify(use())).rejects.toThrow(SigningOrderMismatch);
  });

  it('signs nothing after the order was revoked, and names that reason only if all else agrees', async () => {
    ordered = { ...ordered!, isRevoked: true };

    await expect(proved(use())).rejects.toThrow(SigningOrderRevoked);
    await expect(proved(use({ sender: THIEF }))).rejects.not.toThrow(SigningOrderRevoked);
  });
});

describe('A transfer that the payer signed', () => {
  const authorization = {
    ...{ from: PAYER, to: FLOAT, value: 10n, validAfter: 0n, validBefore: 2_000_000_000n },
    nonce: '0x01',
  };
  const signed = {
    ...{ network: 'sandbox', token: FACTORY, authorization },
    signature: authorized.sign(authorization),
  };
  let asked: SignedTransferAuthorization | null;
  beforeEach(() => {
    asked = signed;
  });
  const sent = (changes: Partial<CallToSign> = {}) => {
    const call = planned(authorized.encode(signed));
    const proof = new VerifyAuthorizedTransferCall(chains, { find: async () => asked });
    const transfer = { key: 'gas', purpose: 'authorized_transfer', call, ...changes } as const;
    return new VerifyCallBeforeSigning(chain, chains, catalogue, null, proof).verify(use(transfer));
  };

  it('is sent by the gas key', () => sent());

  it.each([
    [
      'with another call',
      () => sent({ call: { ...planned(authorized.encode(signed)), data: '0x' } }),
      'that its payer signed',
    ],
    [
      'for more gas',
      () => sent({ call: { ...authorized.encode(signed), gasLimit: 10n ** 7n } }),
      'that its payer signed',
    ],
    ['on another network', () => sent({ network: 'other' }), 'not for other'],
  ])('is not sent if it differs from what was signed: %s', async (_, trial, says) => {
    await expect(trial()).rejects.toThrow(says);
  });

  it('is not sent without an order', async () => {
    asked = null;
    await expect(sent()).rejects.toThrow('has no instruction to send');
    const unordered = use({
      key: 'gas',
      purpose: 'authorized_transfer',
      call: planned(authorized.encode(signed)),
    });
    await expect(proved(unordered)).rejects.toThrow(SigningOrderMismatch);
  });
});
