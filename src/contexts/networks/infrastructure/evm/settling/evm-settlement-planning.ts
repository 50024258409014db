import { Injectable } from '@nestjs/common';
import { ChainUnavailable } from '../../../contract/chain-reader.js';
import {
  type DuePayout,
  type PlanDifference,
  type SettlementBatch,
  SettlementPlanDiffers,
  SettlementPlanning,
} from '../../../contract/settlement-planning.js';
import type { Endpoint } from '../../../domain/endpoint.js';
import { cutIntoBatches } from '../../../domain/settlement-plan/cut-into-batches.js';
import { type GasLimits, gasLimits, gasOfOneItem } from '../../../domain/settlement-plan/gas-limits.js';
import { differing, listedTwice, planDifferences } from '../../../domain/settlement-plan/plan-differences.js';
import { plannedPayout } from '../../../domain/settlement-plan/planned-payout.js';
import {
  gasBeforeRefunds,
  gasOfTransaction,
  mostGasOfTransaction,
} from '../../../domain/settlement-plan/transaction-gas.js';
import { orUnavailable } from '../../../application/or-unavailable.js';
import { ProvenEndpoints } from '../examination/proven-endpoints.js';
import { EndpointPool } from '../endpoints/endpoint-pool.js';
import { type ForwarderDerivation, ForwarderDerivations } from '../forwarders/forwarder-derivation.js';
import { type ForwarderPayout, inGroups, settleData } from './settle-call.js';
import { RpcSettlementFacts } from './rpc-settlement-facts.js';
import { RpcSettlementSimulation } from './rpc-settlement-simulation.js';

/** What all batches of one plan share. */
interface Planning {
  readonly endpoint: Endpoint;
  readonly derivation: ForwarderDerivation;
  readonly sender: string;
  readonly limits: GasLimits;
  /** That one transaction may be given. */
  readonly most: bigint;
}

@Injectable()
export class EvmSettlementPlanning extends SettlementPlanning {
  constructor(
    private readonly pool: EndpointPool,
    private readonly endpoints: ProvenEndpoints,
    private readonly derivations: ForwarderDerivations,
    private readonly facts: RpcSettlementFacts,
    private readonly simulation: RpcSettlementSimulation,
  ) {
    super();
  }

  async plan(network: string, sender: string, due: readonly DuePayout[]): Promise<SettlementBatch[]> {
    const derivation = this.derivations.of(network);
    if (derivation === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    const planned = due.map(plannedPayout);
    refuse(network, [...listedTwice(planned), ...notDerived(derivation, planned)]);
    if (planned.length === 0) return [];
    return this.somewhere(network, async (endpoint) => {
      const addresses = planned.map(({ depositAddress }) => depositAddress);
      const [creation, blockGasLimit, deployed] = await Promise.all([
        this.facts.creation(endpoint, derivation),
        this.facts.blockGasLimit(endpoint),
        this.facts.deployed(endpoint, addresses),
      ]);
      const payouts = planned.map((each) => ({ ...each, isDeployed: deployed.has(each.depositAddress) }));
      const [limits, most] = [gasLimits(creation), mostGasOfTransaction(blockGasLimit)];
      return this.batches({ endpoint, derivation, sender, limits, most }, inGroups(payouts));
    });
  }

  /** At the endpoint that is read from, else at another one: a plan is proven whole by one endpoint, whichever that is. */
  private async somewhere<T>(network: string, work: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    const reading = await orUnavailable(Promise.resolve().then(() => this.pool.sameReading(network)));
    const answer =
      reading instanceof ChainUnavailable ? reading : await orUnavailable(this.pool.asking(reading, work));
    if (!(answer instanceof ChainUnavailable)) return answer;
    const others = this.endpoints.others(network, reading instanceof ChainUnavailable ? null : reading);
    return this.endpoints.firstOf(network, others, work, answer);
  }

  private async batches(planning: Planning, payouts: readonly ForwarderPayout[]): Promise<SettlementBatch[]> {
    const costs = await this.costs(planning, payouts);
    const room = planning.most - gasOfOneItem(planning.limits);
    const proven: SettlementBatch[] = [];
    const differences: PlanDifference[] = [];
    const open = cutIntoBatches(payouts, (payout) => costs.get(kindOf(payout))!, room);
    for (let batch = open.shift(); batch !== undefined; batch = open.shift()) {
      const gas = await this.gasOf(planning, batch);
      // What others cost than the one that was measured, simulation shows: half of it fits, or half of that.
      if (gas === null && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        open.unshift(batch.slice(0, middle), batch.slice(middle));
        continue;
      }
      const call = callOf(planning, batch, gas ?? planning.most);
      const { events } = await this.simulation.simulate(planning.endpoint, call);
      differences.push(...planDifferences(batch, events));
      proven.push({ payouts: batch, call: { to: call.to, data: call.data, gas: call.gas } });
    }
    refuse(planning.endpoint.network, differences);
    return proven;
  }

  /** What one of each kind costs by itself: more than among others, which share what a transaction costs anyway. */
  private async costs(planning: Planning, payouts: readonly ForwarderPayout[]): Promise<Map<string, bigint>> {
    const costs = new Map<string, bigint>();
    for (const [kind, [first]] of Map.groupBy(payouts, kindOf)) {
      const call = callOf(planning, [first!], planning.most);
      const { gasUsed } = await this.simulation.simulate(planning.endpoint, call);
      costs.set(kind, gasBeforeRefunds(gasUsed));
    }
    return costs;
  }

  /** @returns null where the batch is too large for one transaction */
  private async gasOf(planning: Planning, batch: readonly ForwarderPayout[]): Promise<bigint | null> {
    const call = callOf(planning, batch, planning.most);
    const { gasUsed, events } = await this.simulation.simulate(planning.endpoint, call);
    const gas = gasOfTransaction(gasUsed, planning.limits);
    return gas > planning.most || events.some(({ kind }) => kind === 'stopped') ? null : gas;
  }
}

function callOf({ sender, derivation, limits }: Planning, batch: readonly ForwarderPayout[], gas: bigint) {
  return { from: sender, to: derivation.factory, data: settleData(derivation, batch, limits), gas };
}

/** Payouts of one kind cost about the same. */
function kindOf({ asset, terms, isDeployed }: ForwarderPayout): string {
  return [asset.uniqueAssetId, terms.feeBasisPoints > 0, isDeployed].join(' ');
}

/** Those of another factory, or whose terms are not those that the address commits to. */
function notDerived(
  derivation: ForwarderDerivation,
  planned: readonly ReturnType<typeof plannedPayout>[],
): PlanDifference[] {
  return planned
    .filter(({ derivation: stored, terms, paymentRequestId, depositAddress }) => {
      if (stored.factory !== derivation.factory || stored.homeChainId !== derivation.chainId) return true;
      const hash = derivation.initCodeHash(terms);
      return derivation.canonicalAddressOf(hash, paymentRequestId) !== depositAddress;
    })
    .map((payout) =>
      differing(payout, 'not_derived', `is no deposit address of the factory ${derivation.factory}.`),
    );
}

function refuse(network: string, differences: readonly PlanDifference[]): void {
  if (differences.length > 0) throw new SettlementPlanDiffers(network, differences);
}
