import { Injectable } from '@nestjs/common';
import {
  type BroadcastOutcome,
  type DecodedOutboundTransaction,
  type GasFeeMarketAtHead,
  OutboundChain,
  type PricedSignedTransaction,
  type SignedTransaction,
  type UnsignedTransaction,
} from '#contexts/networks/application/outbound/outbound-chain.js';
import { ChainUnavailable, catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { type Endpoint, endpointLabel } from '#contexts/networks/domain/endpoint.js';
import { mostConclusiveResponse } from '#contexts/networks/domain/outbound/broadcast-response.js';
import type { GasFeeLimits } from '#contexts/networks/domain/outbound/gas-fees.js';
import type { SenderAccountState } from '#contexts/networks/domain/outbound/gas-key.js';
import type {
  EndpointNonceObservation,
  EndpointReceipt,
  UnresponsiveEndpoint,
} from '#contexts/networks/domain/outbound/on-chain-status.js';
import type {
  OutboundPurpose,
  OutboundTransaction,
} from '#contexts/networks/domain/outbound/outbound-transaction.js';
import { withCallPurpose } from '../../rpc/call-purpose.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { toEndpointFailure } from '../../rpc/rpc-envelope.js';
import { EndpointFailure, MalformedAnswer } from '../../rpc/rpc-failures.js';
import {
  NEWEST_BLOCK_CALL,
  SOLID_NUMBER_CALL,
  type TronBlock,
  blockCall,
  receiptCall,
} from '../reading/tron-calls.js';
import {
  ENERGY_PRICE_CALL,
  balanceCall,
  broadcastCall,
  delegatedStakeCall,
  resourcesCall,
} from './sending-calls.js';
import { TronEndpoints } from './tron-endpoints.js';
import { signerOf } from './tron-sender-key.js';
import {
  BANDWIDTH_PRICE,
  CREATION_ADDRESS,
  bandwidthOf,
  decodeSigned,
  encodeRawData,
} from './tron-transaction.js';

/** After the newest block of the endpoint that lags most. Long enough to be included when blocks are full. */
const EXPIRES_AFTER_MS = 120_000;
/** Blocks of the proof that no block includes a transaction, in one batch. */
const BLOCKS_AT_ONCE = 25;

/** A transaction has no nonce. Its expiration ends it: docs/decisions/0073-expiring-transactions.md. */
@Injectable()
export class TronOutboundChain extends OutboundChain {
  constructor(
    private readonly endpoints: TronEndpoints,
    private readonly rpc: JsonRpc,
  ) {
    super();
  }

  chainId(network: string): number {
    return this.endpoints.configuration(network).chainId;
  }

  feeLimits(network: string): GasFeeLimits {
    return { floor: 0n, ceiling: this.endpoints.configuration(network).mostEnergyPrice };
  }

  callableContracts(network: string, purpose: OutboundPurpose): readonly string[] {
    if (purpose === 'factory_deployment') return [CREATION_ADDRESS];
    return purpose === 'settlement' ? [this.endpoints.configuration(network).factory] : [];
  }

  decode(_: string, raw: string): Promise<DecodedOutboundTransaction | null> {
    try {
      const { id: hash, owner: sender, signature, to, data, value } = decodeSigned(raw);
      if (signerOf(hash, signature) !== sender) return Promise.resolve(null);
      const call = { to, data, value, gasLimit: 0n };
      return Promise.resolve({ hash, sender, call, chainId: null, nonce: null, fees: null });
    } catch {
      return Promise.resolve(null);
    }
  }

  async senderAccountState(network: string, address: string): Promise<SenderAccountState> {
    const states = await this.answers(network, async (endpoint) => {
      const [balance, { energy, bandwidth }, delegated] = await Promise.all([
        this.rpc.call(endpoint, balanceCall(address)),
        this.rpc.call(endpoint, resourcesCall(address)),
        this.rpc.call(endpoint, delegatedStakeCall(address)),
      ]);
      return { balance, energy, resources: { energy, bandwidth, energy_delegated_by_trx: delegated / 1e6 } };
    });
    const poorest = states.reduce((one, other) => (one.balance <= other.balance ? one : other));
    const energy = Math.min(...states.map((state) => state.energy));
    const { balance, resources } = poorest;
    return { latestCount: null, mostCount: 0, balance, code: '0x', prepaidGas: BigInt(energy), resources };
  }

  async gasFeeMarket(network: string): Promise<GasFeeMarketAtHead> {
    const markets = await this.answers(network, async (endpoint) => {
      const newest = await this.rpc.call(endpoint, NEWEST_BLOCK_CALL);
      const solid = await this.rpc.call(endpoint, SOLID_NUMBER_CALL);
      // A reorganization cannot remove a solid block, so the transaction stays valid.
      const block = await this.rpc.call(endpoint, blockCall(solid));
      if (block === null) throw malformed(endpoint, `it lacks block ${solid}, which is solid`);
      return { price: await this.rpc.call(endpoint, ENERGY_PRICE_CALL), newest, block };
    });
    const last = markets.reduce((one, other) =>
      one.newest.header.number <= other.newest.header.number ? one : other,
    );
    const oldest = markets.reduce((one, other) =>
      one.block.header.number <= other.block.header.number ? one : other,
    );
    const { number: head, time: signedAt } = last.newest.header;
    const expiresAt = new Date(signedAt.getTime() + EXPIRES_AFTER_MS);
    return {
      baseFee: null,
      suggested: markets.map(({ price }) => price).reduce((one, other) => (one < other ? one : other)),
      head,
      validity: { hash: oldest.block.header.hash, signedAt, expiresAt },
    };
  }

  /** Energy that the greatest `fee_limit` of the operator pays for at the present price. */
  async blockGasLimit(network: string): Promise<bigint> {
    const price = await this.endpoints.first(network, (endpoint) =>
      this.rpc.call(endpoint, ENERGY_PRICE_CALL),
    );
    return this.endpoints.configuration(network).mostFeeLimit / (price === 0n ? 1n : price);
  }

  selfTransferGas(network: string): Promise<bigint> {
    throw new ChainUnavailable(network, 'a transaction of TRON is not replaced: it expires.');
  }

  /** Bandwidth, as if the free bandwidth of the day were used up. */
  dataFee(_: string, { call, fees }: UnsignedTransaction): Promise<bigint> {
    const [signedAt, expiresAt] = [new Date(0), new Date(2 ** 41)];
    const validity = { hash: '0'.repeat(64), signedAt, expiresAt };
    const rawData = encodeRawData(CREATION_ADDRESS, { chainId: 0, nonce: 0, call, fees, validity });
    return Promise.resolve(BigInt(bandwidthOf(rawData)) * BANDWIDTH_PRICE);
  }

  async broadcast(network: string, { raw }: SignedTransaction): Promise<BroadcastOutcome> {
    const outcomes = await Promise.all(
      this.rpc.endpoints(network).map(async (endpoint) => {
        const given = await catchChainUnavailable(
          withCallPurpose('sending', () => this.rpc.callOnce(endpoint, broadcastCall(raw))),
        );
        const { response, words } =
          given instanceof ChainUnavailable
            ? { response: 'unreachable' as const, words: given.message }
            : given;
        return { response, sentence: `${endpointLabel(endpoint)}: ${words}` };
      }),
    );
    return {
      response: mostConclusiveResponse(outcomes.map(({ response }) => response)),
      responses: outcomes.map(({ sentence }) => sentence).join('; '),
    };
  }

  nonceUse(): Promise<null> {
    return Promise.resolve(null);
  }

  async nonceObservations(
    network: string,
    { nonce }: Pick<OutboundTransaction, 'nonce'>,
    attempts: readonly PricedSignedTransaction[],
  ): Promise<readonly (EndpointNonceObservation | UnresponsiveEndpoint)[]> {
    const answers = await this.endpoints.each(network, (endpoint) => this.observe(endpoint, nonce, attempts));
    const endpoints = this.rpc.endpoints(network).map(endpointLabel);
    return answers.map((answer, i) => {
      if (!(answer instanceof ChainUnavailable)) return answer;
      const silence = answer instanceof EndpointFailure ? answer.reason : answer.message;
      return { endpoint: endpoints[i]!, silence };
    });
  }

  private async observe(
    endpoint: Endpoint,
    nonce: number,
    attempts: readonly PricedSignedTransaction[],
  ): Promise<EndpointNonceObservation> {
    const finalNumber = await this.rpc.call(endpoint, SOLID_NUMBER_CALL);
    const found = (
      await Promise.all(attempts.map(({ hash }) => this.rpc.call(endpoint, receiptCall(hash))))
    ).find((each) => each !== null);
    const receipt = found === undefined ? null : await this.inItsBlock(endpoint, found);
    const last = attempts.at(-1);
    const expiry =
      receipt === null && last !== undefined
        ? await this.expiryOf(endpoint, last, finalNumber)
        : ('pending' as const);
    const { header } = await this.rpc.call(endpoint, NEWEST_BLOCK_CALL);
    if (receipt !== null && receipt.blockNumber > header.number)
      throw malformed(endpoint, `the receipt is from block ${receipt.blockNumber}, above the newest block`);
    const common = { endpoint: endpointLabel(endpoint), latestCount: nonce, head: header.number };
    return { ...common, finalNumber, receipt, expiry };
  }

  private async inItsBlock(
    endpoint: Endpoint,
    { id, blockNumber, succeeded, fee }: { id: string; blockNumber: number; succeeded: boolean; fee: bigint },
  ): Promise<EndpointReceipt> {
    const block = await this.rpc.call(endpoint, blockCall(blockNumber));
    if (block?.transactions.includes(id) !== true)
      throw malformed(endpoint, `block ${blockNumber} lacks the transaction that its receipt names`);
    const { hash: blockHash, parentHash } = block.header;
    return { hash: id, blockNumber, blockHash, parentHash, succeeded, gasCost: fee };
  }

  /**
   * `passed` if the endpoint's own blocks show it: those from the block at which the transaction was signed to the first
   * one after its expiration, the last that can include it (java-tron compares the expiration with the parent's time).
   * An endpoint that merely does not know the transaction may lack its history.
   */
  private async expiryOf(
    endpoint: Endpoint,
    { raw, hash, head }: PricedSignedTransaction,
    solid: number,
  ): Promise<'pending' | 'passed'> {
    const { expiration } = decodeSigned(raw);
    const newestSolid = await this.block(endpoint, solid);
    if (head == null || newestSolid.header.time.getTime() < expiration) return 'pending';
    let before: TronBlock | null = null;
    for (let from = head + 1; from <= solid; from += BLOCKS_AT_ONCE) {
      const count = Math.min(BLOCKS_AT_ONCE, solid - from + 1);
      const numbers = Array.from({ length: count }, (_, i) => from + i);
      const blocks = await this.rpc.batch(endpoint, numbers.map(blockCall));
      for (const [i, block] of blocks.entries()) {
        if (block === null) throw malformed(endpoint, `it lacks block ${from + i}, which is solid`);
        if (before !== null && block.header.parentHash !== before.header.hash)
          throw malformed(endpoint, `block ${from + i} does not follow its parent`);
        if (block.transactions.includes(hash))
          throw malformed(endpoint, `block ${from + i} has the transaction, but the endpoint has no receipt`);
        if (block.header.time.getTime() >= expiration) return 'passed';
        before = block;
      }
    }
    return 'pending';
  }

  private async block(endpoint: Endpoint, number: number): Promise<TronBlock> {
    const block = await this.rpc.call(endpoint, blockCall(number));
    if (block === null) throw malformed(endpoint, `it lacks block ${number}, which is solid`);
    return block;
  }

  private async answers<T>(network: string, ask: (endpoint: Endpoint) => Promise<T>): Promise<T[]> {
    const all = await this.endpoints.each(network, ask);
    const answered = all.filter((each): each is Awaited<T> => !(each instanceof ChainUnavailable));
    if (answered.length > 0) return answered;
    throw new ChainUnavailable(network, all.map((failure) => (failure as Error).message).join(' '));
  }
}

function malformed(endpoint: Endpoint, says: string): Error {
  return toEndpointFailure(endpoint, 'sending', new MalformedAnswer(says));
}
