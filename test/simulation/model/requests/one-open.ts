import type { Known, PointOfSale } from '../known/known.js';
import { isUntouched } from './expiry.js';
import type { PaymentRequest } from './payment-request.js';

/** Sales that begin within it may be made in either order. */
const AT_ONCE = 2_000;
/** A request is compared with so many of the newest of its point of sale. */
const NEIGHBOURS = 20;

/** A physical POS has one open request of its merchant: the later of two unpaid ones ends the window of the other. */
export function judgeOneOpen(request: PaymentRequest, known: Known): void {
  const pos = known.pointsOfSale.get(request.posId);
  if (pos === undefined) return;
  for (const other of pos.requests.slice(-NEIGHBOURS)) {
    if (
      other === request ||
      request.isTyped ||
      other.isTyped ||
      !areBothOpen(request, other) ||
      !endedOneAnother(request, other, pos)
    )
      continue;
    const ids = [request, other].map(({ id }) => id).sort();
    known.findings.differ(
      'a physical POS has one open request',
      `POS ${pos.id}`,
      'one of them ended when the other was made',
      ids,
    );
  }
}

function areBothOpen(one: PaymentRequest, other: PaymentRequest): boolean {
  const [ended, otherEnded] = [one, other].map(endOf);
  if (ended === undefined || otherEnded === undefined) return false;
  const both = Math.max(one.createdAt!, other.createdAt!) + AT_ONCE;
  const areKnown = Math.min(one.endReadAt, other.endReadAt) > Math.max(one.made.to, other.made.to);
  return areKnown && both < ended && both < otherEnded && [one, other].every(isUntouched);
}

/** @returns whether each of two that may have come second was certainly made while its point of sale was physical */
function endedOneAnother(one: PaymentRequest, other: PaymentRequest, pos: PointOfSale): boolean {
  const secondBegins = Math.max(one.made.from, other.made.from);
  return [one, other]
    .filter(({ made }) => made.to >= secondBegins)
    .every(({ made }) => {
      const types = pos.type.within(made.from, made.to);
      return types.length > 0 && types.every((type) => type === 'physical');
    });
}

/** @returns when the window of a request ends; undefined where that is not certain */
function endOf({ expiry, createdAt, isStrange }: PaymentRequest): number | undefined {
  const [only] = expiry;
  const isExact = expiry.length === 1 && only!.from === only!.to && createdAt !== null && !isStrange;
  return isExact ? only!.to : undefined;
}
