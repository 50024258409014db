import { describe, expect, it } from '@jest/globals';
import { newId, type CredentialId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { CallerRateLimits } from '#shared/platform/http/callers/caller-rate-limits.js';
import type { Principal } from '#shared/platform/http/callers/principal.js';
import { PaymentsSettings } from '#contexts/payments/application/requests/payments-settings.js';
import { StatusReadLimiter } from './status-read-limiter.js';

describe('The rate of reading one payment request', () => {
  it('is counted for each credential and each payment request separately', async () => {
    const statusReadLimiter = { perSecond: 1, burst: 1 };
    const reads = new StatusReadLimiter(new CallerRateLimits(() => 0), {
      statusReadLimiter,
    } as PaymentsSettings);
    const response = { setHeader: () => undefined } as never;
    const [one, other] = [newId<CredentialId>(), newId<CredentialId>()];
    const [request, another] = [newId<PaymentRequestId>(), newId<PaymentRequestId>()];
    const read = (credentialId: CredentialId, id: PaymentRequestId) =>
      reads.readLimited({ credentialId } as Principal, id, response, () => Promise.resolve('read'));

    await read(one, request);

    await expect(read(one, request)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await Promise.all([read(other, request), read(one, another)])).toEqual(['read', 'read']);
  });
});
