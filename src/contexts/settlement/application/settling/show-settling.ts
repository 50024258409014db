import { Injectable } from '@nestjs/common';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  SettlementPolicies,
  type SettlementPolicy,
} from '#contexts/networks/contract/settlement-policies.js';
import type { Batch } from '../../domain/settling/batch.js';
import { Batches } from '../../infrastructure/settling/persistence/batches.js';
import type { DueTerms, WaitingSum } from '../../domain/settling/due-money.js';
import { DueMoney } from '../../infrastructure/settling/persistence/due-money.js';
import type { AsidePayout, FailingTerms } from '../../domain/settling/set-aside.js';
import { SetAside } from '../../infrastructure/settling/persistence/set-aside.js';
import { FindDueTerms } from './find-due-terms.js';
import { MINIMUM_WITHOUT_PRICE } from '../../domain/settling/worth-settling.js';

const MAX_BATCHES_SHOWN = 5;
const MAX_SET_ASIDE_SHOWN = 50;

export interface SettlingView {
  readonly network: string;
  readonly policy: SettlementPolicy;
  /** Null while the network does not respond. Only the age of funds then decides what is due. */
  readonly gasPrice: bigint | null;
  readonly problem: string | null;
  readonly waiting: readonly WaitingSum[];
  readonly batches: readonly Batch[];
  /** Oldest first, at most 50. */
  readonly setAside: readonly AsidePayout[];
  /** Latest retry time first, at most 50. */
  readonly failingTerms: readonly FailingTerms[];
}

@Injectable()
export class ShowSettling {
  constructor(
    private readonly policies: SettlementPolicies,
    private readonly catalogue: NetworkCatalogue,
    private readonly findTerms: FindDueTerms,
    private readonly dueMoney: DueMoney,
    private readonly batches: Batches,
    private readonly setAside: SetAside,
  ) {}

  async show(network?: string): Promise<SettlingView[]> {
    const names = network === undefined ? [...this.policies.all().keys()] : [network];
    return Promise.all(names.map((name) => this.viewOfNetwork(name)));
  }

  private async viewOfNetwork(network: string): Promise<SettlingView> {
    const { policy, terms, gasPrice, problem } = await this.findTermsIfAvailable(network);
    const [waiting, batches, setAside, failingTerms] = await Promise.all([
      this.dueMoney.sums(network, terms, policy.afterHours),
      this.batches.newest(network, MAX_BATCHES_SHOWN),
      this.setAside.list(network, MAX_SET_ASIDE_SHOWN),
      this.setAside.failing(network, MAX_SET_ASIDE_SHOWN),
    ]);
    return { network, policy, gasPrice, problem, waiting, batches, setAside, failingTerms };
  }

  private async findTermsIfAvailable(network: string): Promise<{
    policy: SettlementPolicy;
    terms: readonly DueTerms[];
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
