import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isFinalStatus, isPaid, PaymentCollectionClient } from '../src/index.js';
import { NEXT_STEPS, nextStepOf } from '../src/next-steps.js';
import { RecordedCases } from './support/recorded-cases.js';
import { runHttpCase } from './support/run-http-case.js';
import { runWebhookCase } from './support/run-webhook-case.js';

const cases = new RecordedCases('clients/cases');

describe('The recorded case', () => {
  it.each(cases.http().map((one) => [one.name, one] as const))('%s', (_, one) => runHttpCase(one));
  it.each(cases.webhooks().map((one) => [one.name, one] as const))('of a webhook: %s', (_, one) =>
    runWebhookCase(one),
  );

  it('fails where an exchange does not come, also before one that may stay away', async () => {
    const read = { request: 'GET /v1/account', answer: { data: {} } };
    const exchanges = [read, { ...read, any_times: true as const }];

    await expect(
      runHttpCase({ name: 'none', rules: [], exchanges, token_exchanges: 0, steps: [] }),
    ).rejects.toThrow(/requests/);
  });

  it('stands for each rule, but for those that all cases or the tables show', () => {
    const page = readFileSync('clients/cases/README.md', 'utf8');
    const rules = [...page.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, rule]) => rule!);
    const shown = [...cases.http(), ...cases.webhooks()].flatMap((one) => one.rules);

    expect(rules.filter((rule) => !shown.includes(rule))).toEqual(['S10', 'P2', 'E6']);
    expect(shown.filter((rule) => !rules.includes(rule))).toEqual([]);
  });
});

describe('The recorded tables', () => {
  it('say which base URLs are taken, and refused without their passwords', () => {
    const { taken, refused } = cases.baseUrls();
    const clientOf = (baseUrl: string) =>
      new PaymentCollectionClient({ baseUrl, apiKey: 'svc.dev.1', apiSecret: 'the secret' });

    for (const url of taken) expect(() => clientOf(url)).not.toThrow();
    for (const { url, fault } of refused) {
      expect(() => clientOf(url)).toThrow(`baseUrl ${fault}`);
      expect(() => clientOf(url)).not.toThrow('pass@');
    }
  });

  it('say which payments are final and paid', () => {
    for (const { status, fulfilled, final, paid } of cases.statuses()) {
      const payment = { status, ...(fulfilled !== undefined && { fulfilled }) };
      expect([payment, isFinalStatus(status), isPaid(payment)]).toEqual([payment, final, paid]);
      if (fulfilled === undefined) expect(isPaid(status)).toBe(paid);
    }
  });

  it('have the next step of each code, and of a status for codes that come later', () => {
    const { codes, statuses } = cases.nextSteps();
    const { other, ...known } = statuses;

    expect(NEXT_STEPS).toEqual(codes);
    for (const [status, step] of Object.entries(known)) expect(nextStepOf('later', +status)).toBe(step);
    expect(nextStepOf('toString', 400)).toBe(other);
  });
});
