import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { DetailList } from '#shared/web/dashboard/page-parts.js';
import { LANGUAGE_CONTEXT, type TranslatedPhrase, t, type Word } from '#shared/web/dashboard/words/text.js';
import { AmountText, TIME_DISPLAY_CONTEXT, ShortId, TimeText } from '#shared/web/parts/values.js';
import { NO_SENDER_LABEL } from '#contexts/networks/contract/chain-reader.js';
import type { Network } from '#contexts/networks/contract/network-catalogue.js';
import type {
  ExplainedTransfer,
  RequestExplanation,
} from '#contexts/payments/application/explanation/explanation-view.js';
import type { PaymentRequestDetailView } from '#contexts/payments/application/requests/payment-request-view.js';
import type { DownstreamRecord } from '#contexts/payments/contract/downstream-records.js';
import { PaymentStatusBadges } from './payments-page.js';
import { TechnicalDetails, statusExplanationSentence } from './payment-status-explanation.js';
import { StatusBadge, isDashboardStatus, type DashboardStatus } from '#shared/web/parts/status-badge.js';
import { formatRoundedDuration } from '#shared/web/formatting/shown-time.js';

export interface PaymentDetailPageProps {
  readonly visitor: PageUser;
  readonly request: PaymentRequestDetailView;
  readonly explanation: RequestExplanation;
  readonly later: readonly DownstreamRecord[];
  readonly networkOf: (name: string) => Network | undefined;
  readonly receiptUrl?: string | undefined;
  /** URL of the hosted page, while the payer can use it. */
  readonly checkoutUrl?: string | undefined;
  readonly done?: string | undefined;
}

interface TimelineEntry {
  readonly at: Date;
  readonly what: ComponentChildren;
}

export function PaymentTimeline({ request, explanation, later, networkOf }: PaymentDetailPageProps): VNode {
  const explorer = request.asked && networkOf(request.asked.network)?.explorerUrl;
  const moments: TimelineEntry[] = [
    ...request.history.map(({ status, at }) => ({ at, what: <PaymentStatusBadges status={status} /> })),
    ...explanation.transfers.map((transfer) => ({
      at: transfer.detectedAt,
      what: <TransferEntry {...explanation} transfer={transfer} network={networkOf(transfer.network)} />,
    })),
    ...later
      .filter(({ kind }) => kind !== 'webhook')
      .map((record) => ({ at: record.at, what: <RecordEntry record={record} explorer={explorer} /> })),
    ...attemptsByWebhook(later).map((attempts) => ({
      at: attempts.at(-1)!.at,
      what: <WebhookEntry attempts={attempts} />,
    })),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
  return (
    <ol class="timeline">
      {moments.map(({ at, what }) => (
        <li>
          <div class="note">
            <TimeText at={at} exact /> · <TimeText at={at} />
          </div>
          <div>{what}</div>
        </li>
      ))}
    </ol>
  );
}

interface TransferProps extends Pick<RequestExplanation, 'request'> {
  readonly transfer: ExplainedTransfer;
  readonly network: Network | undefined;
}

function TransferEntry({ transfer, network, request }: TransferProps): VNode {
  const {
    amount,
    decimals,
    currency,
    transactionHash,
    from,
    confirmations,
    requiredConfirmations,
    code,
    summary,
  } = transfer;
  const explorer = network?.explorerUrl;
  const isPending = transfer.blockNumber === Infinity;
  return (
    <>
      <p>
        {t('{amount} on {network}, {confirmations} of {needed} confirmations.', {
          amount: (
            <strong>
              <AmountText amount={amount} decimals={decimals} symbol={currency} />
            </strong>
          ),
          network: network?.name ?? transfer.network,
          confirmations,
          needed: requiredConfirmations,
        })}{' '}
        {isPending && <>{t('Not in a block yet.')} </>}
        {t(statusExplanationSentence(code, request.status))}
      </p>
      <DetailList
        facts={{
          Transaction:
            transactionHash === undefined ? (
              t('detected by balance')
            ) : (
              <ShortId kind="tx" value={transactionHash} explorer={explorer} />
            ),
          From:
            from === NO_SENDER_LABEL ? (
              t('not provided by the network')
            ) : (
              <ShortId kind="address" value={from} explorer={explorer} />
            ),
        }}
      />
      <TechnicalDetails summary={summary} />
    </>
  );
}

function RecordEntry({
  record,
  explorer,
}: {
  record: DownstreamRecord;
  explorer: string | undefined;
}): VNode {
  const { kind, status, transactionHash } = record;
  if (kind === 'acceptance') return recordLabel(record);
  return (
    <>
      <div>
        <a href={recordHref(record)}>{recordLabel(record)}</a> <RecordAmount record={record} />{' '}
        {isDashboardStatus(status) ? <StatusBadge status={status} /> : status}
      </div>
      {transactionHash !== undefined && (
        <div>
          <ShortId kind="tx" value={transactionHash} explorer={explorer} />
        </div>
      )}
    </>
  );
}

function attemptsByWebhook(later: readonly DownstreamRecord[]): DownstreamRecord[][] {
  const webhooks = later.filter(({ kind }) => kind === 'webhook');
  return [...Map.groupBy(webhooks, ({ id }) => id).values()];
}

/** Status of a delivery after an attempt. A delivery that will be retried is failing. */
function deliveryStatus({ status, attempt }: DownstreamRecord): DashboardStatus {
  if (status === 'pending') return attempt === undefined ? 'pending' : 'failing';
  return isDashboardStatus(status) ? status : 'error';
}

/** All attempts to deliver the payment's events to one webhook, with the worst status of its deliveries. */
function WebhookEntry({ attempts }: { attempts: readonly DownstreamRecord[] }): VNode {
  const newest = new Map(attempts.map((attempt) => [attempt.deliveryId, deliveryStatus(attempt)]));
  const found = new Set(newest.values());
  const status = (['error', 'failed', 'failing', 'pending'] as const).find((one) => found.has(one));
  return (
    <details>
      <summary>
        {t('Webhook')} <StatusBadge status={status ?? 'delivered'} />
      </summary>
      {attempts.map((record) => (
        <p>
          <TimeText at={record.at} exact /> <a href={recordHref(record)}>{recordLabel(record)}</a>{' '}
          <NextAttempt at={record.nextAttemptAt} />
        </p>
      ))}
    </details>
  );
}

/** Labels of the ledger transaction types of a payment and its refunds. */
const LEDGER_LABELS: Readonly<Record<string, Word>> = {
  payment_in: 'Ledger: incoming payment',
  deposit: 'Ledger: unexpected payment',
  refund: 'Ledger: refund',
  adjustment: 'Ledger: adjustment',
};

function recordLabel({
  kind,
  type = '',
  status,
  attempt,
  httpStatus,
  error = '',
  actor = '',
}: DownstreamRecord): TranslatedPhrase {
  switch (kind) {
    case 'transaction':
      return LEDGER_LABELS[type] === undefined
        ? t('Ledger: {type}', { type: toWords(type) })
        : t(LEDGER_LABELS[type]);
    case 'settlement':
      return t('Settlement');
    case 'refund':
      return t('Refund');
    case 'acceptance':
      return t('{person} accepted the underpayment as paid.', { person: actor });
    case 'webhook': {
      if (attempt === undefined) return t('Webhook delivery pending');
      if (status === 'delivered') return t('Webhook delivered, attempt {attempt}', { attempt });
      const reason = error === 'http_status' ? `HTTP ${httpStatus}` : toWords(error);
      return t('Webhook delivery failed ({reason}), attempt {attempt}', { reason, attempt });
    }
  }
}

/** An attempt that has been made has its own timeline entry. */
function NextAttempt({ at }: { at: Date | undefined }): VNode | null {
  const { now } = useContext(TIME_DISPLAY_CONTEXT);
  const language = useContext(LANGUAGE_CONTEXT);
  if (at === undefined || now === undefined || at <= now) return null;
  const seconds = (at.getTime() - now.getTime()) / 1000;
  return (
    <span class="note">
      {t('next attempt in {time}', { time: formatRoundedDuration(seconds, language) })}
    </span>
  );
}

function RecordAmount({
  record: { kind, amount, currency, decimals },
}: {
  record: DownstreamRecord;
}): VNode | null {
  // A settlement pays many payment requests.
  if (kind === 'settlement' || amount === undefined || currency === undefined || decimals === undefined)
    return null;
  return <AmountText amount={amount} decimals={decimals} symbol={currency} />;
}

function recordHref({ kind, id, transactionHash }: DownstreamRecord): string | undefined {
  switch (kind) {
    case 'transaction':
      return `/app/transactions?transaction=${id}`;
    case 'settlement':
      return `/app/settlements?transaction=${transactionHash}`;
    case 'refund':
      return `/app/refunds/${id}`;
    case 'webhook':
      return `/app/webhooks/${id}`;
    case 'acceptance':
      return undefined;
  }
}

function toWords(word: string): string {
  return word.replaceAll('_', ' ');
}
