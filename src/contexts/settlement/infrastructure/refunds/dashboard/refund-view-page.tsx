import type { VNode } from 'preact';
import { NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormActionOutcome,
  type FormFields,
  SECOND_FACTOR_FIELD,
  type SubmittedForm,
} from '#shared/web/dashboard/form-fields.js';
import { FormInputs, Form, PasskeyButton, FormErrorNotice } from '#shared/web/dashboard/form-parts.js';
import { Card, CompletedActionNotice, DetailCard } from '#shared/web/dashboard/page-parts.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { ShortId, TimeText } from '#shared/web/parts/values.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import type { RefundSnapshot } from '#contexts/settlement/domain/refunds/refund.js';
import { newClaimLinkPagePath } from './new-claim-link-page.js';
import { AssetAmount, FloatWarning, PaymentLink, RefundStatusBadge } from './refund-parts.js';

interface RefundViewProps extends FormActionOutcome {
  readonly visitor: PageUser;
  readonly refund: RefundSnapshot;
  readonly networkName: string;
  readonly missing: bigint;
  readonly explorer: string | undefined;
}

export const SECOND_FACTOR_CODE_FIELDS = { code: SECOND_FACTOR_FIELD } satisfies FormFields;

const SUCCESS_NOTICES = {
  created: 'Refund created and approved. It is paid shortly and completes when the transaction is final.',
  named: 'Refund created. It completes when the transaction is final and pays the amount to the address.',
  approved: 'Refund approved. It is paid shortly and completes when the transaction is final.',
  shown: 'The payer’s link has already been displayed.',
  cancelled: 'Refund cancelled. The amount can be refunded again.',
} satisfies Record<string, Word>;

export function refundViewPage(props: RefundViewProps): VNode {
  const { visitor, refund, networkName, explorer, done, sent, missing } = props;
  const isOpen = refund.status === 'pending' && hasPermission(visitor.role, 'manage');
  const isApproved = refund.status === 'processing' && hasPermission(visitor.role, 'manage');
  const isByMerchant = refund.paidBy === 'merchant';
  return (
    <DashboardPage
      visitor={visitor}
      title="Refund"
      heading={
        <>
          {t('Refund of {amount}', { amount: <AssetAmount {...refund} /> })} <RefundStatusBadge {...refund} />
        </>
      }
      place="/app/refunds"
    >
      <FormErrorNotice refusal={sent?.refusal} {...(isOpen && { fields: SECOND_FACTOR_CODE_FIELDS })} />
      <CompletedActionNotice done={done} notices={SUCCESS_NOTICES} />
      <RefundFacts {...{ refund, networkName, explorer }} />
      {isOpen && refund.to === undefined && <NewLinkSection {...{ refund, sent }} />}
      {isOpen && refund.to !== undefined && <ApprovalSection {...{ refund, to: refund.to, sent, missing }} />}
      {(isOpen || isApproved) && (
        <Card title="Cancel">
          <p>
            {isByMerchant
              ? t(
                  'If you cancel, the refund no longer waits for its transaction, and the amount can be refunded again.',
                )
              : t('If you cancel, the refund is not paid, and the amount can be refunded again.')}
            {isApproved && !isByMerchant && (
              <> {t('You cannot cancel it after its transaction has been sent.')}</>
            )}
          </p>
          <Form action={`/app/refunds/${refund.id}/cancel`}>
            <div class="actions">
              <button class="button danger">{t('Cancel refund')}</button>
            </div>
          </Form>
        </Card>
      )}
    </DashboardPage>
  );
}

interface ApprovalSectionProps {
  readonly refund: RefundSnapshot;
  readonly to: string;
  readonly sent: SubmittedForm | undefined;
  readonly missing: bigint;
}

function ApprovalSection({ refund, to, sent, missing }: ApprovalSectionProps): VNode {
  return (
    <Card title="Approve">
      <p>
        {t('Pays {amount} to {address}. This cannot be undone.', {
          amount: <AssetAmount {...refund} />,
          address: <code {...NOT_TRANSLATED}>{toDisplayAddress(to)}</code>,
        })}
      </p>
      <FloatWarning asset={refund.asset} missing={missing} />
      <Form action={`/app/refunds/${refund.id}/approve`}>
        <FormInputs fields={SECOND_FACTOR_CODE_FIELDS} sent={sent} />
        <div class="actions">
          <button class="button primary">{t('Approve refund')}</button>
        </div>
        <PasskeyButton />
      </Form>
    </Card>
  );
}

function NewLinkSection({ refund, sent }: Pick<ApprovalSectionProps, 'refund' | 'sent'>): VNode {
  return (
    <Card title="Link for the payer">
      <p>
        {t(
          'The payer’s link is displayed only once. If it was lost, create a new one. The old link then stops working.',
        )}
      </p>
      <Form action={newClaimLinkPagePath(refund.id)}>
        <FormInputs fields={SECOND_FACTOR_CODE_FIELDS} sent={sent} />
        <div class="actions">
          <button class="button">{t('Create new link')}</button>
        </div>
        <PasskeyButton />
      </Form>
    </Card>
  );
}

function RefundFacts({
  refund,
  networkName,
  explorer,
}: Pick<RefundViewProps, 'refund' | 'networkName' | 'explorer'>): VNode {
  const { to, reason, failure, claimExpiresAt, claimedAt, approvedAt, approvedBy, transactionHash } = refund;
  return (
    <DetailCard
      copy={{ id: 'refund-id', label: 'Refund id', value: refund.id }}
      facts={{
        'Failure reason': failure,
        Network: networkName,
        Payment: <PaymentLink id={refund.paymentRequestId} reference={refund.referenceId} />,
        To: to !== undefined && <ShortId kind="address" value={toDisplayAddress(to)} explorer={explorer} />,
        Reason: reason !== undefined && <bdi>{reason}</bdi>,
        'Payer can enter an address until': claimExpiresAt !== undefined && claimedAt === undefined && (
          <TimeText at={claimExpiresAt} exact />
        ),
        'Payer entered the address': claimedAt !== undefined && <TimeText at={claimedAt} exact />,
        'Paid by': refund.paidBy === 'merchant' && t('your own wallet'),
        Approved: approvedAt !== undefined && <TimeAndPerson at={approvedAt} by={approvedBy} />,
        Transaction: transactionHash !== undefined && (
          <ShortId kind="tx" value={transactionHash} explorer={explorer} />
        ),
        Created: <TimeText at={refund.createdAt} exact />,
      }}
    />
  );
}

function TimeAndPerson({ at, by }: { at: Date; by: string | undefined }): VNode {
  return t('{time} by {person}', { time: <TimeText at={at} exact />, person: <bdi>{by}</bdi> });
}
