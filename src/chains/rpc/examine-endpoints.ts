import { ChainUnavailable, orUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { type Endpoint, endpointLabel } from '#contexts/networks/domain/endpoint.js';
import {
  type Finding,
  ok,
  wrong,
  type EndpointAnswer,
  type CheckResult,
  warning,
} from '#contexts/networks/domain/finding.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import type { IdentifiedEndpoint, PooledInspection } from './pooled-inspection.js';

/** Queries one endpoint after the other, because many providers limit calls per second. */
export async function examineEndpoints(
  chain: PooledInspection,
  network: NetworkConfiguration,
  examine: (endpoint: Endpoint) => Promise<Finding[]>,
): Promise<{ readonly findings: Finding[]; readonly good: Endpoint[] }> {
  const findings: Finding[] = [];
  const good: Endpoint[] = [];
  const genesis = new Set<string>();
  for (const endpoint of chain.endpoints(network.network)) {
    const found = await orUnavailable(chain.identified(network, endpoint));
    if (found instanceof ChainUnavailable) {
      findings.push(unreachableFinding(endpoint, found.message));
      continue;
    }
    findings.push(identityFinding(endpoint, found, chain.chainName(found.identity.chainId)));
    if (found.foreign !== null) continue;
    good.push(endpoint);
    genesis.add(found.identity.genesisHash);
    findings.push(...(await examine(endpoint)));
  }
  if (genesis.size > 1) findings.push(tornFinding(genesis));
  return { findings, good };
}

function identityFinding(
  endpoint: Endpoint,
  { identity, isStored, foreign }: IdentifiedEndpoint,
  chain: string,
): Finding {
  const about = endpointLabel(endpoint);
  if (foreign !== null) return { about, ...wrong('chain', foreign.message, 'Remove it from rpc_urls.') };
  const genesis = isStored
    ? 'with the expected genesis'
    : `which this service has not met yet (genesis ${identity.genesisHash})`;
  return { about, ...ok('chain', `It serves chain ${chain}, ${genesis}.`) };
}

function unreachableFinding(endpoint: Endpoint, reason: string): Finding {
  const todo = 'Correct its URL in rpc_urls, repair the node, or remove it.';
  return {
    about: endpointLabel(endpoint),
    ...wrong('reachable', `It does not respond: ${reason}`, todo),
  };
}

function tornFinding(genesis: ReadonlySet<string>): Finding {
  const says = `The endpoints serve different chains with the same id. Genesis blocks: ${[...genesis].join(', ')}.`;
  const todo = 'Keep only the endpoints of the intended chain in rpc_urls.';
  return { about: 'network', ...wrong('chain', says, todo) };
}

export function checkHead(
  head: EndpointAnswer<{ readonly number: number; readonly time: Date }>,
  maxLagSeconds: number,
  now: Date,
): CheckResult {
  if ('refused' in head) {
    return wrong('head', `It does not return its newest block: ${head.refused}`, 'Repair the node.');
  }
  const age = Math.round((now.getTime() - head.answer.time.getTime()) / 1_000);
  const says = `Its newest block is ${head.answer.number}, ${age} seconds old.`;
  if (age <= maxLagSeconds) return ok('head', says);
  const todo = `Wait until the node is in sync. Beyond ${maxLagSeconds} seconds (max_lag_seconds), new requests are refused.`;
  return wrong('head', says, todo);
}

export function checkBatch(batch: EndpointAnswer<true>): CheckResult {
  if ('answer' in batch) return ok('batches', 'It supports batch requests.');
  const says = `It does not support batch requests: ${batch.refused}`;
  return warning('batches', says, 'Reading takes more requests. Check its rate limit.');
}
