import type { VNode } from 'preact';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { isOneOf, UNPAID_ENDED_STATUSES } from '#contexts/payments/domain/requests/status.js';
import type { PaymentDetailPageProps } from './payment-timeline.js';

/** The main steps of a payment. The first step that is not done is current, unless the payment ended without funds. */
export function PaymentSteps({
  request,
  explanation: { code },
  later,
  networkOf,
}: PaymentDetailPageProps): VNode {
  const { asked, status, transfers } = request;
  const isConfirmed = request.confirmedAt !== undefined;
  const isDelivered = asked !== undefined && networkOf(asked.network)?.deliversDirectly === true;
  const isSettled = later.some(({ kind, status }) => kind === 'settlement' && status === 'completed');
  const steps: readonly [Word, boolean][] = [
    ['Created', true],
    ['Detected', isConfirmed || transfers.some(({ counted }) => counted)],
    ['Confirmed', isConfirmed],
    ['Settled', isConfirmed && (isSettled || isDelivered)],
  ];
  const current = isOneOf(UNPAID_ENDED_STATUSES, status) ? -1 : steps.findIndex(([, isDone]) => !isDone);
  const isUnderpaid = code === 'underpaid_by' && !request.fulfilled;
  const lastDone = steps.findLastIndex(([, isDone]) => isDone);
  const detected = steps.findIndex(([word]) => word === 'Detected');
  const problem = isUnderpaid ? lastDone : code === 'late' ? detected : -1;
  const noteOf = (number: number, isDone: boolean): Word => {
    if (number === problem) return isUnderpaid ? 'Underpaid' : 'Received too late';
    if (number !== current) return isDone ? 'Reached' : 'Not reached';
    return code === 'short_by' ? 'Waiting for the remainder' : 'Waiting';
  };
  return (
    <ol class="steps">
      {steps.map(([word, isDone], number) => (
        <li
          class={number === problem ? 'lacking' : isDone ? 'past' : undefined}
          {...(number === current && { 'aria-current': 'step' as const })}
        >
          {t(word)} <span class="note">{t(noteOf(number, isDone))}</span>
        </li>
      ))}
    </ol>
  );
}
