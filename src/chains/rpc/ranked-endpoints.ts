import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { EndpointHealth, EndpointState } from './endpoint-health.js';

export interface RankedEndpoint {
  readonly endpoint: Endpoint;
  readonly health: EndpointHealth;
}

/** An endpoint that serves the network's chain. */
export interface AdmittedEndpoint {
  readonly endpoint: Endpoint;
  readonly mayBeAsked: boolean;
  /** It failed, and has not answered since. */
  readonly isFailing: boolean;
  /** It has failed for so long that others go on without it. */
  readonly isAway: boolean;
}

export function admittedOf(endpoints: readonly RankedEndpoint[]): AdmittedEndpoint[] {
  const now = performance.now();
  return endpoints
    .filter(({ health: { state } }) => state !== 'foreign' && state !== 'unproven')
    .map(({ endpoint, health }) => {
      return {
        endpoint,
        mayBeAsked: health.mayBeAsked(now),
        isFailing: health.state === 'backing_off',
        isAway: health.isAway(now),
      };
    });
}

export function isWell({ health }: RankedEndpoint): boolean {
  return health.state === 'well';
}

/** Behind the others, but not standing still. */
export function isFollowing({ health }: RankedEndpoint): boolean {
  return health.state === 'lagging' && health.isFollowing(performance.now());
}

/** It failed, and its pause is over. */
export function isDue({ health }: RankedEndpoint): boolean {
  return health.state === 'backing_off' && health.mayBeAsked(performance.now());
}

/** Rather one that lags than none; one that failed is tried again once its pause is over. */
export function best(network: string, endpoints: readonly RankedEndpoint[]): RankedEndpoint {
  const now = performance.now();
  const askable = endpoints.filter(({ health }) => health.mayBeAsked(now));
  const inState = (state: EndpointState) => askable.filter(({ health }) => health.state === state);
  const found = highest(inState('well')) ?? highest(inState('lagging')) ?? longestDue(inState('backing_off'));
  if (found === undefined) throw noEndpoint(network, endpoints);
  return found;
}

/** The first of several in the configuration wins. */
export function highest(endpoints: readonly RankedEndpoint[]): RankedEndpoint | undefined {
  return endpoints.toSorted((a, b) => (b.health.head ?? -1) - (a.health.head ?? -1))[0];
}

function longestDue(endpoints: readonly RankedEndpoint[]): RankedEndpoint | undefined {
  return endpoints.toSorted((a, b) => a.health.due - b.health.due)[0];
}

/** None of them may be asked. */
export function noEndpoint(network: string, endpoints: readonly RankedEndpoint[]): ChainUnavailable {
  return new ChainUnavailable(network, `no endpoint can be queried at the moment (${statesOf(endpoints)})`);
}

/** None of them can be a second endpoint, but not for so long that the reader goes on without one. */
export function noSecondEndpoint(others: readonly RankedEndpoint[]): ChainUnavailable {
  return new ChainUnavailable(
    others[0]!.endpoint.network,
    `no second endpoint is healthy; this normally lasts a few seconds (${statesOf(others)})`,
  );
}

function statesOf(endpoints: readonly RankedEndpoint[]): string {
  return endpoints.map(({ health }) => health.reason ?? health.state).join('; ');
}
