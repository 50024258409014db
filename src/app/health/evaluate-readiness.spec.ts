import { describe, expect, it } from '@jest/globals';
import type {
  NetworkWatchingState,
  WatchingState,
} from '#contexts/chain-watching/contract/watching-states.js';
import { evaluateReadiness, type ReadinessInputs } from './evaluate-readiness.js';

const watched = (network: string, changes: Partial<NetworkWatchingState> = {}): NetworkWatchingState => ({
  ...{ network, headNumber: 100, finalNumber: 95, secondsBehind: 4.23, secondsInDisagreement: null },
  ...{ secondsSincePending: null, maxLagSeconds: 60, isWatched: true },
  ...changes,
});
const lagging = (network: string, secondsBehind = 95.2) =>
  watched(network, { secondsBehind, isWatched: false });
const watching = (...networks: NetworkWatchingState[]): WatchingState => ({
  secondsSinceTurn: 0.42,
  networks,
});

const evaluated = (changes: Partial<ReadinessInputs>) =>
  evaluateReadiness({
    isDraining: false,
    hasPartitionAhead: true,
    stopped: null,
    watching: watching(watched('erc20'), watched('polygon')),
    networks: [
      { network: 'erc20', isProven: true },
      { network: 'polygon', isProven: true },
    ],
    ...changes,
  });
const statesOf = (changes: Partial<ReadinessInputs>) => evaluated(changes).networks.map(({ state }) => state);

describe('The readiness of a process', () => {
  it('is ready if all checks pass', () => {
    expect(evaluated({})).toEqual({
      status: 'ready',
      problems: [],
      process: { state: 'serving' },
      database: { state: 'ok' },
      worker: { state: 'ok', seconds_since_turn: 0.4 },
      networks: [
        { network: 'erc20', state: 'ok', block: 100, seconds_behind: 4.2, max_lag_seconds: 60 },
        { network: 'polygon', state: 'ok', block: 100, seconds_behind: 4.2, max_lag_seconds: 60 },
      ],
    });
  });

  it('is degraded if the event log has no partition ahead', () => {
    const { status, problems } = evaluated({ hasPartitionAhead: false });

    expect([status, problems]).toEqual(['degraded', [expect.stringContaining('partitions ready')]]);
  });

  it('is degraded if some networks lag, and not ready if all do', () => {
    const one = evaluated({ watching: watching(watched('erc20'), lagging('polygon')) });
    const none = evaluated({ watching: watching(lagging('erc20'), lagging('polygon')) });

    expect([one.status, none.status]).toEqual(['degraded', 'not_ready']);
    expect(one.problems).toEqual([
      'The network polygon is 95.2 seconds behind; the limit is 60 seconds (max_lag_seconds).',
    ]);
    expect(none.problems).toHaveLength(2);
  });

  it('names the state of each network: unread, lagging, disagreeing or unproven', () => {
    const disagreeing = watched('polygon', { isWatched: false, secondsInDisagreement: 61 });

    expect(statesOf({ watching: watching(watched('erc20')) })).toEqual(['ok', 'unread']);
    expect(statesOf({ watching: watching(lagging('erc20', 60), disagreeing) })).toEqual([
      'lagging',
      'disagreeing',
    ]);
    expect(statesOf({ networks: [{ network: 'erc20', isProven: false }] })).toEqual(['unproven']);
  });

  it.each([
    [19.9, 'ready', 'ok'],
    [20, 'not_ready', 'silent'],
    [null, 'not_ready', 'unknown'],
  ] as const)(
    'depends on the last iteration of its workers: %s seconds ago, %s',
    (seconds, status, state) => {
      const answer = evaluated({
        watching: { ...watching(watched('erc20'), watched('polygon')), secondsSinceTurn: seconds },
      });

      expect([answer.status, answer.worker.state]).toEqual([status, state]);
      expect(answer.problems).toHaveLength(status === 'ready' ? 0 : 1);
    },
  );

  it('is not ready without a database, and omits the networks', () => {
    const answer = evaluated({ watching: null });

    expect(answer).toMatchObject({ status: 'not_ready', database: { state: 'unreachable' }, networks: [] });
    expect(answer.problems).toEqual(['The database does not respond.']);
  });

  it('is not ready while writing is stopped, and shows the reason', () => {
    expect(evaluated({ stopped: 'The database lacks a row.' })).toMatchObject({
      status: 'not_ready',
      database: { state: 'stopped' },
      problems: ['The service has stopped writing: The database lacks a row.'],
    });
  });

  it('is not ready after the stop signal', () => {
    expect(evaluated({ isDraining: true })).toMatchObject({
      status: 'not_ready',
      problems: ['The process is stopping.'],
      process: { state: 'draining' },
    });
  });
});
