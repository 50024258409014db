import type { ErrorCode } from '../../../../../shared/platform/http/error-codes.js';

/** What may keep a payer from being told what to pay. */
export const PAYING_FAILURES: readonly ErrorCode[] = [
  ...(['not_found', 'state_conflict', 'settlement_address_missing'] as const),
  ...(['rate_unavailable', 'unavailable', 'rate_limited'] as const),
];
