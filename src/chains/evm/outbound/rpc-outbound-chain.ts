import { Injectable } from '@nestjs/common';
import { encodeFunctionData, parseAbi } from 'viem';
import {
  type BroadcastOutcome,
  type GasFeeMarketAtHead,
  type PricedSignedTransaction,
  type DecodedOutboundTransaction,
  OutboundChain,
  type SignedTransaction,
  type UnsignedTransaction,
} from '#contexts/networks/application/outbound/outbound-chain.js';
import { ChainUnavailable, catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { type Endpoint, endpointLabel } from '#contexts/networks/domain/endpoint.js';
import {
  type BroadcastResponse,
  classifyBroadcastError,
  mostConclusiveResponse,
} from '#contexts/networks/domain/outbound/broadcast-response.js';
import type {
  EndpointNonceObservation,
  NonceUse,
  UnresponsiveEndpoint,
} from '#contexts/networks/domain/outbound/on-chain-status.js';
import type { GasFeeLimits } from '#contexts/networks/domain/outbound/gas-fees.js';
import type { SenderAccountState } from '#contexts/networks/domain/outbound/gas-key.js';
import type {
  OutboundTransaction,
  OutboundPurpose,
} from '#contexts/networks/domain/outbound/outbound-transaction.js';
import { VerifiedEndpoints } from '../check/verified-endpoints.js';
import { contractCall, readBytes } from '../../ethereum-rpc/contract-calls.js';
import { contractsForGasKey } from '../forwarders/gas-key-contracts.js';
import { readWord } from '../../ethereum-rpc/hex-fields.js';
import { withCallPurpose } from '../../rpc/call-purpose.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { EndpointFailure } from '../../rpc/rpc-failures.js';
import { EndpointAccountQueries } from './endpoint-account-queries.js';
import { NonceSearch } from './nonce-search.js';
import { decodeSignedTransaction, serializeUnsigned } from './transaction-bytes.js';

/** Predeployed contract of OP Stack rollups, which charge for data on their base chain. */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000f';
const ORACLE_ABI = parseAbi([
  'function getL1Fee(bytes transaction) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
]);

const ORACLE_KNOWN_FOR_MS = 3_600_000;

/** Gas of a plain transfer on chains that charge in gas for nothing but execution. */
const PLAIN_GAS = 21_000n;

@Injectable()
export class RpcOutboundChain extends OutboundChain {
  private readonly oracles = new Map<Endpoint, { readonly exists: boolean; readonly at: number }>();

  constructor(
    private readonly endpoints: VerifiedEndpoints,
    private readonly rpc: JsonRpc,
    private readonly accounts: EndpointAccountQueries,
    private readonly search: NonceSearch,
  ) {
    super();
  }

  chainId(network: string): number {
    return this.endpoints.configuration(network).chainId;
  }

  feeLimits(network: string): GasFeeLimits {
    return this.endpoints.configuration(network).fees;
  }

  callableContracts(network: string, purpose: OutboundPurpose): readonly string[] {
    return contractsForGasKey(this.endpoints.configuration(network), purpose);
  }

  decode(_: string, raw: string): Promise<DecodedOutboundTransaction | null> {
    return decodeSignedTransaction(raw);
  }

  async senderAccountState(network: string, address: string): Promise<SenderAccountState> {
    const states = await this.answers(network, (endpoint) => this.accounts.accountState(endpoint, address));
    return {
      latestCount: smallestOf(states.map(({ latestCount }) => latestCount)),
      mostCount: Math.max(...states.map(({ mostCount }) => mostCount)),
      balance: smallestOf(states.map(({ balance }) => balance)),
      code: states.find(({ code }) => code !== '0x')?.code ?? '0x',
    };
  }

  async gasFeeMarket(network: string): Promise<GasFeeMarketAtHead> {
    const markets = await this.answers(network, (endpoint) => this.accounts.gasFeeMarket(endpoint));
    const baseFees = markets.flatMap(({ baseFee }) => baseFee ?? []);
    // Without a base fee, the suggested price is the total price and must not be treated as a priority fee.
    const alike = markets.filter(({ baseFee }) => (baseFee !== null) === baseFees.length > 0);
    return {
      baseFee: baseFees.length === 0 ? null : baseFees.reduce((one, other) => (one > other ? one : other)),
      suggested: smallestOf(alike.map(({ suggested }) => suggested)),
      head: smallestOf(markets.map(({ head }) => head)),
    };
  }

  blockGasLimit(network: string): Promise<bigint> {
    return this.endpoints.first(network, (endpoint) => this.accounts.blockGasLimit(endpoint));
  }

  async selfTransferGas(network: string, address: string): Promise<bigint> {
    const estimated = await this.endpoints.first(network, (each) =>
      this.accounts.selfTransferGas(each, address),
    );
    return estimated <= PLAIN_GAS ? PLAIN_GAS : (estimated * 5n) / 4n;
  }

  dataFee(network: string, transaction: UnsignedTransaction): Promise<bigint> {
    const questions = [
      encodeFunctionData({
        abi: ORACLE_ABI,
        functionName: 'getL1Fee',
        args: [serializeUnsigned(transaction)],
      }),
      encodeFunctionData({
        abi: ORACLE_ABI,
        functionName: 'getOperatorFee',
        args: [transaction.call.gasLimit],
      }),
    ];
    return this.endpoints.first(network, async (endpoint) => {
      if (!(await this.hasOracle(endpoint))) return 0n;
      const calls = questions.map((data) => contractCall(GAS_PRICE_ORACLE, data));
      const fees = await this.rpc.batch(endpoint, calls);
      return fees.reduce((sum, fee) => sum + (fee?.length === 66 ? BigInt(fee) : 0n), 0n);
    });
  }

  /** Checks for the gas price oracle once an hour, because an upgrade of the chain can add it. */
  private async hasOracle(endpoint: Endpoint): Promise<boolean> {
    const known = this.oracles.get(endpoint);
    if (known !== undefined && performance.now() - known.at < ORACLE_KNOWN_FOR_MS) return known.exists;
    const code = await this.rpc.call(endpoint, {
      method: 'eth_getCode',
      isLong: true,
      params: [GAS_PRICE_ORACLE, 'latest'],
      read: readBytes,
    });
    const exists = code !== '0x';
    this.oracles.set(endpoint, { exists, at: performance.now() });
    return exists;
  }

  async broadcast(network: string, signed: SignedTransaction): Promise<BroadcastOutcome> {
    const outcomes = await Promise.all(
      this.rpc.endpoints(network).map(async (endpoint) => {
        const { response, words } = await withCallPurpose('sending', () =>
          this.broadcastTo(endpoint, signed),
        );
        return { response, sentence: `${endpointLabel(endpoint)}: ${words}` };
      }),
    );
    return {
      response: mostConclusiveResponse(outcomes.map(({ response }) => response)),
      responses: outcomes.map(({ sentence }) => sentence).join('; '),
    };
  }

  async nonceObservations(
    network: string,
    sending: Pick<OutboundTransaction, 'sender' | 'nonce'>,
    attempts: readonly PricedSignedTransaction[],
  ): Promise<readonly (EndpointNonceObservation | UnresponsiveEndpoint)[]> {
    const configuration = this.endpoints.configuration(network);
    const answers = await this.endpoints.each(network, (endpoint) =>
      this.accounts.nonceObservation(endpoint, configuration, sending, attempts),
    );
    const endpoints = this.rpc.endpoints(network).map(endpointLabel);
    return answers.map((answer, i) => {
      if (!(answer instanceof ChainUnavailable)) return answer;
      const silence = answer instanceof EndpointFailure ? answer.reason : answer.message;
      return { endpoint: endpoints[i]!, silence };
    });
  }

  async nonceUse(network: string, address: string, nonce: number, hash?: string): Promise<NonceUse | null> {
    const configuration = this.endpoints.configuration(network);
    const finals = await this.endpoints.each(network, async (endpoint) => ({
      endpoint,
      final: (await this.accounts.finalNumber(endpoint, configuration)) ?? -1,
    }));
    const known = finals.flatMap((each) => (each instanceof ChainUnavailable ? [] : [each]));
    if (known.length < finals.length) return null;
    for (const { endpoint, final } of known) {
      const use = await catchChainUnavailable(
        hash === undefined
          ? this.search.find(endpoint, address, nonce, final)
          : this.search.findByHash(endpoint, address, nonce, hash),
      );
      if (use === null || use instanceof ChainUnavailable) continue;
      const shown = await Promise.all(
        known.map(
          async (each) =>
            each.final >= use.blockNumber &&
            (await catchChainUnavailable(this.search.isInSameBlock(each.endpoint, address, nonce, use))) ===
              true,
        ),
      );
      return shown.every(Boolean) ? use : null;
    }
    return null;
  }

  private async answers<T>(network: string, ask: (endpoint: Endpoint) => Promise<T>): Promise<T[]> {
    const all = await this.endpoints.each(network, ask);
    const answered = all.filter((each): each is Awaited<T> => !(each instanceof ChainUnavailable));
    if (answered.length > 0) return answered;
    throw new ChainUnavailable(network, all.map((failure) => (failure as Error).message).join(' '));
  }

  /** Needs no check of the endpoint's chain: a signature is valid for a single chain. */
  private async broadcastTo(
    endpoint: Endpoint,
    { raw, hash }: SignedTransaction,
  ): Promise<{ response: BroadcastResponse; words: string }> {
    const given = await catchChainUnavailable(
      this.rpc.callOnce<{ response: BroadcastResponse; words: string }>(endpoint, {
        method: 'eth_sendRawTransaction',
        params: [raw],
        read: (answer) => {
          const isIt = readWord(answer, 'hash') === hash;
          return { response: isIt ? 'accepted' : 'refused', words: isIt ? 'accepted' : 'another hash' };
        },
        refused: ({ details, message }) => ({ response: classifyBroadcastError(details), words: message }),
      }),
    );
    return given instanceof ChainUnavailable ? { response: 'unreachable', words: given.message } : given;
  }
}

function smallestOf<T extends number | bigint>(values: readonly T[]): T {
  return values.reduce((one, other) => (one < other ? one : other));
}
