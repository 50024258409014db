import { Injectable } from '@nestjs/common';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  SettlementPolicies,
  type SettlementPolicy,
} from '#contexts/networks/contract/settlement-policies.js';
import type { Batch } from '../../domain/settling/batch.js';
import { Batches } from '../../infrastructure/settling/persistence/batches.js';
import type { SettlementMinimum, WaitingFundsTotal } from '../../domain/settling/due-money.js';
import { DueFunds } from '../../infrastructure/settling/persistence/due-funds.js';
import type { SetAsidePayout, FailingTerms } from '../../domain/settling/set-aside.js';
import { SetAsidePayouts } from '../../infrastructure/settling/persistence/set-aside-payouts.js';
import { FindSettlementMinimums } from './find-settlement-minimums.js';
import { MINIMUM_WITHOUT_PRICE } from '../../domain/settling/worth-settling.js';

const MAX_BATCHES_SHOWN = 5;
const MAX_SET_ASIDE_SHOWN = 50;

export interface NetworkSettlementView {
  readonly network: string;
  readonly policy: SettlementPolicy;
  /** Null while the network does not respond. Only the age of funds then decides what is due. */
  readonly gasPrice: bigint | null;
  readonly problem: string | null;
  readonly waiting: readonly WaitingFundsTotal[];
  readonly batches: readonly Batch[];
  /** Oldest first, at most 50. */
  readonly setAside: readonly SetAsidePayout[];
  /** Latest retry time first, at most 50. */
  readonly failingTerms: readonly FailingTerms[];
}

@Injectable()
export class ShowNetworkSettlement {
  constructor(
    private readonly policies: SettlementPolicies,
    private readonly catalogue: NetworkCatalogue,
    private readonly findTerms: FindSettlementMinimums,
    private readonly dueFunds: DueFunds,
    private readonly batches: Batches,
    private readonly setAside: SetAsidePayouts,
  ) {}

  async show(network?: string): Promise<NetworkSettlementView[]> {
    const names = network === undefined ? [...this.policies.all().keys()] : [network];
    return Promise.all(names.map((name) => this.viewOfNetwork(name)));
  }

  private async viewOfNetwork(network: string): Promise<NetworkSettlementView> {
    const { policy, terms, gasPrice, problem } = await this.findTermsIfAvailable(network);
    const [waiting, batches, setAside, failingTerms] = await Promise.all([
      this.dueFunds.sumWaitingFunds(network, terms, policy.afterHours),
      this.batches.newest(network, MAX_BATCHES_SHOWN),
      this.setAside.list(network, MAX_SET_ASIDE_SHOWN),
      this.setAside.listFailingTerms(network, MAX_SET_ASIDE_SHOWN),
    ]);
    return { network, policy, gasPrice, problem, waiting, batches, setAside, failingTerms };
  }

  private async findTermsIfAvailable(network: string): Promise<{
    policy: SettlementPolicy;
    terms: readonly SettlementMinimum[];
    gasPrice: bigint | null;
    problem: string | null;
  }> {
    try {
      return { ...(await this.findTerms.find(network)), problem: null };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      const assets = this.catalogue.assets().filter((asset) => asset.network === network);
      const terms = assets.map(({ uniqueAssetId }) => ({ uniqueAssetId, minimum: MINIMUM_WITHOUT_PRICE }));
      return { policy: this.policies.all().get(network)!, terms, gasPrice: null, problem: error.message };
    }
  }
}
