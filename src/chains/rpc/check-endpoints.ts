import { ChainUnavailable, catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { type Endpoint, endpointLabel } from '#contexts/networks/domain/endpoint.js';
import {
  type NetworkCheckFinding,
  okResult,
  wrongResult,
  type EndpointAnswer,
  type CheckResult,
  warningResult,
} from '#contexts/networks/domain/finding.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import type { IdentifiedEndpoint, PooledInspection } from './pooled-inspection.js';

/** Queries one endpoint after the other, because many providers limit calls per second. */
export async function checkEndpoints(
  chain: PooledInspection,
  network: NetworkConfiguration,
  examine: (endpoint: Endpoint) => Promise<NetworkCheckFinding[]>,
): Promise<{ readonly findings: NetworkCheckFinding[]; readonly good: Endpoint[] }> {
  const findings: NetworkCheckFinding[] = [];
  const good: Endpoint[] = [];
  const genesis = new Set<string>();
  for (const endpoint of chain.endpoints(network.network)) {
    const found = await catchChainUnavailable(chain.identify(network, endpoint));
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
): NetworkCheckFinding {
  const about = endpointLabel(endpoint);
  if (foreign !== null)
    return { about, ...wrongResult('chain', foreign.message, 'Remove it from rpc_urls.') };
  const genesis = isStored
    ? 'with the expected genesis'
    : `which this service has not met yet (genesis ${identity.genesisHash})`;
  return { about, ...okResult('chain', `It serves chain ${chain}, ${genesis}.`) };
}

function unreachableFinding(endpoint: Endpoint, reason: string): NetworkCheckFinding {
  const todo = 'Correct its URL in rpc_urls, repair the node, or remove it.';
  return {
    about: endpointLabel(endpoint),
    ...wrongResult('reachable', `It does not respond: ${reason}`, todo),
  };
}

function tornFinding(genesis: ReadonlySet<string>): NetworkCheckFinding {
  const says = `The endpoints serve different chains with the same id. Genesis blocks: ${[...genesis].join(', ')}.`;
  const todo = 'Keep only the endpoints of the intended chain in rpc_urls.';
  return { about: 'network', ...wrongResult('chain', says, todo) };
}

export function checkHead(
  head: EndpointAnswer<{ readonly number: number; readonly time: Date }>,
  maxLagSeconds: number,
  now: Date,
): CheckResult {
  if ('refused' in head) {
    return wrongResult('head', `It does not return its newest block: ${head.refused}`, 'Repair the node.');
  }
  const age = Math.round((now.getTime() - head.answer.time.getTime()) / 1_000);
  const says = `Its newest block is ${head.answer.number}, ${age} seconds old.`;
  if (age <= maxLagSeconds) return okResult('head', says);
  const todo = `Wait until the node is in sync. Beyond ${maxLagSeconds} seconds (max_lag_seconds), new requests are refused.`;
  return wrongResult('head', says, todo);
}

export function checkBatchSupport(batch: EndpointAnswer<true>): CheckResult {
  if ('answer' in batch) return okResult('batches', 'It supports batch requests.');
  const says = `It does not support batch requests: ${batch.refused}`;
  return warningResult('batches', says, 'Reading takes more requests. Check its rate limit.');
}
