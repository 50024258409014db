import type { RefundStatus } from '../../contract/refund-events.js';

export const REFUND_TRANSITIONS: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  pending: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
};

export const REFUND_STATUSES = Object.keys(REFUND_TRANSITIONS) as RefundStatus[];
