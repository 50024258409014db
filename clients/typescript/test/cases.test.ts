import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isFinalStatus, isPaid, PaymentCollectionClient } from '../src/index.js';
import { ERROR_NEXT_STEPS, nextStepAfterError } from '../src/next-steps.js';
import { RecordedCases } from './support/recorded-cases.js';
import { runHttpCase } from './support/run-http-case.js';
import { runWebhookCase } from './support/run-webhook-case.js';

const cases = new RecordedCases('clients/cases');

describe('The recorded case', () => {
  it.each(cases.http().map((one) => [one.name, one] as const))('passes: %s', (_, one) => runHttpCase(one));
  it.each(cases.webhooks().map((one) => [one.name, one] as const))('passes for a webhook: %s', (_, one) =>
    runWebhookCase(one),
  );

  it('exists for each rule, except for those in the tables', () => {
    const page = readFileSync('clients/cases/README.md', 'utf8');
    const rules = [...page.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, rule]) => rule!);
    const shown = [...cases.http(), ...cases.webhooks()].flatMap((one) => one.rules);

    expect(rules.filter((rule) => !shown.includes(rule))).toEqual(['S10', 'P2', 'E6']);
    expect(shown.filter((rule) => !rules.includes(rule))).toEqual([]);
  });
});

describe('The table of recorded cases', () => {
  it('contains the accepted base URLs, and rejects others without their passwords', () => {
    const { taken, refused } = cases.baseUrls();
    const clientOf = (baseUrl: string) =>
      new PaymentCollectionClient({ baseUrl, apiKey: 'svc.dev.1', apiSecret: 'the secret' });

    for (const url of taken) expect(() => clientOf(url)).not.toThrow();
    for (const { url, fault } of refused) {
      expect(() => clientOf(url)).toThrow(`baseUrl ${fault}`);
      expect(() => clientOf(url)).not.toThrow('pass@');
    }
  });

  it('contains the final and the paid statuses', () => {
    for (const { status, fulfilled, final, paid } of cases.statuses()) {
      const payment = { status, ...(fulfilled !== undefined && { fulfilled }) };
      expect([payment, isFinalStatus(status), isPaid(payment)]).toEqual([payment, final, paid]);
      if (fulfilled === undefined) expect(isPaid(status)).toBe(paid);
    }
  });

  it('contains the next step of each code, and of statuses for later codes', () => {
    const { codes, statuses } = cases.nextSteps();
    const { other, ...known } = statuses;

    expect(ERROR_NEXT_STEPS).toEqual(codes);
    for (const [status, step] of Object.entries(known))
      expect(nextStepAfterError('later', +status)).toBe(step);
    expect(nextStepAfterError('toString', 400)).toBe(other);
  });
});
