import { Injectable } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { CredentialId } from '#shared/kernel/ids.js';
import { RateLimits } from '#shared/kernel/rate-limits.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { recipientKey } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { FoundTransaction } from '#contexts/networks/contract/transaction-lookup.js';
import { ExplanationQueries } from '../../infrastructure/explanation/persistence/explanation-queries.js';
import { addLag } from './explain-payment-request.js';
import { explainRequest } from './request-sentence.js';
import {
  toNodeAnswer,
  findRecordedPayments,
  explainRecordedTransaction,
  explainUnrecordedTransaction,
} from './transaction-sentence.js';
import type { NodeAnswer, TransactionExplanation, UnrecordedPayment } from './transaction-view.js';

/** Per credential, because a lookup calls a node of every network. */
export const TRANSACTION_LOOKUPS_PER_MINUTE = 60;
const MAX_UNRECORDED_PAYMENTS = 100;

interface NamedTransaction {
  readonly hash: string;
  readonly networks: readonly string[];
}

interface NodeReply {
  readonly network: string;
  readonly answer: NodeAnswer;
  readonly found?: FoundTransaction;
}

/**
 * Without a recorded transfer, always calls nodes, so that the response does not reveal whether another tenant
 * received the transaction.
 */
@Injectable()
export class ExplainTransaction {
  constructor(
    private readonly queries: ExplanationQueries,
    private readonly catalogue: NetworkCatalogue,
    private readonly chains: Chains,
    private readonly limits: RateLimits,
  ) {}

  /** @throws validation_failed if no network has hashes of this format; RateLimited */
  async explain(scope: TenantScope, credential: CredentialId, text: string): Promise<TransactionExplanation> {
    const named = this.parseTransactionHash(text);
    const known = await this.explainRecorded(scope, named);
    if (known !== undefined) return known;
    this.limits.require(`transaction lookup ${credential}`, TRANSACTION_LOOKUPS_PER_MINUTE);
    const replies = await Promise.all(named.networks.map((network) => this.queryNode(network, named.hash)));
    // The watcher may have recorded the transaction while nodes were called.
    return (await this.explainRecorded(scope, named)) ?? this.explainUnrecorded(scope, named, replies);
  }

  private parseTransactionHash(text: string): NamedTransaction {
    let refusal: DomainError | undefined;
    const spelled = this.catalogue.networks().flatMap(({ network }) => {
      try {
        return [{ network, hash: this.chains.of(network).lookup.parseHash('transactionHash', text) }];
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        refusal ??= error;
        return [];
      }
    });
    const [first] = spelled;
    if (first === undefined) throw refusal;
    const { hash } = first;
    return { hash, networks: spelled.filter((each) => each.hash === hash).map(({ network }) => network) };
  }

  private async explainRecorded(
    scope: TenantScope,
    { hash, networks }: NamedTransaction,
  ): Promise<TransactionExplanation | undefined> {
    const stored = await this.queries.listRequestsPaidBy(scope, networks, hash);
    if (stored.length === 0) return undefined;
    const requests = stored.map((request) =>
      explainRequest({ ...request, networks: addLag(request.networks, this.catalogue) }),
    );
    return explainRecordedTransaction(hash, findRecordedPayments(hash, requests));
  }

  private async explainUnrecorded(
    scope: TenantScope,
    named: NamedTransaction,
    replies: readonly NodeReply[],
  ): Promise<TransactionExplanation> {
    const readings = addLag(await this.queries.readNetworkProgress(named.networks), this.catalogue);
    const networks = readings.map((reading) => {
      return { ...reading, node: replies.find(({ network }) => network === reading.network)?.answer };
    });
    return explainUnrecordedTransaction(named.hash, await this.findOwnPayments(scope, replies), networks);
  }

  private async findOwnPayments(
    scope: TenantScope,
    replies: readonly NodeReply[],
  ): Promise<UnrecordedPayment[]> {
    const seen = replies.flatMap(({ network, found }) =>
      (found?.transfers ?? []).map((transfer) => ({ network, ...transfer })),
    );
    const recipients = [...new Set(seen.map(({ to }) => to))];
    const networks = this.catalogue.networks().map(({ network }) => network);
    const own = await this.queries.findOwnAddresses(scope, networks, recipients);
    const assets = this.catalogue.assets();
    return seen
      .flatMap(({ network, to, toTag, token, amount }): UnrecordedPayment[] => {
        const recipient = recipientKey({ address: to, tag: toTag });
        const shown = own.filter((each) => recipientKey(each) === recipient);
        const owner = shown.find((address) => address.network === network) ?? shown[0];
        if (owner === undefined) return [];
        const asset = assets.find((known) => known.network === network && known.token === token);
        const { paymentRequestId, pointOfSaleId } = owner;
        const shownOn = shown.map((address) => address.network);
        const payment = { network, to, token, amount, paymentRequestId, pointOfSaleId, shownOn };
        if (asset === undefined) return [payment];
        const { uniqueAssetId, symbol: currency, decimals } = asset;
        return [{ ...payment, asset: { uniqueAssetId, currency, decimals } }];
      })
      .slice(0, MAX_UNRECORDED_PAYMENTS);
  }

  private async queryNode(network: string, hash: string): Promise<NodeReply> {
    try {
      const found = await this.chains.of(network).lookup.find(hash);
      return { network, answer: toNodeAnswer(found), ...(found === 'unknown' ? {} : { found }) };
    } catch (error) {
      if (error instanceof ChainUnavailable) return { network, answer: { kind: 'no_answer' } };
      throw error;
    }
  }
}
