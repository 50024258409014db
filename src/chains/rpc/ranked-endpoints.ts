import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { EndpointHealth, EndpointState } from './endpoint-health.js';

export interface EndpointWithHealth {
  readonly endpoint: Endpoint;
  readonly health: EndpointHealth;
}

export interface AdmittedEndpoint {
  readonly endpoint: Endpoint;
  readonly mayBeAsked: boolean;
  readonly isFailing: boolean;
  readonly isAway: boolean;
}

export function admittedOf(endpoints: readonly EndpointWithHealth[]): AdmittedEndpoint[] {
  const now = performance.now();
  return endpoints
    .filter(({ health: { state } }) => state !== 'foreign' && state !== 'unproven')
    .map(({ endpoint, health }) => {
      return {
        endpoint,
        mayBeAsked: health.isCallAllowed(now),
        isFailing: health.state === 'backing_off',
        isAway: health.isUnavailableForLong(now),
      };
    });
}

export function isHealthy({ health }: EndpointWithHealth): boolean {
  return health.state === 'well';
}

export function isLaggingButAdvancing({ health }: EndpointWithHealth): boolean {
  return health.state === 'lagging' && health.isHeadAdvancing(performance.now());
}

export function isRetryDue({ health }: EndpointWithHealth): boolean {
  return health.state === 'backing_off' && health.isCallAllowed(performance.now());
}

/** Prefers a lagging endpoint to none. */
export function bestEndpoint(network: string, endpoints: readonly EndpointWithHealth[]): EndpointWithHealth {
  const now = performance.now();
  const askable = endpoints.filter(({ health }) => health.isCallAllowed(now));
  const inState = (state: EndpointState) => askable.filter(({ health }) => health.state === state);
  const found =
    highestEndpoint(inState('well')) ??
    highestEndpoint(inState('lagging')) ??
    longestDue(inState('backing_off'));
  if (found === undefined) throw noEndpointError(network, endpoints);
  return found;
}

/** On a tie, returns the first in configuration order. */
export function highestEndpoint(endpoints: readonly EndpointWithHealth[]): EndpointWithHealth | undefined {
  return endpoints.toSorted((a, b) => (b.health.head ?? -1) - (a.health.head ?? -1))[0];
}

function longestDue(endpoints: readonly EndpointWithHealth[]): EndpointWithHealth | undefined {
  return endpoints.toSorted((a, b) => a.health.due - b.health.due)[0];
}

export function noEndpointError(network: string, endpoints: readonly EndpointWithHealth[]): ChainUnavailable {
  return new ChainUnavailable(network, `no endpoint can be queried at the moment (${statesOf(endpoints)})`);
}

export function noSecondEndpointError(others: readonly EndpointWithHealth[]): ChainUnavailable {
  return new ChainUnavailable(
    others[0]!.endpoint.network,
    `no second endpoint is healthy; this normally lasts a few seconds (${statesOf(others)})`,
  );
}

function statesOf(endpoints: readonly EndpointWithHealth[]): string {
  return endpoints.map(({ health }) => health.reason ?? health.state).join('; ');
}
