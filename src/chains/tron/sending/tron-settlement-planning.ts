import { randomBytes } from 'node:crypto';
import { type Hex, encodeFunctionData, toHex } from 'viem';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import {
  type DuePayout,
  type PlannedPayout,
  type SettlementBatch,
  type SettlementOutcome,
  type SettlementPlanDifference,
  SettlementPlanMismatch,
  type SettlementPlanning,
} from '#contexts/networks/contract/settlement-planning.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { expectedGasPrice, maxGasLimit } from '#contexts/networks/domain/outbound/gas-fees.js';
import {
  type SettlementGasLimits,
  settlementGasLimits,
  settlementTransactionGas,
} from '#contexts/networks/domain/settlement-plan/settlement-gas.js';
import {
  type SettlementCallEvent,
  duplicatePayouts,
  planDifferences,
  plannedPayout,
  toPlanDifference,
  withSimulatedAmounts,
} from '#contexts/networks/domain/settlement-plan/settlement-plan.js';
import { readBytes } from '../../ethereum-rpc/contract-calls.js';
import type { JsonFields } from '../../ethereum-rpc/hex-fields.js';
import { FORWARDER_DERIVATION_SAMPLES } from '../../forwarders/contract-facts.js';
import {
  FACTORY_ABI,
  type ForwarderPayout,
  countPayoutsBefore,
  encodeSettleCall,
  settlementEvents,
  sortIntoGroups,
} from '../../forwarders/settle-call.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { evmSpelling, hexOfTronAddress, tronAddress } from '../addresses/tron-address.js';
import type { TronForwarders } from '../addresses/tron-forwarders.js';
import { receiptCall } from '../reading/tron-calls.js';
import { toEthereumLogs } from './receipt-logs.js';
import { constantCall } from './sending-calls.js';
import type { TronEndpoints } from './tron-endpoints.js';
import type { TronOutboundChain } from './tron-outbound-chain.js';
import { BANDWIDTH_PRICE } from './tron-transaction.js';

/** A node stops a transaction after 80 ms. */
const MOST_PAYOUTS = 50;
/** A salt, and a twentieth of the rest of the transaction. */
const BYTES_PER_PAYOUT = 80n;

interface PlanningContext {
  readonly endpoint: Endpoint;
  readonly sender: string;
  readonly limits: SettlementGasLimits;
  /** Greatest energy limit of a transaction. */
  readonly most: bigint;
}

type TronPayout = PlannedPayout & { readonly isDeployed: boolean };

export class TronSettlementPlanning implements SettlementPlanning {
  /** Energy of a payout of USDT in a batch of twenty, with a fee, without a penalty (solidity/README.md). */
  readonly payoutGas = { first: 190_000n, repeat: 139_000n };

  constructor(
    private readonly network: string,
    private readonly forwarders: TronForwarders,
    private readonly endpoints: TronEndpoints,
    private readonly rpc: JsonRpc,
    private readonly chain: TronOutboundChain,
  ) {}

  async plan(sender: string, due: readonly DuePayout[]): Promise<SettlementBatch[]> {
    const planned = due.map(plannedPayout);
    const underived = planned.filter((payout) => !this.isDerived(payout));
    refuse(this.network, [
      ...duplicatePayouts(planned),
      ...underived.map((payout) =>
        toPlanDifference(payout, 'not_derived', 'is not a deposit address of a factory of this network.'),
      ),
    ]);
    if (planned.length === 0) return [];
    const most = maxGasLimit(await this.chain.blockGasLimit(this.network));
    return this.endpoints.first(this.network, async (endpoint) => {
      const isDeployed = await this.deployed(endpoint, planned);
      const limits = settlementGasLimits(await this.creationEnergy(endpoint));
      const payouts = planned.map((payout, i) => ({ ...payout, isDeployed: isDeployed[i]! }));
      return this.batches({ endpoint, sender, limits, most }, payouts);
    });
  }

  outcome({ data }: { readonly data: string }, transactionHash: string): Promise<SettlementOutcome> {
    return this.endpoints.agreed(this.network, async (endpoint) => {
      const receipt = await this.rpc.callOnce(endpoint, receiptCall(transactionHash));
      if (receipt === null)
        throw new ChainUnavailable(endpoint.network, `it has no receipt for ${transactionHash}.`);
      const events = this.eventsIn(receipt.logs);
      const stopped = events.find((event) => event.kind === 'stopped');
      return {
        settled: events.filter((event) => event.kind === 'settled'),
        failed: events.filter((event) => event.kind === 'failed'),
        tried:
          stopped === undefined
            ? Infinity
            : countPayoutsBefore(this.forwarders.inHex.factory, data as Hex, stopped.group, stopped.item),
      };
    });
  }

  /** Bandwidth, as if the free bandwidth of the day were used up. */
  dataFeePerPayout(): Promise<bigint> {
    return Promise.resolve(BYTES_PER_PAYOUT * BANDWIDTH_PRICE);
  }

  async gasPrice(): Promise<bigint> {
    const { chain, network } = this;
    return expectedGasPrice(await chain.gasFeeMarket(network), chain.feeLimits(network));
  }

  private isDerived({ derivation, terms, paymentRequestId, depositAddress }: PlannedPayout): boolean {
    const { forwarders } = this;
    return forwarders.isOf(derivation) && forwarders.addressOf(terms, paymentRequestId) === depositAddress;
  }

  private async deployed(endpoint: Endpoint, payouts: readonly PlannedPayout[]): Promise<boolean[]> {
    const calls = payouts.map(({ depositAddress }) => ({
      method: 'eth_getCode',
      isLong: true,
      params: [hexOfTronAddress(depositAddress), 'latest'],
      read: readBytes,
    }));
    return (await this.rpc.batch(endpoint, calls)).map((code) => code !== '0x');
  }

  /** Creates one forwarder. Only the factory may call `deploy`, but a simulation accepts any sender. */
  private async creationEnergy(endpoint: Endpoint): Promise<bigint> {
    const { factory, inHex } = this.forwarders;
    // Terms with a fee have the longest creation code. A random salt ensures that the forwarder does not exist yet.
    const args = [toHex(randomBytes(32)), toHex(inHex.initCode(FORWARDER_DERIVATION_SAMPLES[0]!.terms))];
    const data = encodeFunctionData({ abi: FACTORY_ABI, functionName: 'deploy', args });
    return (await this.rpc.callOnce(endpoint, constantCall(factory, factory, data))).energy;
  }

  /** A batch that needs too much energy is halved. All payouts of a batch are of one token. */
  private async batches(
    context: PlanningContext,
    payouts: readonly TronPayout[],
  ): Promise<SettlementBatch[]> {
    const proven: SettlementBatch[] = [];
    const differences: SettlementPlanDifference[] = [];
    const open = [...Map.groupBy(payouts, ({ asset }) => asset.token).values()].flatMap((of) => {
      const sorted = sortIntoGroups(of);
      const parts = Math.ceil(sorted.length / MOST_PAYOUTS);
      return Array.from({ length: parts }, (_, i) => sorted.slice(i * MOST_PAYOUTS, (i + 1) * MOST_PAYOUTS));
    });
    for (let batch = open.shift(); batch !== undefined; batch = open.shift()) {
      const { data, energy, events } = await this.simulate(context, batch);
      const gas = settlementTransactionGas(energy, context.limits);
      if (gas > context.most && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        open.unshift(batch.slice(0, middle), batch.slice(middle));
        continue;
      }
      differences.push(...planDifferences(batch, gas > context.most ? STOPPED : events));
      const call = { to: this.forwarders.factory, data, gas };
      proven.push({ payouts: withSimulatedAmounts(batch, events), call });
    }
    refuse(this.network, differences);
    return proven;
  }

  private async simulate({ endpoint, sender, limits }: PlanningContext, batch: readonly TronPayout[]) {
    const { factory, inHex } = this.forwarders;
    const data = encodeSettleCall(inHex, batch.map(withHexAddresses), limits);
    const result = await this.rpc.callOnce(endpoint, constantCall(sender, factory, data));
    const events: SettlementCallEvent[] = result.succeeded
      ? this.eventsIn(result.logs)
      : [{ kind: 'reverted', reason: result.output.slice(0, 138) }];
    return { data, energy: result.energy, events };
  }

  private eventsIn(logs: readonly JsonFields[]): SettlementCallEvent[] {
    return settlementEvents(toEthereumLogs(logs), this.forwarders.inHex.factory).map((event) =>
      'depositAddress' in event
        ? {
            ...event,
            depositAddress: tronAddress(event.depositAddress),
            token: event.token && tronAddress(event.token),
          }
        : event,
    );
  }
}

/** The events of a call whose energy does not suffice for its first payout. */
const STOPPED: readonly SettlementCallEvent[] = [{ kind: 'stopped', group: 0, item: 0 }];

function withHexAddresses({ terms, asset, ...payout }: TronPayout): ForwarderPayout {
  const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
  return {
    ...payout,
    asset: { ...asset, token: evmSpelling(asset.token) },
    terms: {
      settlementAddress: evmSpelling(settlementAddress),
      feeRecipient: evmSpelling(feeRecipient),
      feeBasisPoints,
    },
  };
}

function refuse(network: string, differences: readonly SettlementPlanDifference[]): void {
  if (differences.length > 0) throw new SettlementPlanMismatch(network, differences);
}
