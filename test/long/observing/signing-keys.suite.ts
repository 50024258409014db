import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { decode } from '#shared/naspip/naspip-token.js';
import { eventually } from '../../support/eventually.js';
import type { ObservedService } from '../../support/observed-service.js';
import { TokenCaller } from '../../support/token-caller.js';

export function signingKeys(observed: ObservedService): void {
  describe('The signing keys of a running service', () => {
    const kidOf = (token: string) => decodeProtectedHeader(token).kid;

    it('change without a restart: a new one is published before it signs, and old tokens verify', async () => {
      const caller = new TokenCaller(observed.service);
      const [access, payment] = [await caller.exchange(), await caller.pay()];
      const [token, naspip] = [await observed.keys.create('token'), await observed.keys.create('naspip')];
      const ids = async () => Object.keys(Object.values(await caller.published())[0]!);
      const published = await eventually(ids, (found) => found.includes(naspip));
      const former = [kidOf(access), decode(payment).keyId];
      expect([kidOf(await caller.exchange()), decode(await caller.pay()).keyId]).toEqual(former);

      observed.keys.letSign(token, naspip);
      const fresh = await eventually(
        () => caller.exchange(),
        (one) => kidOf(one) === token,
      );
      const signed = await eventually(
        () => caller.pay(),
        (one) => decode(one).keyId === naspip,
      );

      expect(published).toHaveLength(2);
      expect([await caller.verified(payment), await caller.verified(signed)]).toEqual([former[1], naspip]);
      expect([await caller.read(access), await caller.read(fresh)]).toEqual([200, 200]);
    });

    it('stay as they are while their file is broken, which metrics and log show, without a secret', async () => {
      const caller = new TokenCaller(observed.service);
      const good = readFileSync(observed.keys.path, 'utf8');
      const current = async (part: 'api' | 'worker') =>
        (await observed.scrape(part)).value('payment_collection_signing_keys_file_current');
      const before = kidOf(await caller.exchange());

      writeFileSync(observed.keys.path, good.slice(0, -10));
      for (const part of ['api', 'worker'] as const)
        await eventually(
          () => current(part),
          (value) => value === 0,
        );

      expect(kidOf(await caller.exchange())).toBe(before);
      expect(observed.service.log('api')).toContain('"event":"signing_keys.file_invalid"');
      for (const [, secret] of good.matchAll(/"secret(?:_key)?": "([^"]+)"/g))
        expect(observed.service.log('api') + observed.service.log('worker')).not.toContain(secret);
      writeFileSync(observed.keys.path, good);
      expect(
        await eventually(
          () => current('api'),
          (value) => value === 1,
        ),
      ).toBe(1);
    });
  });
}
