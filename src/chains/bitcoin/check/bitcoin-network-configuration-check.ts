import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { NetworkConfigurationCheck } from '#contexts/networks/application/chain-types.js';
import { type Endpoint, endpointLabel } from '#contexts/networks/domain/endpoint.js';
import {
  type EndpointAnswer,
  type NetworkCheckFinding,
  okResult,
  warningResult,
  wrongResult,
} from '#contexts/networks/domain/finding.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { checkEndpoints } from '../../rpc/check-endpoints.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { answerOrRefusal } from '../../rpc/rpc-failures.js';
import { blockHashCall } from '../rpc/block-calls.js';
import { BitcoinChainInspection } from './bitcoin-chain-inspection.js';
import { BitcoinNodeCheck } from './bitcoin-node-check.js';
import { nodeFindings } from './node-facts.js';

/** Endpoints may differ in newer blocks, but a difference in older blocks is a fork. */
const COMPARED_BLOCKS_BELOW_HEAD = 6;

/** Grace period from which the check warns, because the coin's price often changes by some percent within a day. */
const GRACE_WARNING_SECONDS = 86_400;

@Injectable()
export class BitcoinNetworkConfigurationCheck extends NetworkConfigurationCheck {
  constructor(
    private readonly clock: Clock,
    private readonly rpc: JsonRpc,
    private readonly inspection: BitcoinChainInspection,
    private readonly nodes: BitcoinNodeCheck,
  ) {
    super();
  }

  async check(network: NetworkConfiguration): Promise<NetworkCheckFinding[]> {
    const heads = new Map<Endpoint, number>();
    const { findings, good } = await checkEndpoints(this.inspection, network, async (endpoint) => {
      const facts = await this.nodes.check(endpoint);
      if ('answer' in facts.info) heads.set(endpoint, facts.info.answer.number);
      const now = await this.clock.now();
      return nodeFindings(endpointLabel(endpoint), facts, network.maxLagSeconds, now);
    });
    if (good.length === 0) {
      const says = 'No endpoint is available to check the mempool and the blocks.';
      return [...findings, { about: 'network', ...wrongResult('chain', says, 'Correct rpc_urls first.') }];
    }
    const known = [...findings, graceFinding(network)];
    return heads.size < 2 ? known : [...known, await this.agreement(heads)];
  }

  private async agreement(heads: ReadonlyMap<Endpoint, number>): Promise<NetworkCheckFinding> {
    const about = 'network';
    const number = Math.max(0, Math.min(...heads.values()) - COMPARED_BLOCKS_BELOW_HEAD);
    const answers: EndpointAnswer<string | null>[] = [];
    for (const endpoint of heads.keys())
      answers.push(await answerOrRefusal(this.rpc.callOnce(endpoint, blockHashCall(number))));
    const refusal = answers.find((answer) => 'refused' in answer);
    if (refusal !== undefined) {
      const says = `The endpoints could not be compared at block ${number}: ${refusal.refused}`;
      return { about, ...warningResult('agreement', says, 'Check again when all endpoints respond.') };
    }
    const hashes = new Set(answers.map((answer) => ('answer' in answer ? answer.answer : null)));
    if (hashes.size === 1)
      return { about, ...okResult('agreement', `The endpoints agree on block ${number}.`) };
    const says = `The endpoints differ at block ${number}: ${[...hashes].join(', ')}.`;
    const todo =
      'One endpoint follows another fork. Find out which, and repair it before you accept payments.';
    return { about, ...wrongResult('agreement', says, todo) };
  }
}

function graceFinding({ pendingGraceSeconds = 0 }: NetworkConfiguration): NetworkCheckFinding {
  const hours = Math.round(pendingGraceSeconds / 360) / 10;
  const says = `A payment seen in time keeps its locked price for ${hours} hours after expires_at if its fee is not too low.`;
  if (pendingGraceSeconds < GRACE_WARNING_SECONDS)
    return { about: 'network', ...okResult('inclusion grace', says) };
  const todo =
    'The payer can still replace it while the price moves. Set inclusion_grace_seconds to a few hours if ' +
    'you lock prices in another currency.';
  return { about: 'network', ...warningResult('inclusion grace', says, todo) };
}
