import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PaymentsSettings } from '#contexts/payments/application/requests/payments-settings.js';
import type { Receipt } from '#contexts/payments/application/receipts/receipt.js';
import { NaspipPaymentTokens } from '#contexts/payments/infrastructure/requests/naspip-payment-tokens.js';
import {
  ReceiptSignatures,
  type SignedReceipt,
} from '#contexts/payments/infrastructure/receipts/receipt-signatures.js';
import { SIGNS_FROM_ALWAYS, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { rfc8785Json, signDetachedJws } from '#shared/naspip/detached-jws.js';
import { generatePaserkKeyPair, secretKeyFromPaserk } from '#shared/naspip/paserk.js';

const KEY = { id: 'key-1', signsFrom: SIGNS_FROM_ALWAYS, endsAt: new Date('2030-01-01T00:00:00Z') };
const { secretKey } = generatePaserkKeyPair();
const issuer = (key = {}) =>
  new PaymentsSettings(480, {
    issuer: 'pay.example',
    keys: new SigningKeyRing([{ ...KEY, secretKey, ...key }]),
  });
const settings = issuer();
const RECEIPT = {
  status: 'paid',
  merchant: { name: 'Café “Ñ” ☕' },
  received: { symbol: 'USDC', amount: '12.5' },
  refunds: [],
  network_fee: { is_less: true },
  stated_at: '2026-03-02T12:00:00.000Z',
} as unknown as Receipt;

const folder = mkdtempSync(join(tmpdir(), 'receipt-'));
afterAll(() => rmSync(folder, { recursive: true }));

function verified(document: SignedReceipt, keys = settings) {
  const [receipt, published] = [join(folder, 'receipt.json'), join(folder, 'keys.json')];
  writeFileSync(receipt, JSON.stringify(document, null, 4));
  writeFileSync(published, JSON.stringify(new NaspipPaymentTokens(keys).publicKeys()));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['docs/receivers/verify-receipt.mjs', receipt, published],
    { encoding: 'utf8' },
  );
  return stdout.trim() || /Error: (.*)/.exec(stderr)?.[1];
}

describe('The script that verifies a receipt', () => {
  const signed = new ReceiptSignatures(settings).sign(RECEIPT);
  const LATE = new ReceiptSignatures(settings).sign({ ...RECEIPT, stated_at: '2029-12-31T00:00:00.000Z' });
  const ANOTHER_KIND = signDetachedJws(rfc8785Json(RECEIPT), 'thing+jws', new Date(RECEIPT.stated_at), {
    ...{ issuer: 'pay.example', keyId: KEY.id, secretKey: secretKeyFromPaserk(secretKey) },
  });

  it('accepts a receipt of the issuer, with any white space', () => {
    expect(verified(signed)).toBe('paid 12.5 USDC');
  });

  it.each([
    [
      'another amount',
      { ...signed, receipt: { ...RECEIPT, received: { ...RECEIPT.received, amount: '125' } } },
      settings,
      'The signature is invalid. The receipt was changed.',
    ],
    [
      'the key of another issuer',
      signed,
      issuer({ secretKey: generatePaserkKeyPair().secretKey }),
      'The signature is invalid. The receipt was changed.',
    ],
    [
      'a key that is not published',
      signed,
      issuer({ id: 'key-2' }),
      'The keys do not contain the key of the receipt.',
    ],
    [
      'another kind of document with the same key',
      { receipt: RECEIPT, signature: ANOTHER_KIND },
      settings,
      'The document is not a payment receipt.',
    ],
    [
      'a signature after the end of its key',
      LATE,
      issuer({ endsAt: new Date('2029-01-01T00:00:00Z') }),
      'The receipt was signed after its key had expired.',
    ],
  ])('rejects a receipt that does not verify: %s', (_, document, keys, reason) => {
    expect(verified(document, keys)).toBe(reason);
  });
});
