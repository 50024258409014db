import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { newId, type WebhookId } from '#shared/kernel/ids.js';
import type { KeyRingEntry } from '#shared/platform/setting-reader.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { AesWebhookSecrets, WebhookSecretBox } from './aes-webhook-secrets.js';

const key = (id: string): KeyRingEntry => ({ id, secret: randomBytes(32) });
const secretsWith = (...secretKeys: KeyRingEntry[]) =>
  new AesWebhookSecrets(new WebhookSecretBox(new WebhooksSettings({ secretKeys, allowLoopbackHttp: false })));

describe('The encryption of webhook secrets', () => {
  const webhook = newId<WebhookId>();
  const old = key('2026-01');

  it('creates a random secret that opens only with its key', () => {
    const secrets = secretsWith(old);
    const { secret, sealed } = secrets.issue(webhook);

    expect(secret).toMatch(/^whsec_[A-Za-z0-9]{44}$/);
    expect(secrets.issue(webhook).secret).not.toBe(secret);
    expect(secrets.open(webhook, sealed)).toBe(secret);
    expect(sealed.bytes.includes(Buffer.from(secret))).toBe(false);
    expect(secretsWith(key('2026-01')).open(webhook, sealed)).toBeNull();
  });

  it('creates secrets of letters and digits that every base64 decoder reads', () => {
    const secrets = secretsWith(old);
    const parts = Array.from({ length: 100 }, () => secrets.issue(webhook).secret.slice('whsec_'.length));

    expect(new Set(parts.join('')).size).toBe(62);
    for (const part of parts) {
      // `atob` rejects everything that is not base64, including wrong padding.
      expect(Buffer.from(atob(part), 'latin1')).toEqual(Buffer.from(part, 'base64url'));
    }
  });

  it('opens secrets of an older key until that key is removed', () => {
    const { secret, sealed } = secretsWith(old).issue(webhook);

    expect(secretsWith(key('2026-02'), old).open(webhook, sealed)).toBe(secret);
    expect(secretsWith(key('2026-02')).open(webhook, sealed)).toBeNull();
  });

  it('uses the first key of the ring', () => {
    expect(secretsWith(key('2026-02'), old).issue(webhook).sealed.keyId).toBe('2026-02');
  });

  it('rejects a secret of another webhook, and a secret with any byte changed', () => {
    const secrets = secretsWith(old);
    const { sealed } = secrets.issue(webhook);
    const changed = [...sealed.bytes.keys()].map((at) => {
      const bytes = Buffer.from(sealed.bytes);
      bytes[at]! ^= 1;
      return { ...sealed, bytes };
    });

    expect(secrets.open(newId<WebhookId>(), sealed)).toBeNull();
    for (const forged of changed) expect(secrets.open(webhook, forged)).toBeNull();
  });

  it.each([
    ['no key', []],
    ['a key of 128 bits', [{ id: 'short', secret: randomBytes(16) }]],
    ['one id for two keys', [key('same'), key('same')]],
  ])('rejects a key ring with %s', (_, keys) => {
    expect(() => secretsWith(...keys)).toThrow(/key ring/);
  });
});
