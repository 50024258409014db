import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { LoggedAlerts } from './logged-alerts.js';

const HOUR = 3_600_000;

class TimedAlerts extends LoggedAlerts {
  ms = 0;

  protected override elapsed(): number {
    return this.ms;
  }
}

const lines: string[] = [];
const note = (line: string) => void lines.push(line);
let alerts: TimedAlerts;
beforeEach(() => {
  lines.length = 0;
  Logger.overrideLogger({ log: note, warn: note, error: note });
  alerts = new TimedAlerts();
});
afterEach(() => Logger.overrideLogger(['error', 'warn', 'log']));

describe('Logging what lasts', () => {
  it('says it once, however many turns tell of it', () => {
    for (let turn = 0; turn < 3; turn += 1) alerts.endpointsDisagree('sandbox', 'about block 7');

    expect(lines).toHaveLength(1);
  });

  it('says at once when it has become something else, and of another network', () => {
    alerts.endpointsDisagree('sandbox', 'about block 7');
    alerts.endpointsDisagree('sandbox', 'about block 8');
    alerts.endpointsDisagree('polygon', 'about block 8');

    expect(lines.map((line) => line.split(':')[0])).toEqual(['sandbox', 'sandbox', 'polygon']);
  });

  it('says it again once an hour, while it lasts or when it has come back', () => {
    alerts.finalityWaits('sandbox', 7, 'no answer');
    alerts.ms = HOUR - 1;
    alerts.finalityWaits('sandbox', 7, 'no answer');
    const within = lines.length;

    alerts.ms = 500 * HOUR;
    alerts.finalityWaits('sandbox', 9_000, 'no answer');
    alerts.finalityWaits('sandbox', 9_000, 'no answer');

    expect([within, lines.length]).toEqual([1, 2]);
  });

  it('remembers a thousand things and forgets the one that was said longest ago', () => {
    for (let each = 0; each < 1_001; each += 1) alerts.balanceBelowBooks('sandbox', `address ${each}`, 5n);
    lines.length = 0;

    alerts.balanceBelowBooks('sandbox', 'address 1000', 5n);
    alerts.balanceBelowBooks('sandbox', 'address 0', 5n);

    expect(lines).toEqual([expect.stringContaining('address 0')]);
  });
});
