import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { NetworkConfigurationCheck } from '#contexts/networks/application/chain-types.js';
import { ChainUnavailable, catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { type Endpoint, endpointLabel } from '#contexts/networks/domain/endpoint.js';
import {
  type CheckResult,
  type EndpointAnswer,
  type NetworkCheckFinding,
  okResult,
  wrongResult,
} from '#contexts/networks/domain/finding.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { checkBatchSupport, checkEndpoints, checkHead } from '../../rpc/check-endpoints.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { answerOrRefusal } from '../../rpc/rpc-failures.js';
import { NEWEST_BLOCK_CALL, SOLID_NUMBER_CALL, blockCall } from '../reading/tron-calls.js';
import { TronReceipts } from '../reading/tron-receipts.js';
import { TronChainInspection } from './tron-chain-inspection.js';

/** A day, for catching up after an outage. */
const RECEIPT_DEPTH_BLOCKS = 28_800;

@Injectable()
export class TronNetworkConfigurationCheck extends NetworkConfigurationCheck {
  constructor(
    private readonly clock: Clock,
    private readonly rpc: JsonRpc,
    private readonly receipts: TronReceipts,
    private readonly inspection: TronChainInspection,
  ) {
    super();
  }

  async check(network: NetworkConfiguration): Promise<NetworkCheckFinding[]> {
    const { findings, good } = await checkEndpoints(this.inspection, network, async (endpoint) => {
      const about = endpointLabel(endpoint);
      return (await this.endpoint(endpoint, network)).map((result) => ({ about, ...result }));
    });
    const about = 'network';
    return [...findings, { about, ...(await this.contracts(good)) }];
  }

  private async endpoint(
    endpoint: Endpoint,
    { maxLagSeconds }: NetworkConfiguration,
  ): Promise<CheckResult[]> {
    const newest = await answerOrRefusal(this.rpc.callOnce(endpoint, NEWEST_BLOCK_CALL));
    const head = 'answer' in newest ? { answer: newest.answer.header } : newest;
    const solid = await answerOrRefusal(this.rpc.callOnce(endpoint, SOLID_NUMBER_CALL));
    const batch = async (): Promise<true> => {
      await this.rpc.batchOnce(endpoint, [blockCall(0), blockCall(0)]);
      return true;
    };
    return [
      checkHead(head, maxLagSeconds, await this.clock.now()),
      checkSolidity(solid),
      ...('answer' in head ? [await this.receiptsAt(endpoint, head.answer.number)] : []),
      checkBatchSupport(await answerOrRefusal(batch())),
    ];
  }

  /** A node without the history of transactions returns no receipts. */
  private async receiptsAt(endpoint: Endpoint, head: number): Promise<CheckResult> {
    const number = Math.max(1, head - RECEIPT_DEPTH_BLOCKS);
    const read = async (): Promise<number> => {
      const block = await this.rpc.callOnce(endpoint, blockCall(number));
      await this.receipts.receipts(endpoint, block === null ? [] : [block], () => undefined);
      return block?.transactions.length ?? 0;
    };
    const answer = await answerOrRefusal(read());
    if ('answer' in answer)
      return okResult('receipts', `It returns all ${answer.answer} receipts of block ${number}.`);
    const todo = 'Use a node that keeps the history of transactions. Blocks without receipts are not read.';
    return wrongResult(
      'receipts',
      `It does not return the receipts of block ${number}: ${answer.refused}`,
      todo,
    );
  }

  private async contracts(good: readonly Endpoint[]): Promise<CheckResult> {
    let reason = 'no endpoint is available.';
    for (const endpoint of good) {
      const problems = await catchChainUnavailable(this.inspection.configurationMismatches(endpoint));
      if (problems instanceof ChainUnavailable) {
        reason = problems.message;
        continue;
      }
      if (problems.length === 0)
        return okResult(
          'contracts',
          'The factory derives the expected addresses, and the tokens have the configured decimals.',
        );
      const says = problems.join(' ').replace(/^./, (letter) => letter.toUpperCase());
      return wrongResult(
        'contracts',
        says,
        'Correct NETWORKS_FILE. Never change the factory of a network in use.',
      );
    }
    const todo = 'Check again when the endpoints respond.';
    return wrongResult('contracts', `The factory and the tokens could not be checked: ${reason}`, todo);
  }
}

function checkSolidity(solid: EndpointAnswer<number>): CheckResult {
  if ('answer' in solid) return okResult('finality', `Block ${solid.answer} is solid.`);
  const todo = 'Use an endpoint that serves /walletsolidity. No payment completes before its block is solid.';
  return wrongResult('finality', `It does not report solid blocks: ${solid.refused}`, todo);
}
