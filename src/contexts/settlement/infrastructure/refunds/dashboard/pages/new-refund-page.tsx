import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  Form,
  RefusalNotice,
  SelectField,
  TextField,
  type ShownRefusal,
  SecondFactorField,
} from '#shared/web/dashboard/form-parts.js';
import { Fact } from '#shared/web/parts/fact.js';
import type { RefundableRequest } from '#contexts/payments/contract/refundable-requests.js';
import { receivedInAll } from '#contexts/settlement/domain/refunds/refund-amount-rule.js';
import type { CreateRefundForm } from '../refund.form.js';
import { AssetAmount, PaymentLink } from './refund-parts.js';

interface WhichPaymentProps {
  readonly visitor: PageVisitor;
  readonly typed: string;
  readonly refusal?: ShownRefusal | undefined;
}

interface NewRefundProps {
  readonly visitor: PageVisitor;
  readonly request: RefundableRequest;
  readonly typed: CreateRefundForm;
  readonly networkName: (network: string) => string;
  readonly refusal?: ShownRefusal | undefined;
}

const FIELDS = ['refund_to_address', 'amount', 'unique_asset_id', 'reason', 'code'];

export function whichPaymentPage({ visitor, typed, refusal }: WhichPaymentProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Refund a payment" place="/app/refunds">
      <section class="card">
        <form method="get" action="/app/refunds/new" class="stack">
          <TextField
            name="payment_request_id"
            label="Payment id"
            hint="Of the payment that is paid back; it stands on the payment's page."
            value={typed}
            refusal={refusal}
            required
          />
          <div class="actions">
            <button class="button primary">Go on</button>
          </div>
        </form>
      </section>
    </DashboardPage>
  );
}

export function newRefundPage({ visitor, request, typed, networkName, refusal }: NewRefundProps): VNode {
  const received = request.received.filter((one) => receivedInAll(one) > 0n);
  return (
    <DashboardPage visitor={visitor} title="Refund a payment" place="/app/refunds">
      <section class="card">
        <dl class="facts">
          <Fact name="Payment">
            <PaymentLink id={request.id} reference={request.referenceId} />
          </Fact>
          <Fact name="Status">{request.status}</Fact>
          {received.map((one) => (
            <Fact name="Received">
              <AssetAmount asset={one.asset} amount={receivedInAll(one)} /> on{' '}
              {networkName(one.asset.network)}
            </Fact>
          ))}
        </dl>
      </section>
      <section class="card">
        <RefusalNotice refusal={refusal} fields={FIELDS} />
        <Form action="/app/refunds/new">
          <input type="hidden" name="payment_request_id" value={request.id} />
          <TextField
            name="refund_to_address"
            label="Address of the payer"
            hint="It is paid there at once. Left empty, you get a link at which the payer names it, and approve it then."
            value={typed.refund_to_address}
            refusal={refusal}
          />
          {received.length > 1 && (
            <SelectField
              name="unique_asset_id"
              label="Asset"
              value={typed.unique_asset_id}
              refusal={refusal}
              options={received.map(({ asset }) => ({
                value: asset.uniqueAssetId,
                label: `${asset.symbol} on ${networkName(asset.network)}`,
              }))}
            />
          )}
          <TextField
            name="amount"
            label="Amount"
            hint="Left empty: what is left; of an overpaid payment its excess."
            inputmode="decimal"
            value={typed.amount}
            refusal={refusal}
          />
          <TextField
            name="reason"
            label="Reason"
            hint="For your own records; it may stay empty."
            value={typed.reason}
            refusal={refusal}
          />
          <SecondFactorField refusal={refusal} />
          <div class="actions">
            <button class="button primary">Refund</button>
            <a class="button" href="/app/refunds">
              Cancel
            </a>
          </div>
        </Form>
      </section>
    </DashboardPage>
  );
}
