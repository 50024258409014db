import { Injectable } from '@nestjs/common';
import { type OwnAddressLookup, catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { recipientKey } from '#contexts/networks/contract/deposit-addresses.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { EndpointFailure, MalformedAnswer } from '../../rpc/rpc-failures.js';
import {
  type AddressedOutput,
  type CoinAndAddressFormat,
  type OutputTransfer,
  addressedOutputs,
  transferOfOutput,
} from '../reading/output-transfers.js';
import type { RawTransaction } from '../reading/raw-transaction.js';
import { transactionCall } from '../rpc/transaction-calls.js';
import type { MempoolIndex } from './mempool-index.js';

export interface ExaminedTransactions {
  readonly transfers: readonly OutputTransfer[];
  readonly examined: readonly string[];
  readonly refused: readonly (readonly [id: string, position: number])[];
  /** False if at least one endpoint failed, or was not called because it is failing. */
  readonly isWhole: boolean;
}

/** A transaction's id proves its bytes, whichever endpoint returns them. */
@Injectable()
export class MempoolTransactions {
  constructor(
    private readonly rpc: JsonRpc,
    private readonly pool: EndpointPool,
  ) {}

  async findOwnTransfers(
    network: string,
    notation: CoinAndAddressFormat,
    held: MempoolIndex,
    ids: readonly string[],
    ours: OwnAddressLookup,
  ): Promise<ExaminedTransactions> {
    const outputs: AddressedOutput[] = [];
    const examined = new Set<string>();
    const refused: (readonly [string, number])[] = [];
    let isWhole = true;
    for (const { endpoint, isFailing } of this.pool.admittedEndpoints(network)) {
      const asked = ids.filter((id) => !examined.has(id) && held.isListedBy(id, endpoint.position));
      if (asked.length === 0) continue;
      const take = (id: string, transaction: RawTransaction | null) => {
        if (transaction === null) return void refused.push([id, endpoint.position]);
        outputs.push(...addressedOutputs([transaction], notation));
        examined.add(id);
      };
      const answered = !isFailing && (await this.ask(endpoint, asked, take));
      isWhole &&= answered;
    }
    const own = await ours([...new Set(outputs.map(({ to }) => to))].map((address) => ({ address })));
    const transfers = outputs
      .filter(({ to }) => own.has(recipientKey({ address: to })))
      .map((output) => transferOfOutput(output, notation));
    return { transfers, examined: [...examined], refused, isWhole };
  }

  /**
   * @returns false if the endpoint failed
   */
  private async ask(
    endpoint: Endpoint,
    ids: readonly string[],
    take: (id: string, transaction: RawTransaction | null) => void,
  ): Promise<boolean> {
    const lies: string[] = [];
    const calls = ids.map((id) =>
      orReportFalseAnswer(transactionCall(id), (message) => {
        lies.push(message);
        return null;
      }),
    );
    const answer = await catchChainUnavailable(
      this.pool.asking(endpoint, () =>
        this.rpc.each(endpoint, calls, (transaction, i) => take(ids[i]!, transaction)),
      ),
    );
    const [lie] = lies;
    if (lie !== undefined)
      this.pool.recordFailure(endpoint, new EndpointFailure(endpoint.network, lie, 'malformed'));
    return lie === undefined && !(answer instanceof Error);
  }
}

/** Turns a false answer into a value, so that it does not discard the correct answers of the same batch. */
function orReportFalseAnswer<T>(call: RpcCall<T>, lied: (message: string) => T): RpcCall<T> {
  return {
    ...call,
    read(answer) {
      try {
        return call.read(answer);
      } catch (error) {
        if (error instanceof MalformedAnswer) return lied(`${call.method}: ${error.message}`);
        throw error;
      }
    },
  };
}
