import { Injectable } from '@nestjs/common';
import { encodeFunctionData, parseAbi } from 'viem';
import {
  type BroadcastOutcome,
  type ReadTransaction,
  SendingChain,
  type SignedTransaction,
  type UnsignedTransaction,
} from '../../../application/sending/sending-chain.js';
import { orUnavailable } from '../../../application/or-unavailable.js';
import { ChainUnavailable } from '../../../contract/chain-reader.js';
import { type Endpoint, spokenEndpoint } from '../../../domain/endpoint.js';
import { meaningOfRefusal, weightiest } from '../../../domain/sending/broadcast-response.js';
import type { BroadcastResponse } from '../../../domain/sending/broadcast-response.js';
import type { EndpointView, NonceUse } from '../../../domain/sending/fate-on-chain.js';
import type { FeeLimits, FeeMarket } from '../../../domain/sending/fees.js';
import type { AccountState } from '../../../domain/sending/gas-key.js';
import type { SendingPurpose } from '../../../domain/sending/sending.js';
import { ProvenEndpoints } from '../examination/proven-endpoints.js';
import { contractCall, readBytes } from '../rpc/contract-calls.js';
import { knownContracts } from '../forwarders/known-contracts.js';
import { word } from '../rpc/hex-fields.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { EndpointAccounts } from './endpoint-accounts.js';
import { NonceSearch } from './nonce-search.js';
import { readSigned, serialized } from './transaction-bytes.js';

/** Predeploy of rollups of the OP Stack, which charge for writing a transaction to their base chain. */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000f';
const ORACLE_ABI = parseAbi(['function getL1Fee(bytes transaction) view returns (uint256)']);

/** Sending by JSON-RPC. An endpoint that is asked is asked for its chain each time: it may have become another's since. */
@Injectable()
export class RpcSendingChain extends SendingChain {
  constructor(
    private readonly endpoints: ProvenEndpoints,
    private readonly rpc: JsonRpc,
    private readonly accounts: EndpointAccounts,
    private readonly search: NonceSearch,
  ) {
    super();
  }

  chainId(network: string): number {
    return this.endpoints.configuration(network).chainId;
  }

  feeLimits(network: string): FeeLimits {
    return this.endpoints.configuration(network).fees;
  }

  contracts(network: string, purpose: SendingPurpose): readonly string[] {
    return knownContracts(this.endpoints.configuration(network), purpose);
  }

  read(_: string, raw: string): Promise<ReadTransaction | null> {
    return readSigned(raw);
  }

  async account(network: string, address: string): Promise<AccountState> {
    const answers = await this.endpoints.each(network, (endpoint) => this.accounts.state(endpoint, address));
    const states = answers.flatMap((answer) => (answer instanceof ChainUnavailable ? [] : [answer]));
    if (states.length === 0)
      throw new ChainUnavailable(network, answers.map((answer) => (answer as Error).message).join(' '));
    const least = <T extends number | bigint>(values: readonly T[]): T =>
      values.reduce((one, other) => (one < other ? one : other));
    return {
      latestCount: least(states.map(({ latestCount }) => latestCount)),
      balance: least(states.map(({ balance }) => balance)),
      code: states.find(({ code }) => code !== '0x')?.code ?? '0x',
    };
  }

  market(network: string): Promise<FeeMarket> {
    return this.endpoints.first(network, (endpoint) => this.accounts.market(endpoint));
  }

  dataFee(network: string, transaction: UnsignedTransaction): Promise<bigint> {
    const args = [serialized(transaction)] as const;
    const data = encodeFunctionData({ abi: ORACLE_ABI, functionName: 'getL1Fee', args });
    return this.endpoints.first(network, async (endpoint) => {
      const code = await this.rpc.call(endpoint, {
        method: 'eth_getCode',
        params: [GAS_PRICE_ORACLE, 'latest'],
        read: readBytes,
      });
      const answer =
        code === '0x' ? null : await this.rpc.call(endpoint, contractCall(GAS_PRICE_ORACLE, data));
      return answer?.length === 66 ? BigInt(answer) : 0n;
    });
  }

  async broadcast(network: string, signed: SignedTransaction): Promise<BroadcastOutcome> {
    const outcomes = await Promise.all(
      this.rpc.endpoints(network).map(async (endpoint) => {
        const { response, words } = await this.give(endpoint, signed);
        return { response, sentence: `${spokenEndpoint(endpoint)}: ${words}` };
      }),
    );
    return {
      response: weightiest(outcomes.map(({ response }) => response)),
      responses: outcomes.map(({ sentence }) => sentence).join('; '),
    };
  }

  async views(
    network: string,
    address: string,
    hashes: readonly string[],
  ): Promise<readonly (EndpointView | null)[]> {
    const configuration = this.endpoints.configuration(network);
    const answers = await this.endpoints.each(network, (endpoint) =>
      this.accounts.view(endpoint, configuration, address, hashes),
    );
    return answers.map((answer) => (answer instanceof ChainUnavailable ? null : answer));
  }

  async nonceUse(network: string, address: string, nonce: number): Promise<NonceUse | null> {
    const configuration = this.endpoints.configuration(network);
    const finals = await this.endpoints.each(network, async (endpoint) => ({
      endpoint,
      final: (await this.accounts.finalNumber(endpoint, configuration)) ?? -1,
    }));
    const known = finals.flatMap((each) => (each instanceof ChainUnavailable ? [] : [each]));
    if (known.length < finals.length) return null;
    for (const { endpoint, final } of known) {
      const use = await orUnavailable(this.search.find(endpoint, address, nonce, final));
      if (use === null || use instanceof ChainUnavailable) continue;
      const shown = await Promise.all(
        known.map(
          async (each) =>
            each.final >= use.blockNumber &&
            (await orUnavailable(this.search.shows(each.endpoint, address, nonce, use))) === true,
        ),
      );
      return shown.every(Boolean) ? use : null;
    }
    return null;
  }

  /** Once: the next step gives it again. A signature is of one chain, so that another chain can only refuse it. */
  private async give(
    endpoint: Endpoint,
    { raw, hash }: SignedTransaction,
  ): Promise<{ response: BroadcastResponse; words: string }> {
    const given = await orUnavailable(
      this.rpc.callOnce<{ response: BroadcastResponse; words: string }>(endpoint, {
        method: 'eth_sendRawTransaction',
        params: [raw],
        read: (answer) => {
          const isIt = word(answer, 'hash') === hash;
          return { response: isIt ? 'accepted' : 'refused', words: isIt ? 'accepted' : 'another hash' };
        },
        refused: ({ details, message }) => ({ response: meaningOfRefusal(details), words: message }),
      }),
    );
    return given instanceof ChainUnavailable ? { response: 'unreachable', words: given.message } : given;
  }
}
