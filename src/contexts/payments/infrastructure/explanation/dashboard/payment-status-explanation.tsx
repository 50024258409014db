import type { VNode } from 'preact';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { AmountText } from '#shared/web/parts/values.js';
import type {
  ExplanationFacts,
  RequestExplanationCode,
  RequestExplanation,
  TransferExplanationCode,
} from '#contexts/payments/application/explanation/explanation-view.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { isEnded } from '#contexts/payments/domain/requests/status.js';

const VERDICTS = {
  completed: 'Paid in full.',
  awaiting_agreement: 'Received. A second node has not confirmed it yet.',
  below_minimum: 'Only an amount below the minimum of the asset was received.',
  unseen: 'No payment was detected yet.',
  network_behind: 'The service has not read the network up to now, so a payment may not be visible yet.',
  asset_not_selected: 'The payer has not chosen an asset yet.',
  expired_unpaid: 'Nothing was paid before the time was over.',
  late: 'The payment was received too late, so it does not count.',
  after_outcome: 'Funds were received after the payment had ended. They do not count.',
  other_asset: 'Another asset was received. It does not count.',
  reversed: 'The chain has reversed the payment. The operator checks it before the funds are settled.',
  failed: 'The asset or its network is no longer available.',
  counted: 'It counts towards this payment.',
  confirming: 'It counts towards this payment once it is final.',
} satisfies Partial<Record<RequestExplanationCode | TransferExplanationCode, Word>>;

/** Before the end of a payment, a transfer in an asset that the payer selected before may still count. */
export function statusExplanationSentence(code: keyof typeof VERDICTS, status: PaymentRequestStatus): Word {
  return code === 'after_outcome' && !isEnded(status)
    ? 'Funds were received that do not count towards this payment yet.'
    : VERDICTS[code];
}

/** One sentence in the reader's language. The details are sentences of the API, in English. */
export function PaymentStatusExplanation(props: {
  explanation: RequestExplanation;
  isFulfilled: boolean;
}): VNode {
  const { explanation, isFulfilled } = props;
  return (
    <>
      <p>{verdictOf(explanation, isFulfilled)}</p>
      <TechnicalDetails summary={explanation.summary} />
    </>
  );
}

export function TechnicalDetails({ summary }: { readonly summary: string }): VNode {
  return (
    <details>
      <summary>{t('Technical details')}</summary>
      <p lang="en">{summary}</p>
    </details>
  );
}

function verdictOf({ code, facts, request }: RequestExplanation, isFulfilled: boolean): VNode {
  const { missingAmount = 0n, excessAmount = 0n, confirmations = 0, requiredConfirmations = 0 } = facts;
  switch (code) {
    case 'overpaid_by':
      return t('Paid, with {amount} too much.', { amount: toMoney(facts, excessAmount) });
    case 'underpaid_by':
      return isFulfilled
        ? t('Accepted as paid, although {amount} is missing.', { amount: toMoney(facts, missingAmount) })
        : t('The time to pay is over, and {amount} is missing.', { amount: toMoney(facts, missingAmount) });
    case 'short_by':
      return t('Part of the payment was received. {amount} is missing.', {
        amount: toMoney(facts, missingAmount),
      });
    case 'confirming':
      return t('Received. It has {confirmations} of {needed} confirmations.', {
        ...{ confirmations, needed: requiredConfirmations },
      });
    default:
      return t(statusExplanationSentence(code, request.status));
  }
}

function toMoney({ asked }: ExplanationFacts, amount: bigint): VNode {
  return <AmountText amount={amount} decimals={asked!.decimals} symbol={asked!.currency} />;
}
