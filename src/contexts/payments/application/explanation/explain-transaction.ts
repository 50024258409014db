import { Injectable } from '@nestjs/common';
import type { CredentialId } from '../../../../shared/kernel/ids.js';
import { RateLimits } from '../../../../shared/kernel/rate-limits.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { ChainUnavailable } from '../../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import { type FoundTransaction, TransactionLookup } from '../../../networks/contract/transaction-lookup.js';
import { ExplanationQueries } from './explanation-queries.js';
import { withLag } from './explain-payment-request.js';
import { explainRequest } from './request-explanation.js';
import { nodeAnswer, paidBy, recorded, unrecorded } from './transaction-explanation.js';
import type { NodeAnswer, TransactionExplanation, UnrecordedPayment } from './transaction-view.js';

/** Of one credential: each lookup costs as many node calls as there are networks. */
export const LOOKUPS_PER_MINUTE = 60;
/** A transaction with very many payments is not shown in full. */
const MOST_UNRECORDED = 100;

interface NodeReply {
  readonly network: string;
  readonly answer: NodeAnswer;
  readonly found?: FoundTransaction;
}

/**
 * Explains a transaction. Nodes are asked whenever nothing of it is recorded for the caller, so that another tenant's
 * transaction is answered like an unknown one.
 */
@Injectable()
export class ExplainTransaction {
  constructor(
    private readonly queries: ExplanationQueries,
    private readonly catalogue: NetworkCatalogue,
    private readonly lookup: TransactionLookup,
    private readonly limits: RateLimits,
  ) {}

  /** @param hash in lower-case hex @throws RateLimited where nodes would be asked too often */
  async execute(scope: Scope, credential: CredentialId, hash: string): Promise<TransactionExplanation> {
    const known = await this.known(scope, hash);
    if (known !== undefined) return known;
    this.limits.require(`transaction lookup ${credential}`, LOOKUPS_PER_MINUTE);
    const replies = await Promise.all(this.networks().map((network) => this.lookUp(network, hash)));
    // The watcher may have read it meanwhile.
    return (await this.known(scope, hash)) ?? this.unknown(scope, hash, replies);
  }

  private async known(scope: Scope, hash: string): Promise<TransactionExplanation | undefined> {
    const stored = await this.queries.requestsPaidBy(scope, this.networks(), hash);
    if (stored.length === 0) return undefined;
    const requests = stored.map((request) =>
      explainRequest({ ...request, networks: withLag(request.networks, this.catalogue) }),
    );
    return recorded(hash, paidBy(hash, requests));
  }

  private async unknown(
    scope: Scope,
    hash: string,
    replies: readonly NodeReply[],
  ): Promise<TransactionExplanation> {
    const readings = withLag(await this.queries.readings(this.networks()), this.catalogue);
    const networks = readings.map((reading) => {
      const answer = replies.find(({ network }) => network === reading.network)?.answer;
      return { ...reading, ...(answer === undefined ? {} : { node: answer }) };
    });
    return unrecorded(hash, await this.ownPayments(scope, replies), networks);
  }

  private async ownPayments(scope: Scope, replies: readonly NodeReply[]): Promise<UnrecordedPayment[]> {
    const seen = replies.flatMap(({ network, found }) =>
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

  private async lookUp(network: string, hash: string): Promise<NodeReply> {
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
