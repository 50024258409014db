import { isNative } from '#shared/kernel/asset.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { ChainUnavailable, catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import {
  type DuePayout,
  type SettlementPlanDifference,
  type PlannedPayout,
  type SettlementBatch,
  type SettlementOutcome,
  SettlementPlanMismatch,
  type SettlementPlanning,
} from '#contexts/networks/contract/settlement-planning.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import {
  packIntoBatches,
  type SettlementGasLimits,
  settlementGasLimits,
  gasPerPayout,
  gasBeforeRefunds,
  settlementTransactionGas,
  maxSettlementGas,
} from '#contexts/networks/domain/settlement-plan/settlement-gas.js';
import {
  type GasFees,
  expectedGasPrice,
  initialGasFees,
} from '#contexts/networks/domain/outbound/gas-fees.js';
import {
  withSimulatedAmounts,
  toPlanDifference,
  duplicatePayouts,
  planDifferences,
  plannedPayout,
} from '#contexts/networks/domain/settlement-plan/settlement-plan.js';
import type { VerifiedEndpoints } from '../check/verified-endpoints.js';
import type { EndpointPool } from '../../rpc/endpoint-pool.js';
import type { ForwarderDerivation } from '../../forwarders/forwarder-derivation.js';
import type { ForwarderDerivations } from '../forwarders/forwarder-derivations.js';
import type { RpcOutboundChain } from '../outbound/rpc-outbound-chain.js';
import {
  type ForwarderPayout,
  sortIntoGroups,
  factoryGasLimits,
  encodePlaceholderSettleCall,
  encodeSettleCall,
} from '../../forwarders/settle-call.js';
import type { RpcSettlementFacts } from './rpc-settlement-facts.js';
import type { RpcSettlementSimulation, SimulationConditions } from './rpc-settlement-simulation.js';

interface PlanningContext extends SimulationConditions {
  readonly endpoint: Endpoint;
  readonly sender: string;
  readonly most: bigint;
}

/** All payouts have the same factory and asset, and call the same contracts. */
interface PayoutRun extends PlanningContext {
  readonly derivation: ForwarderDerivation;
  readonly limits: SettlementGasLimits;
  readonly payouts: readonly ForwarderPayout[];
}

type DerivedPayout = PlannedPayout & { readonly by: ForwarderDerivation };

/** Upper bounds, because rollups charge for the bytes of a transaction. */
const [LONG_NONCE, LARGE_GAS] = [0xffff_ffff, 2n ** 24n];
/** Number of payouts in the data used to estimate a rollup's charge per payout. */
const MEASURED_PAYOUTS = 20;

export class EvmSettlementPlanning implements SettlementPlanning {
  constructor(
    private readonly network: string,
    private readonly pool: EndpointPool,
    private readonly endpoints: VerifiedEndpoints,
    private readonly derivations: ForwarderDerivations,
    private readonly facts: RpcSettlementFacts,
    private readonly simulation: RpcSettlementSimulation,
    private readonly chain: RpcOutboundChain,
  ) {}

  async plan(sender: string, due: readonly DuePayout[]): Promise<SettlementBatch[]> {
    const present = this.derivations.configured(this.network);
    if (present === undefined) throw new ChainUnavailable(this.network, 'it is not configured.');
    const planned = due.map(plannedPayout);
    const derived = planned.flatMap((payout) => this.derived(payout) ?? []);
    refuse(this.network, [...duplicatePayouts(planned), ...underivedPayouts(planned, derived)]);
    if (planned.length === 0) return [];
    const fees = await this.fees();
    return this.somewhere(async (endpoint) => {
      const called = derived.flatMap(({ terms }) => [terms.settlementAddress, terms.feeRecipient]);
      const asked = [...derived.map(({ depositAddress }) => depositAddress), ...called.map(canonicalAddress)];
      const [upon, code] = await Promise.all([
        this.facts.newestBlock(endpoint),
        this.facts.deployedAddresses(endpoint, [...new Set(asked)]),
      ]);
      const planning = { endpoint, sender, fees, upon, most: maxSettlementGas(upon.gasLimit) };
      return this.batches(await this.runs(planning, derived, code));
    });
  }

  outcome(
    call: Pick<SettlementBatch['call'], 'to'> & { readonly data: string },
    transactionHash: string,
  ): Promise<SettlementOutcome> {
    return this.endpoints.agreed(this.network, (endpoint) =>
      this.facts.outcome(endpoint, call, transactionHash),
    );
  }

  async dataFeePerPayout(): Promise<bigint> {
    const derivation = this.derivations.configured(this.network);
    if (derivation === undefined) throw new ChainUnavailable(this.network, 'it is not configured.');
    const data = encodePlaceholderSettleCall(derivation, MEASURED_PAYOUTS);
    const call = { to: derivation.factory, data, value: 0n, gasLimit: LARGE_GAS };
    const [chainId, fees] = [this.chain.chainId(this.network), await this.fees()];
    const whole = await this.chain.dataFee(this.network, { chainId, nonce: LONG_NONCE, call, fees });
    return (whole + BigInt(MEASURED_PAYOUTS) - 1n) / BigInt(MEASURED_PAYOUTS);
  }

  async gasPrice(): Promise<bigint> {
    const { chain, network } = this;
    return expectedGasPrice(await chain.gasFeeMarket(network), chain.feeLimits(network));
  }

  private async fees(): Promise<GasFees> {
    const market = await this.chain.gasFeeMarket(this.network);
    const fees = initialGasFees(market, this.chain.feeLimits(this.network));
    const outlasting = 2n * (market.baseFee ?? 0n);
    // The sender can wait for a lower base fee, but the simulation must run now.
    return { ...fees, maxFee: fees.maxFee > outlasting ? fees.maxFee : outlasting };
  }

  private derived(payout: PlannedPayout): DerivedPayout | null {
    const { derivation, terms, paymentRequestId, depositAddress } = payout;
    const by = this.derivations.withFactory(this.network, derivation);
    if (by?.canonicalAddressOf(by.initCodeHash(terms), paymentRequestId) !== depositAddress) return null;
    return { ...payout, by };
  }

  /**
   * Uses the endpoint that the watcher reads from, or else another endpoint. A single endpoint must prove the complete
   * plan.
   */
  private async somewhere<T>(work: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    const reading = await catchChainUnavailable(
      Promise.resolve().then(() => this.pool.currentReadingEndpoint(this.network)),
    );
    const answer =
      reading instanceof ChainUnavailable
        ? reading
        : await catchChainUnavailable(this.pool.asking(reading, work, 'sending'));
    if (!(answer instanceof ChainUnavailable)) return answer;
    const others = this.endpoints.endpointsExcept(
      this.network,
      reading instanceof ChainUnavailable ? null : reading,
    );
    return this.endpoints.firstOf(this.network, others, work, answer);
  }

  private async runs(
    planning: PlanningContext,
    derived: readonly DerivedPayout[],
    code: ReadonlySet<string>,
  ): Promise<PayoutRun[]> {
    const runs: PayoutRun[] = [];
    for (const [factory, of] of Map.groupBy(derived, ({ by }) => by.factory)) {
      const derivation = of[0]!.by;
      const limits = factoryGasLimits(
        factory,
        settlementGasLimits(await this.facts.forwarderCreationGas(planning.endpoint, derivation)),
      );
      const payouts = of.map(({ by: _, ...each }) => ({
        ...each,
        isDeployed: code.has(each.depositAddress),
      }));
      for (const apart of Map.groupBy(payouts, (each) => contractsExecutedBy(each, code)).values())
        runs.push({ ...planning, derivation, limits, payouts: apart });
    }
    return runs;
  }

  private async batches(runs: readonly PayoutRun[]): Promise<SettlementBatch[]> {
    const proven: SettlementBatch[] = [];
    const differences: SettlementPlanDifference[] = [];
    const open: PayoutRun[] = [];
    for (const run of runs) {
      const costs = await this.costs(run);
      const room = run.most - gasPerPayout(run.limits);
      const cut = packIntoBatches(run.payouts, (payout) => costs.get(payoutKindOf(payout))!, room);
      open.push(...cut.map((payouts) => ({ ...run, payouts: sortIntoGroups(payouts) })));
    }
    for (let run = open.shift(); run !== undefined; run = open.shift()) {
      const { payouts } = run;
      const gas = await this.gasOf(run);
      // A batch that costs more than measured is halved until its gas fits.
      if (gas === null && payouts.length > 1) {
        const middle = Math.ceil(payouts.length / 2);
        open.unshift(
          { ...run, payouts: payouts.slice(0, middle) },
          { ...run, payouts: payouts.slice(middle) },
        );
        continue;
      }
      const call = settleCallOf(run, payouts, gas ?? run.most);
      const { events } = await this.simulation.simulate(run.endpoint, call, run);
      differences.push(...planDifferences(payouts, events));
      const { to, data } = call;
      proven.push({ payouts: withSimulatedAmounts(payouts, events), call: { to, data, gas: call.gas } });
    }
    refuse(this.network, differences);
    return proven;
  }

  /** A separate measurement overestimates the cost in a batch, which shares the fixed cost of the transaction. */
  private async costs(run: PayoutRun): Promise<Map<string, bigint>> {
    const costs = new Map<string, bigint>();
    for (const [kind, [first]] of Map.groupBy(run.payouts, payoutKindOf)) {
      if (run.payouts.length === 1) return new Map([[kind, 0n]]);
      const { gasUsed } = await this.simulation.simulate(
        run.endpoint,
        settleCallOf(run, [first!], run.most),
        run,
      );
      costs.set(kind, gasBeforeRefunds(gasUsed));
    }
    return costs;
  }

  private async gasOf(run: PayoutRun): Promise<bigint | null> {
    const call = settleCallOf(run, run.payouts, run.most);
    const { gasUsed, events } = await this.simulation.simulate(run.endpoint, call, run);
    const gas = settlementTransactionGas(gasUsed, run.limits);
    return gas > run.most || events.some(({ kind }) => kind === 'stopped') ? null : gas;
  }
}

function settleCallOf(
  { sender, derivation, limits }: PayoutRun,
  batch: readonly ForwarderPayout[],
  gas: bigint,
) {
  return { from: sender, to: derivation.factory, data: encodeSettleCall(derivation, batch, limits), gas };
}

function payoutKindOf({ terms, isDeployed }: ForwarderPayout): string {
  return [terms.feeBasisPoints > 0, isDeployed].join(' ');
}

function contractsExecutedBy({ asset, terms }: ForwarderPayout, code: ReadonlySet<string>): string {
  if (!isNative(asset)) return asset.token;
  const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
  const ends = [settlementAddress, ...(feeBasisPoints > 0 ? [feeRecipient] : [])].map(canonicalAddress);
  return ends.filter((end) => code.has(end)).join(' ');
}

function underivedPayouts(
  planned: readonly PlannedPayout[],
  derived: readonly DerivedPayout[],
): SettlementPlanDifference[] {
  const addresses = new Set(derived.map(({ depositAddress }) => depositAddress));
  return planned
    .filter(({ depositAddress }) => !addresses.has(depositAddress))
    .map((payout) =>
      toPlanDifference(payout, 'not_derived', 'is not a deposit address of a factory of this network.'),
    );
}

function refuse(network: string, differences: readonly SettlementPlanDifference[]): void {
  if (differences.length > 0) throw new SettlementPlanMismatch(network, differences);
}
