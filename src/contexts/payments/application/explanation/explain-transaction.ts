import { Injectable } from '@nestjs/common';
import type { CredentialId } from '../../../../shared/kernel/ids.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { ChainUnavailable } from '../../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import { type FoundTransaction, TransactionLookup } from '../../../networks/contract/transaction-lookup.js';
import { ExplanationQueries } from './explanation-queries.js';
import { LookupPace } from './lookup-pace.js';
import { judged } from './network-lag.js';
import { explainRequest } from './request-explanation.js';
import { nodeAnswer, paidBy, recorded, unrecorded } from './transaction-explanation.js';
import type { NodeAnswer, TransactionExplanation, UnrecordedPayment } from './transaction-view.js';

/** No transaction of many payments need be shown in full. */
const MOST_UNRECORDED = 100;

interface Told {
  readonly network: string;
  readonly answer: NodeAnswer;
  readonly found?: FoundTransaction;
}

/**
 * Says what is known of a transaction. Nodes are asked only where nothing of it was recorded for the caller, and then
 * always: what belongs to somebody else is asked about like what belongs to nobody.
 */
@Injectable()
export class ExplainTransaction {
  constructor(
    private readonly queries: ExplanationQueries,
    private readonly catalogue: NetworkCatalogue,
    private readonly lookup: TransactionLookup,
    private readonly pace: LookupPace,
  ) {}

  /** @param hash in lower-case hex @throws RateLimited where nodes would have to be asked again so soon */
  async execute(scope: Scope, credential: CredentialId, hash: string): Promise<TransactionExplanation> {
    const known = await this.known(scope, hash);
    if (known !== undefined) return known;
    this.pace.take(credential);
    const told = await Promise.all(this.networks().map((network) => this.ask(network, hash)));
    // It may have been read while the nodes were asked.
    return (await this.known(scope, hash)) ?? this.unknown(scope, hash, told);
  }

  private async known(scope: Scope, hash: string): Promise<TransactionExplanation | undefined> {
    const stored = await this.queries.requestsPaidBy(scope, this.networks(), hash);
    if (stored.length === 0) return undefined;
    const requests = stored.map((request) =>
      explainRequest({ ...request, networks: judged(request.networks, this.catalogue) }),
    );
    return recorded(hash, paidBy(hash, requests));
  }

  private async unknown(scope: Scope, hash: string, told: readonly Told[]): Promise<TransactionExplanation> {
    const readings = judged(await this.queries.readings(this.networks()), this.catalogue);
    const networks = readings.map((reading) => {
      const answer = told.find(({ network }) => network === reading.network)?.answer;
      return { ...reading, ...(answer === undefined ? {} : { node: answer }) };
    });
    return unrecorded(hash, await this.ownPayments(scope, told), networks);
  }

  private async ownPayments(scope: Scope, told: readonly Told[]): Promise<UnrecordedPayment[]> {
    const seen = told.flatMap(({ network, found }) =>
      (found?.transfers ?? []).map((transfer) => ({ network, ...transfer })),
    );
    const recipients = [...new Set(seen.map(({ to }) => to))];
    const own = await this.queries.ownAddresses(scope, this.networks(), recipients);
    const assets = this.catalogue.assets();
    return seen
      .flatMap(({ network, to, token, amount }): UnrecordedPayment[] => {
        const shown = own.filter(({ address }) => address === to);
        const owner = shown.find((address) => address.network === network) ?? shown[0];
        if (owner === undefined) return [];
        const asset = assets.find((known) => known.network === network && known.token === token);
        return [
          {
            ...{ network, to, token, amount },
            ...(asset === undefined
              ? {}
              : {
                  asset: {
                    uniqueAssetId: asset.uniqueAssetId,
                    currency: asset.symbol,
                    decimals: asset.decimals,
                  },
                }),
            paymentRequestId: owner.paymentRequestId,
            pointOfSaleId: owner.pointOfSaleId,
            shownOn: shown.map((address) => address.network),
          },
        ];
      })
      .slice(0, MOST_UNRECORDED);
  }

  private async ask(network: string, hash: string): Promise<Told> {
    try {
      const found = await this.lookup.find(network, hash);
      return { network, answer: nodeAnswer(found), ...(found === 'unknown' ? {} : { found }) };
    } catch (error) {
      if (error instanceof ChainUnavailable) return { network, answer: { kind: 'no_answer' } };
      throw error;
    }
  }

  private networks(): string[] {
    return this.catalogue.networks().map(({ network }) => network);
  }
}
