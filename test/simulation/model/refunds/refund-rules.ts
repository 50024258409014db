import {
  open,
  refused,
  together,
  type Heard,
  type Rule,
  type Rules,
  type Verdict,
} from '../exchange/heard.js';
import { pageOf, pageVerdict } from '../exchange/lists.js';
import { decimal, units, isAddress, isUuid, objectOf, textOf, timeOf, type Json } from '../known/values.js';
import type { Known } from '../known/known.js';
import { Since } from '../known/since.js';
import { isAtRest } from '../requests/status.js';
import { judgeAmount, judgeTotal, showRefund } from './refund-money.js';
import { keepRefusal, ownVerdict, refundVerdict } from './refund-verdicts.js';
import { isRefundStatus, REFUND_RANK, type Refund, type RefundStatus } from './refund.js';

function takeRefund(data: unknown, heard: Heard, known: Known, isCreated: boolean): Refund | undefined {
  const record = objectOf(data);
  const about = `refund ${textOf(record.id)}`;
  const isShaped = isUuid(record.id) && isRefundStatus(record.status);
  if (!known.expect(isShaped, 'the fields of a refund', about, ['id, status', data])) return undefined;
  const refund = known.refunds.byId.get(textOf(record.id)) ?? found(record, heard, known, isCreated);
  const own = ownVerdict(refund, heard);
  known.expect(own.must.length === 0, 'a refund is shown to its own alone', about, [own.must, record]);
  known.expect(
    record.payment_request_id === undefined || record.payment_request_id === refund.requestId,
    'a refund keeps its request',
    about,
    [refund.requestId, record.payment_request_id],
  );
  takeMoney(refund, record, about, known);
  const { sentAt, at } = heard.exchange;
  if (typeof record.transaction_hash === 'string')
    refund.transactionHash = record.transaction_hash.toLowerCase();
  showRefund(refund, record.status as RefundStatus, sentAt, at, known);
  if (isAtRest(known, sentAt)) judgeRest(refund, record, about, known);
  return refund;
}

/** With an address in the creation a refund is approved at once: at rest it is paid, or failed. */
function judgeRest(refund: Refund, record: Json, about: string, known: Known): void {
  const isLate = refund.at + 3_600_000 < known.restedAt;
  const isOver = REFUND_RANK[record.status as RefundStatus] === 2;
  if (record.status === 'processing' || (refund.isDirect && isLate)) {
    known.expect(isOver || !isLate, 'an approved refund is paid in time', about, [
      'completed or failed',
      record.status,
    ]);
  }
}

function takeMoney(refund: Refund, record: Json, about: string, known: Known): void {
  const asset = known.asset(record.unique_asset_id) ?? refund.asset;
  if (refund.asset === undefined) refund.asset = asset;
  known.expect(asset === refund.asset, 'a refund keeps its asset', about, [
    refund.asset?.fact.uniqueAssetId,
    record.unique_asset_id,
  ]);
  if (asset !== undefined && record.amount !== undefined) {
    const amount = units(record.amount, asset.fact.decimals);
    known.expect(amount !== null && amount > 0n, 'the amount of a refund', about, [
      'an amount of the asset',
      record.amount,
    ]);
    known.expect(refund.amount === null || refund.amount === amount, 'a refund keeps its amount', about, [
      refund.amount && decimal(refund.amount, asset.fact.decimals),
      record.amount,
    ]);
    refund.amount ??= amount;
  }
  const shown = record.refund_to_address;
  if (!isAddress(shown)) return;
  const isSame = refund.address === null || refund.address === shown.toLowerCase();
  known.expect(isSame, 'a refund keeps its address', about, [refund.address, shown]);
  refund.address ??= shown.toLowerCase();
}

/** A refund that is created without an address gets one later. */
function isTo({ refund_to_address: asked }: Json, { refund_to_address: shown }: Json): boolean {
  return !isAddress(asked) || !isAddress(shown) || shown.toLowerCase() === asked.toLowerCase();
}

function found(record: Json, heard: Heard, known: Known, isCreated: boolean): Refund {
  const requestId = textOf(record.payment_request_id) || (heard.params.request ?? '');
  const request = known.requests.get(requestId);
  const lost = isCreated
    ? undefined
    : known.unanswered.explain(
        textOf(record.id),
        ({ kind, parent, body }) => kind === 'refund' && parent === requestId && isTo(body, record),
        timeOf(record.created_at),
      );
  const about = `refund ${textOf(record.id)}`;
  known.expect(isCreated || lost !== undefined, 'every refund was created by somebody', about, [
    'a creation',
    record,
  ]);
  const body = isCreated ? heard.body : (lost?.body ?? {});
  const only =
    request !== undefined && request.selections.length === 1 ? request.selections[0]!.asset : undefined;
  const refund: Refund = {
    id: textOf(record.id),
    about,
    requestId,
    organizationId: request?.organizationId ?? heard.organization ?? '',
    accountId: request?.accountId ?? '',
    asset: known.asset(record.unique_asset_id) ?? only,
    amount: null,
    address: isAddress(body.refund_to_address) ? body.refund_to_address.toLowerCase() : null,
    isDirect: body.refund_to_address !== undefined,
    at: heard.exchange.at,
    shown: new Since<RefundStatus>('pending'),
    fields: record,
  };
  known.refunds.add(refund);
  return refund;
}

const create: Rule = {
  verdict: refundVerdict,
  done: (heard, data, known) => {
    const isFound = known.refunds.byId.has(textOf(objectOf(data).id));
    const refund = takeRefund(data, heard, known, !isFound);
    if (refund === undefined) return;
    const { request } = heard.params;
    known.equal('a refund is of the request asked for', refund.about, [request, refund.requestId]);
    judgeAmount(refund, known.requests.get(refund.requestId), heard, known);
    judgeTotal(refund, known);
  },
  unanswered: (heard, known) => known.unanswered.add('refund', heard.params.request!, heard),
  refused: keepRefusal,
};

function refundOf(heard: Heard, known: Known): Verdict {
  const refund = known.refunds.byId.get(heard.params.refund!);
  return refund === undefined
    ? open('not_found', 'validation_failed', 'state_conflict')
    : ownVerdict(refund, heard);
}

function act(mayFloat: boolean): Rule {
  const note = ({ params }: Heard, { refunds }: Known) =>
    void (mayFloat ? refunds.approved : refunds.givenUp).add(params.refund!);
  return {
    unanswered: note,
    verdict: (heard, known) => {
      const refund = known.refunds.byId.get(heard.params.refund!);
      const own = together(refundOf(heard, known), open('state_conflict', 'validation_failed'));
      if (refund === undefined) return own;
      const isOver = REFUND_RANK[refund.shown.before(heard.exchange.sentAt)] === 2;
      const over = isOver ? refused('the refund has ended', 'state_conflict') : open();
      return together(own, over, mayFloat ? open('refund_float_insufficient') : open());
    },
    done: (heard, data, known) => {
      note(heard, known);
      const refund = takeRefund(data, heard, known, false);
      if (refund === undefined) return;
      known.equal('the refund that was asked for', refund.about, [heard.params.refund, refund.id]);
      if (mayFloat) judgeTotal(refund, known);
    },
  };
}

export const refundRules: Rules = {
  'create refund': create,
  'approve refund': act(true),
  'cancel refund': act(false),
  'read refund': {
    verdict: refundOf,
    done: (heard, data, known) => void takeRefund(data, heard, known, false),
  },
  'list refunds': {
    verdict: (heard) =>
      together(
        pageVerdict(heard, 1, false),
        open('validation_failed', 'unknown_field', 'account_not_allowed'),
      ),
    done: (heard, data, known) => {
      for (const item of pageOf(data, heard, known)?.items ?? []) takeRefund(item, heard, known, false);
    },
  },
};
