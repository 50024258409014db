import type { Difference, Model, BlockFact, Fact } from '../facts/fact.js';
import { Chain } from './chain/chain.js';
import { Exchanges } from './exchange/exchanges.js';
import { Known } from './known/known.js';
import { Timeline } from './known/since.js';
import { takePayouts, judgeHeld, missingSettlements } from './settlement/payouts.js';
import { takeDelivery, missingDeliveries } from './webhooks/deliveries.js';
import { missingRecords, judgeRefundRecords } from './ledger/missing-records.js';
import { missingRefundEvents } from './refunds/refund.js';
import { judgeFailures, judgeFloats } from './refunds/refund-money.js';
import { judgeRefusals } from './refunds/refund-verdicts.js';
import { missingCharges } from './subscriptions/shown.js';
import { accountRules, assetRules } from './accounts/accounts.js';
import { posRules } from './accounts/points-of-sale.js';
import type { Rules } from './exchange/heard.js';
import { tokenRules } from './exchange/access.js';
import { eventRules, ledgerRules } from './ledger/transactions.js';
import { linkRules, tillRules } from './public/links.js';
import { sessionRules } from './public/sessions.js';
import { creation } from './requests/creation.js';
import { reading } from './requests/requests.js';
import { settlementRules } from './settlement/settlements.js';
import { refundRules } from './refunds/refund-rules.js';
import { subscriptionRules } from './subscriptions/subscription-rules.js';
import { webhookRules } from './webhooks/webhook-rules.js';

export class SpecificationModel implements Model {
  readonly known = new Known();
  private readonly exchanges = new Exchanges(this.known, ALL_RULES);

  take(fact: Fact): readonly Difference[] {
    let late: readonly Difference[] = [];
    try {
      this.known.now = Math.max(this.known.now, fact.at);
      const { suspicions } = this.known.findings;
      // At rest no act is under way that could explain anything.
      late = fact.kind === 'rest' ? suspicions.all() : suspicions.pass(this.known.now);
      this.known.findings.context = undefined;
      this.learn(fact);
    } catch (error) {
      this.known.differ('a fact can be interpreted', fact.kind, ['no error', stack(error)]);
    }
    const found = this.known.findings.take();
    return late.length === 0 ? found : [...late, ...found];
  }

  missing(): readonly Difference[] {
    this.known.findings.context = undefined;
    const late = this.known.findings.suspicions.all();
    try {
      missing(this.known);
    } catch (error) {
      this.known.differ('a rest can be judged', 'missing', ['no error', stack(error)]);
    }
    return [...late, ...this.known.findings.take()];
  }

  private block(fact: BlockFact): void {
    const chain = this.known.chains.get(fact.network);
    if (chain !== undefined) takePayouts(chain.take(fact), chain, this.known);
  }

  private learn(fact: Fact): void {
    const { known } = this;
    switch (fact.kind) {
      case 'network': {
        const chain = new Chain(fact);
        known.chains.set(fact.network, chain);
        for (const asset of fact.assets) {
          const token = asset.token?.toLowerCase() ?? null;
          const { network } = fact;
          known.assets.set(asset.uniqueAssetId.toLowerCase(), { fact: asset, network, chain, token });
        }
        return;
      }
      case 'organization':
        known.account(fact.accountId, fact.organizationId);
        return;
      case 'terms': {
        const all = known.terms.get(fact.organizationId) ?? [];
        known.terms.set(fact.organizationId, [...all, fact]);
        return;
      }
      case 'credential': {
        const timeline = known.credentials.get(fact.keyId) ?? new Timeline();
        timeline.change(fact, fact.at);
        known.credentials.set(fact.keyId, timeline);
        known.findings.suspicions.explain(new Set([fact.keyId]), -Infinity);
        return;
      }
      case 'pairing':
        known.pairings.set(fact.code, { at: fact.at });
        return;
      case 'exchange':
        this.exchanges.take(fact);
        return;
      case 'lying node':
        known.hiddenMoney.lies(fact.isOver);
        return;
      case 'block':
        known.isResting = false;
        known.hiddenMoney.block(fact);
        this.block(fact);
        return;
      case 'unwound':
        known.isResting = false;
        known.chains.get(fact.network)?.unwind(fact.from);
        return;
      case 'delivery':
        known.findings.context = { at: fact.at, keys: [fact.url] };
        takeDelivery(fact, known);
        return;
      case 'given up':
        known.refunds.givenUp.add(fact.id);
        return;
      case 'refund limit':
        known.refunds.limits.push(fact);
        return;
      case 'released':
        known.settlements.released.add(fact.address.toLowerCase());
        return;
      case 'time':
        return;
      case 'rest':
        known.isResting = true;
        known.restedAt = fact.at;
        known.books.rest();
        known.settlements.rest();
        return;
    }
  }
}

function stack(error: unknown): string {
  return error instanceof Error
    ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' ')
    : String(error);
}

/** Says what never happened and should have by now. */
export function missing(known: Known): void {
  missingRecords(known);
  judgeRefundRecords(known);
  missingDeliveries(known);
  missingSettlements(known);
  judgeHeld(known);
  missingRefundEvents(known);
  judgeFloats(known);
  judgeFailures(known);
  judgeRefusals(known);
  missingCharges(known);
}

/** The rules of every path that the model knows, by the route's name. */
const ALL_RULES: Rules = {
  ...tokenRules,
  ...accountRules,
  ...assetRules,
  ...posRules,
  ...creation,
  ...reading,
  ...sessionRules,
  ...linkRules,
  ...tillRules,
  ...ledgerRules,
  ...eventRules,
  ...webhookRules,
  ...subscriptionRules,
  ...refundRules,
  ...settlementRules,
};
