import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { LoggedAlerts } from './logged-alerts.js';

const [SECOND, MINUTE] = [1_000, 60_000];

class TimedAlerts extends LoggedAlerts {
  ms = 0;

  protected override elapsedMs(): number {
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

describe('The log of lasting conditions', () => {
  it('contains a new line when the amount, the address or the network changes', () => {
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

  it('contains an unchanged condition again after an hour', () => {
    for (alerts.ms of [0, 59 * MINUTE, 60 * MINUTE]) alerts.balanceBelowExpected('sandbox', 'one', 7n);

    expect(lines).toHaveLength(2);
  });

  it('remembers a thousand conditions', () => {
    for (let each = 0; each < 1_001; each += 1) alerts.balanceBelowExpected('sandbox', `address ${each}`, 5n);
    lines.length = 0;

    alerts.balanceBelowExpected('sandbox', 'address 1000', 5n);
    alerts.balanceBelowExpected('sandbox', 'address 0', 5n);

    expect(lines).toMatchObject([{ address: 'address 0' }]);
  });
});

describe('The log of delayed finality', () => {
  const everyTwoSeconds = (until: number, tell: (block: number) => void) => {
    for (; alerts.ms < until; alerts.ms += 2 * SECOND) tell(alerts.ms);
  };

  it('contains the first reason only while the block numbers change', () => {
    everyTwoSeconds(10 * MINUTE, (block) => {
      alerts.endpointsDisagree('sandbox', `about block ${block}`);
      alerts.finalityDelayed('sandbox', block, `it does not know block ${block}.`);
    });

    expect(lines).toMatchObject([
      { event: 'chain.endpoints_disagree', reason: 'about block 0' },
      { event: 'chain.finality_delayed', block: 0, reason: 'it does not know block 0.' },
    ]);
  });

  it('contains a condition again that ended and returned', () => {
    for (alerts.ms of [0, 2 * MINUTE - 1, 4 * MINUTE - 1])
      alerts.endpointsDisagree('sandbox', `at ${alerts.ms}`);

    expect(lines).toHaveLength(2);
  });

  it('repeats a lasting condition every ten minutes', () => {
    everyTwoSeconds(21 * MINUTE, (block) => alerts.endpointsDisagree('sandbox', `about block ${block}`));

    expect(lines.map(({ reason }) => reason)).toEqual(
      [0, 10, 20].map((minutes) => `about block ${minutes * MINUTE}`),
    );
  });
});
