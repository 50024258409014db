import { together, type Heard } from '../exchange/heard.js';
import { decimal, units } from '../known/amounts.js';
import type { Known } from '../known/known.js';
import { isAddress } from '../known/values.js';
import { isReversed } from '../requests/outlook.js';
import { statusVerdict, sumVerdict } from './refund-verdicts.js';
import type { RefusedRefund } from './refund.js';

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
  const token = asset.fact.token?.toLowerCase() ?? null;
  const hasTaken = asset.chain
    .movedTo(address.toLowerCase())
    .some(({ transfer }) => (transfer.token?.toLowerCase() ?? null) === token);
  if (!hasTaken) return;
  const { sentAt, at } = exchange;
  known.refunds.refusals.push({ request, asset, amount, sentAt, at });
}

/** Refunds that have failed count neither against what was received nor against the limit of a day. */
export function judgeRefusals(known: Known): void {
  for (const refusal of known.refunds.refusals) if (!isOpen(refusal, known)) judge(refusal, known);
}

/** A refund of the account whose creation was not answered may count, and so may money that has disappeared. */
function isOpen({ request }: RefusedRefund, { unanswered, requests }: Known): boolean {
  return (
    isReversed(request) ||
    unanswered.some(
      ({ kind, parent }) => kind === 'refund' && requests.get(parent)?.accountId === request.accountId,
    )
  );
}

function judge({ request, asset, amount, sentAt, at }: RefusedRefund, known: Known): void {
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
  known.findings.expect(
    isLimited,
    'a refund within the limit of a day is approved',
    `payment request ${request.id}`,
    decimal(amount, decimals),
    'state_conflict',
  );
}
