import type { VNode } from 'preact';
import { StateMark, type Tone } from '#shared/web/dashboard/list-parts.js';
import type { HistoryStatus } from '#contexts/payments/domain/requests/status.js';

const TONES: Record<HistoryStatus, Tone> = {
  pending: 'plain',
  created: 'plain',
  processing: 'care',
  confirmed: 'good',
  completed: 'good',
  underpaid: 'bad',
  overpaid: 'care',
  expired: 'plain',
  failed: 'bad',
};

export function PaymentStatus({ status }: { status: HistoryStatus }): VNode {
  return <StateMark tone={TONES[status]}>{status}</StateMark>;
}
