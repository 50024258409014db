import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CheckNetworkReadiness } from '../../application/check-network-readiness.js';
import { NetworkReadiness } from '../../domain/network-readiness.js';
import type { NetworksSettings } from '../networks-settings.js';
import { NetworkReadinessChecks } from './network-readiness-checks.js';

const CYCLES_PER_HOUR = 1_200;

describe('The check of a network whose contracts differ from its configuration', () => {
  it('is repeated soon, and then once a minute, until they match', async () => {
    Logger.overrideLogger(false);
    const readiness = new NetworkReadiness();
    let cycle = 0;
    let problems = ['There is no factory.'];
    const checkedIn: number[] = [];
    const check = {
      check: async () => {
        checkedIn.push(cycle);
        readiness.set('base', problems.length === 0 ? { kind: 'ready' } : { kind: 'mismatched', problems });
        return { readiness: readiness.get('base'), foreign: [] };
      },
      reverifyEndpoints: async () => ({ proven: [], foreign: [], silent: [] }),
    } as unknown as CheckNetworkReadiness;
    const settings = { networks: [{ network: 'base' }] } as unknown as NetworksSettings;
    const checks = new NetworkReadinessChecks(settings, check, readiness);
    const [{ loop }] = (checks as unknown as { watches: [{ loop: { turn: () => Promise<boolean> } }] })
      .watches;

    for (cycle = 1; cycle <= CYCLES_PER_HOUR; cycle += 1) await loop.turn();
    const whileMismatched = checkedIn.length;
    problems = [];
    for (; cycle <= 2 * CYCLES_PER_HOUR; cycle += 1) await loop.turn();

    expect(checkedIn.slice(0, 3)).toEqual([1, 3, 7]);
    expect(whileMismatched).toBeLessThan(70);
    expect(checkedIn.length).toBe(whileMismatched + 1);
    expect(readiness.acceptsPaymentRequests('base')).toBe(true);
  });
});
