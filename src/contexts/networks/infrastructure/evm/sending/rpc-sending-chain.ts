import { Injectable } from '@nestjs/common';
import { encodeFunctionData, parseAbi } from 'viem';
import { unavailable } from '../../../../../shared/kernel/domain-error.js';
import {
  type BroadcastOutcome,
  SendingChain,
  type SignedTransaction,
  type UnsignedTransaction,
} from '../../../application/sending/sending-chain.js';
import { orUnavailable } from '../../../application/or-unavailable.js';
import { ChainUnavailable } from '../../../contract/chain-reader.js';
import { type Endpoint, spokenEndpoint } from '../../../domain/endpoint.js';
import { meaningOfRefusal, weightiest } from '../../../domain/sending/broadcast-response.js';
import type { BroadcastResponse } from '../../../domain/sending/broadcast-response.js';
import type { EndpointView } from '../../../domain/sending/fate-on-chain.js';
import type { FeeLimits, FeeMarket } from '../../../domain/sending/fees.js';
import type { AccountState } from '../../../domain/sending/gas-key.js';
import type { SendingPurpose } from '../../../domain/sending/sending.js';
import { NetworksSettings } from '../../networks-settings.js';
import { type EvmNetworkConfiguration, isEvm } from '../evm-network.js';
import { ProvenEndpoints } from '../examination/proven-endpoints.js';
import { contractCall, readBytes } from '../rpc/contract-calls.js';
import { knownContracts } from '../forwarders/known-contracts.js';
import { word } from '../rpc/hex-fields.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { EndpointAccounts } from './endpoint-accounts.js';
import { serialized } from './transaction-bytes.js';

/** Predeploy of rollups of the OP Stack, which charge for writing a transaction to their base chain. */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000f';
const ORACLE_ABI = parseAbi(['function getL1Fee(bytes transaction) view returns (uint256)']);

/** Sending by JSON-RPC. An endpoint that is asked is asked for its chain each time: it may have become another's since. */
@Injectable()
export class RpcSendingChain extends SendingChain {
  constructor(
    private readonly settings: NetworksSettings,
    private readonly endpoints: ProvenEndpoints,
    private readonly rpc: JsonRpc,
    private readonly accounts: EndpointAccounts,
  ) {
    super();
  }

  chainId(network: string): number {
    return this.configuration(network).chainId;
  }

  feeLimits(network: string): FeeLimits {
    return this.configuration(network).fees;
  }

  contracts(network: string, purpose: SendingPurpose): readonly string[] {
    return knownContracts(this.configuration(network), purpose);
  }

  account(network: string, address: string): Promise<AccountState> {
    return this.first(network, (endpoint) => this.accounts.state(endpoint, address));
  }

  market(network: string): Promise<FeeMarket> {
    return this.first(network, (endpoint) => this.accounts.market(endpoint));
  }

  dataFee(network: string, transaction: UnsignedTransaction): Promise<bigint> {
    const args = [serialized(transaction)] as const;
    const data = encodeFunctionData({ abi: ORACLE_ABI, functionName: 'getL1Fee', args });
    return this.first(network, async (endpoint) => {
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

  views(
    network: string,
    address: string,
    hashes: readonly string[],
  ): Promise<readonly (EndpointView | null)[]> {
    const configuration = this.configuration(network);
    const view = async (endpoint: Endpoint) => {
      await this.endpoints.prove(configuration, endpoint);
      return this.accounts.view(endpoint, configuration, address, hashes);
    };
    return Promise.all(
      this.rpc.endpoints(network).map(async (endpoint) => {
        const answer = await orUnavailable(view(endpoint));
        return answer instanceof ChainUnavailable ? null : answer;
      }),
    );
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

  private first<T>(network: string, ask: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    return this.endpoints.first(this.configuration(network), ask);
  }

  /** @throws unavailable for what is no EVM network of the configuration */
  configuration(network: string): EvmNetworkConfiguration {
    const found = this.settings.networks.filter(isEvm).find((each) => each.network === network);
    if (found === undefined) throw unavailable(`Nothing can be sent on the network ${network}.`);
    return found;
  }
}
