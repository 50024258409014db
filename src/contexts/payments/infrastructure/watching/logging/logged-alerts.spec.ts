import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { LoggedAlerts } from './logged-alerts.js';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

class TimedAlerts extends LoggedAlerts {
  ms = 0;

  protected override elapsed(): number {
    return this.ms;
  }
}

const lines: Record<string, unknown>[] = [];
const note = (line: Record<string, unknown>) => void lines.push(line);
let alerts: TimedAlerts;
beforeEach(() => {
  lines.length = 0;
  Logger.overrideLogger({ log: note, warn: note, error: note });
  alerts = new TimedAlerts();
});
afterEach(() => Logger.overrideLogger(['error', 'warn', 'log']));

describe('Logging what lasts', () => {
  it('is logged once, however many turns report it', () => {
    for (let turn = 0; turn < 3; turn += 1) alerts.endpointsDisagree('sandbox', 'about block 7');

    expect(lines).toHaveLength(1);
  });

  it('tells each finding of an audit once, and what it is about in fields of its own', () => {
    const finding = { kind: 'address-holds-less', network: 'sandbox', says: '0, not 7' } as const;
    for (const about of ['one', 'one', 'other']) alerts.chainAuditFound({ ...finding, about });

    expect(lines).toMatchObject([{ finding: finding.kind, about: 'one' }, { about: 'other' }]);
  });

  it('says at once when it has become something else, and of another network or address', () => {
    alerts.balanceBelowExpected('sandbox', 'one', 7n);
    alerts.balanceBelowExpected('sandbox', 'one', 8n);
    alerts.balanceBelowExpected('sandbox', 'other', 8n);
    alerts.balanceBelowExpected('polygon', 'other', 8n);

    expect(lines.map(({ network, address, missing }) => [network, address, missing])).toEqual([
      ['sandbox', 'one', '7'],
      ['sandbox', 'one', '8'],
      ['sandbox', 'other', '8'],
      ['polygon', 'other', '8'],
    ]);
  });

  it('says again once an hour what stays the same, while it lasts or when it has come back', () => {
    alerts.balancesUnknown('sandbox', 7, 'no answer');
    alerts.ms = HOUR - 1;
    alerts.balancesUnknown('sandbox', 8, 'no answer');
    const within = lines.length;

    alerts.ms = 500 * HOUR;
    alerts.balancesUnknown('sandbox', 9_000, 'no answer');
    alerts.balancesUnknown('sandbox', 9_000, 'no answer');

    expect([within, lines.length]).toEqual([1, 2]);
  });

  it('remembers a thousand things and forgets the one that was said longest ago', () => {
    for (let each = 0; each < 1_001; each += 1) alerts.balanceBelowExpected('sandbox', `address ${each}`, 5n);
    lines.length = 0;

    alerts.balanceBelowExpected('sandbox', 'address 1000', 5n);
    alerts.balanceBelowExpected('sandbox', 'address 0', 5n);

    expect(lines).toMatchObject([{ address: 'address 0' }]);
  });
});

describe('Logging why nothing more becomes final', () => {
  const everyTwoSeconds = (until: number, tell: (block: number) => void) => {
    for (; alerts.ms < until; alerts.ms += 2 * SECOND) tell(alerts.ms);
  };

  it('says the first sentence alone, though with every block it is about another one', () => {
    everyTwoSeconds(10 * MINUTE, (block) => {
      alerts.endpointsDisagree('sandbox', `about block ${block}`);
      alerts.finalityDelayed('sandbox', block, `it does not know block ${block}.`);
    });

    expect(lines).toMatchObject([
      { event: 'chain.endpoints_disagree', reason: 'about block 0' },
      { event: 'chain.finality_delayed', block: 0, reason: 'it does not know block 0.' },
    ]);
  });

  it('reminds every ten minutes while it lasts, by what is so then', () => {
    everyTwoSeconds(21 * MINUTE, (block) => alerts.endpointsDisagree('sandbox', `about block ${block}`));

    expect(lines.map(({ reason }) => reason)).toEqual(
      [0, 10, 20].map((minutes) => `about block ${minutes * MINUTE}`),
    );
  });

  it('says at once what comes back after it has been over', () => {
    alerts.finalityDelayed('sandbox', 7, 'no answer');
    alerts.ms = 2 * MINUTE;
    alerts.finalityDelayed('sandbox', 9, 'no answer');

    expect(lines).toHaveLength(2);
  });

  it('says of each network on its own, and of waiting beside disagreeing', () => {
    alerts.finalityDelayed('sandbox', 7, 'no answer');
    alerts.finalityDelayed('polygon', 7, 'no answer');
    alerts.endpointsDisagree('polygon', 'about block 7');

    expect(lines.map(({ network }) => network)).toEqual(['sandbox', 'polygon', 'polygon']);
  });
});
