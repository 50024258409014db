import type { ComponentChildren, VNode } from 'preact';
import type { PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { Facts } from '#shared/web/dashboard/list-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { Money } from '#shared/web/parts/money.js';
import { ShortId } from '#shared/web/parts/short-id.js';
import { When } from '#shared/web/parts/when.js';
import { UNNAMED_SENDER } from '#contexts/networks/contract/chain-reader.js';
import type { Network } from '#contexts/networks/contract/network-catalogue.js';
import type {
  ExplainedTransfer,
  RequestExplanation,
} from '#contexts/payments/application/explanation/explanation-view.js';
import type { PaymentRequestProgressView } from '#contexts/payments/application/requests/payment-request-view.js';
import type { LaterRecord } from '#contexts/payments/contract/later-records.js';
import { LaterMoment } from './later-moment.js';
import { PaymentStatus } from './payments-page.js';

export interface PaymentProps {
  readonly visitor: PageVisitor;
  readonly request: PaymentRequestProgressView;
  readonly explanation: RequestExplanation;
  readonly later: readonly LaterRecord[];
  readonly networkOf: (name: string) => Network | undefined;
  /** Absent if the payment has no receipt. */
  readonly receiptUrl?: string | undefined;
}

interface Moment {
  readonly at: Date;
  readonly what: ComponentChildren;
}

export function PaymentTimeline({ request, explanation, later, networkOf }: PaymentProps): VNode {
  const explorer = request.asked && networkOf(request.asked.network)?.explorerUrl;
  const moments: Moment[] = [
    ...request.history.map(({ status, at }) => ({ at, what: <PaymentStatus status={status} /> })),
    ...explanation.transfers.map((transfer) => ({
      at: transfer.detectedAt,
      what: <Transfer transfer={transfer} network={networkOf(transfer.network)} />,
    })),
    ...later.map((record) => ({ at: record.at, what: <LaterMoment record={record} explorer={explorer} /> })),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
  return (
    <ol class="timeline">
      {moments.map(({ at, what }) => (
        <li>
          <When at={at} />
          <div>{what}</div>
        </li>
      ))}
    </ol>
  );
}

interface TransferProps {
  readonly transfer: ExplainedTransfer;
  readonly network: Network | undefined;
}

function Transfer({ transfer, network }: TransferProps): VNode {
  const { amount, decimals, currency, transactionHash, from, confirmations, requiredConfirmations, summary } =
    transfer;
  const explorer = network?.explorerUrl;
  const isPending = transfer.blockNumber === Infinity;
  return (
    <>
      <p>
        {t('{amount} on {network}, {confirmations} of {needed} confirmations.', {
          amount: (
            <strong>
              <Money amount={amount} decimals={decimals} symbol={currency} />
            </strong>
          ),
          network: network?.name ?? transfer.network,
          confirmations,
          needed: requiredConfirmations,
        })}{' '}
        {isPending && <>{t('Not in a block yet.')} </>}
        <span lang="en">{summary}</span>
      </p>
      <Facts
        facts={{
          Transaction:
            transactionHash === undefined ? (
              t('detected by balance')
            ) : (
              <ShortId kind="tx" value={transactionHash} explorer={explorer} />
            ),
          From:
            from === UNNAMED_SENDER ? (
              t('not provided by the network')
            ) : (
              <ShortId kind="address" value={from} explorer={explorer} />
            ),
        }}
      />
    </>
  );
}
