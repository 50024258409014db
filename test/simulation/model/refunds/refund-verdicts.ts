import { open, refused, together, VALID, type Heard, type Verdict } from '../exchange/heard.js';
import { unknownFields } from '../exchange/lists.js';
import { requestedAmount, isAddress, isObject, textOf, decimal, units } from '../known/values.js';
import type { Known } from '../known/known.js';
import { arrivals } from '../ledger/deposits.js';
import { isEnded, type Asset, type PaymentRequest } from '../requests/payment-request.js';
import { allowedStatuses, isOpen } from '../requests/status.js';
import { isReversed } from '../requests/outlook.js';
import type { RefusedRefund } from './refund.js';

/** @returns whether a caller may see an object of an organization and account: another's is answered like a missing one */
export function ownVerdict(of: { organizationId: string; accountId: string }, heard: Heard): Verdict {
  const organization = heard.organization;
  if (organization !== null && of.organizationId !== '' && of.organizationId !== organization) {
    return refused('it is another organization’s', 'not_found');
  }
  const account = heard.account;
  if (account !== undefined && of.accountId !== '' && of.accountId !== account) {
    return refused('it is another account’s', 'not_found', 'account_not_allowed');
  }
  return VALID;
}

const FIELDS = ['refund_to_address', 'claim', 'amount', 'reason', 'paid_transaction_hash', 'unique_asset_id'];

function bodyVerdict({ body }: Heard, known: Known): Verdict {
  const parts = [unknownFields(body, FIELDS)];
  const { refund_to_address: address, claim } = body;
  if (body.unique_asset_id !== undefined && known.asset(body.unique_asset_id) === undefined) {
    parts.push(refused('the asset is none of the catalogue', 'validation_failed', 'state_conflict'));
  }
  if ((address === undefined) === (claim === undefined)) {
    parts.push(refused('exactly one of refund_to_address and claim', 'validation_failed'));
  }
  if (address !== undefined && !isAddress(address)) {
    parts.push(refused('refund_to_address is no address', 'validation_failed'));
  } else if (address !== undefined) parts.push(open('validation_failed', 'state_conflict'));
  if (claim !== undefined)
    parts.push(
      isObject(claim)
        ? open('validation_failed', 'unknown_field')
        : refused('claim is no object', 'validation_failed'),
    );
  if (body.amount !== undefined && requestedAmount(body.amount, 18) === 'refused') {
    parts.push(refused('the amount is no amount', 'validation_failed'));
  }
  if (body.reason !== undefined)
    parts.push(
      typeof body.reason === 'string'
        ? open('validation_failed')
        : refused('reason is no text', 'validation_failed'),
    );
  return together(...parts);
}

export function refundVerdict(heard: Heard, known: Known): Verdict {
  const request = known.requests.get(heard.params.request!);
  const body = bodyVerdict(heard, known);
  const always = open('refund_float_insufficient', 'settlement_address_missing');
  if (request === undefined)
    return together(body, always, open('not_found', 'validation_failed', 'state_conflict'));
  return together(
    ownVerdict(request, heard),
    body,
    always,
    statusVerdict(request, heard, known),
    sumVerdict(request, heard, known),
  );
}

export function statusVerdict(request: PaymentRequest, heard: Heard, known: Known): Verdict {
  const statuses = [...allowedStatuses(request, heard.exchange, known)];
  if (statuses.every((status) => !isEnded(status))) {
    return refused('the request has not ended', 'state_conflict', 'validation_failed');
  }
  const floor = request.shown.before(heard.exchange.sentAt);
  if (!isEnded(floor)) return open('state_conflict');
  return floor === 'expired' || floor === 'failed' ? open('state_conflict', 'validation_failed') : VALID;
}

export function receivedOf(request: PaymentRequest, asset: Asset): bigint {
  return arrivals(request, asset)
    .filter(({ block }) => asset.chain.firstFinal(block) !== undefined)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

export function refundedOf(request: PaymentRequest, asset: Asset, known: Known): bigint {
  return known.refunds
    .of(request.id)
    .filter(({ id, asset: own, shown }) => {
      const latest = shown.latest();
      const mayStand = latest === 'completed' || !known.refunds.givenUp.has(id);
      return own === asset && latest !== 'failed' && mayStand;
    })
    .reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
}

export function sumVerdict(request: PaymentRequest, heard: Heard, known: Known): Verdict {
  if (isOpen(request) || request.selections.length === 0) return open('state_conflict', 'validation_failed');
  const { sentAt } = heard.exchange;
  const isAlone =
    known.refunds.of(request.id).every(({ shown }) => shown.before(sentAt) === 'failed') &&
    !known.unanswered.some(({ kind, parent }) => kind === 'refund' && parent === request.id);
  const named = known.asset(heard.body.unique_asset_id);
  const assets = [...known.assets.values()].filter(
    (asset) => asset.chain === request.selections[0]!.asset.chain && (named ?? asset) === asset,
  );
  const asked = heard.body.amount;
  let isPossible = false;
  let isPlain = false;
  for (const asset of assets) {
    const received = receivedOf(request, asset);
    if (received === 0n) continue;
    const amount = asked === undefined ? 1n : requestedAmount(asked, asset.fact.decimals);
    if (typeof amount !== 'bigint') {
      isPossible ||= amount === 'open';
      continue;
    }
    isPossible ||= amount + refundedOf(request, asset, known) <= received;
    const isOnly = request.selections.length === 1 && request.selections[0]!.asset === asset;
    isPlain ||= isOnly && isAlone && amount <= request.selections[0]!.amount && amount <= received;
  }
  if (!isPossible) return refused('more than was received', 'state_conflict', 'validation_failed');
  const isUsual = ['completed', 'underpaid'].includes(request.shown.before(heard.exchange.sentAt));
  // What is not confirmed in the ledger yet, or was paid in several ways, may be more than may be refunded.
  return isPlain && isUsual && textOf(request.confirmedAt) !== ''
    ? VALID
    : open('state_conflict', 'validation_failed');
}

/** A creation that came before a refusal may be answered so long after it. */
const AT_ONCE = 120_000;

/**
 * Keeps a refusal that nothing explains yet. A refund with an address is approved at once, and is refused where the address takes no
 * such transfer; an address that has taken one before does take it.
 */
export function keepRefusal(heard: Heard, code: string, known: Known): void {
  const { body, params, exchange } = heard;
  const request = known.requests.get(params.request!);
  const asset = request?.selections[0]?.asset;
  const { refund_to_address: address } = body;
  if (code !== 'state_conflict' || request === undefined || asset === undefined) return;
  const amount = units(body.amount, asset.fact.decimals);
  if (amount === null || !isAddress(address)) return;
  const { must, may } = together(statusVerdict(request, heard, known), sumVerdict(request, heard, known));
  if (must.length > 0 || may.includes('state_conflict')) return;
  const hasTaken = asset.chain
    .movedTo(address.toLowerCase())
    .some(({ transfer }) => transfer.token === asset.token);
  if (!hasTaken) return;
  const { sentAt, at } = exchange;
  known.refunds.refusals.push({ request, asset, amount, sentAt, at });
}

export function judgeRefusals(known: Known): void {
  for (const refusal of known.refunds.refusals)
    if (!isUncertain(refusal, known)) judgeRefusal(refusal, known);
}

function isUncertain({ request }: RefusedRefund, { unanswered, requests }: Known): boolean {
  return (
    isReversed(request) ||
    unanswered.some(
      ({ kind, parent }) => kind === 'refund' && requests.get(parent)?.accountId === request.accountId,
    )
  );
}

function judgeRefusal({ request, asset, amount, sentAt, at }: RefusedRefund, known: Known): void {
  const others = [...known.refunds.byId.values()].filter(
    (refund) =>
      refund.accountId === request.accountId &&
      refund.asset === asset &&
      refund.at <= at + AT_ONCE &&
      refund.shown.before(sentAt) !== 'failed',
  );
  if (others.some(({ requestId }) => requestId === request.id)) return;
  const sum = others.reduce((total, other) => total + (other.amount ?? 0n), amount);
  const { decimals } = asset.fact;
  const isLimited = known.refunds.limits
    .filter((each) => each.accountId === request.accountId && known.asset(each.uniqueAssetId) === asset)
    .some(({ perDay }) => perDay !== undefined && (units(perDay, decimals) ?? 0n) < sum);
  known.expect(isLimited, 'a refund within the limit of a day is approved', request.about, [
    decimal(amount, decimals),
    'state_conflict',
  ]);
}
